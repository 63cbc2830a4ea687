"""Encode what supervised scores need of a trained model."""

from pathlib import Path

from latents.batches import open_source
from latents.evaluation_file import write_evaluation
from latents.model_file import read_model
from latents.probing import Sizes, evaluate
from latents.step import run
from latents.training import choose_device, fix_rounding


def encode_evaluation(
    *,
    images: Path,
    background: Path | None,
    model: Path,
    evaluation: Path,
    variation: str | None,
    training_examples: list[int],
    test_examples: int,
    images_seed: int,
    seed: int,
    threads: int,
    key: str,
    device: str,
) -> None:
    """Labelled codes, pairs and votes, of the mean and of the sampled representation."""
    fix_rounding(threads)
    data = open_source(images, choose_device(device), variation=variation, background=background)
    trained = read_model(model, data)
    sizes = Sizes(tuple(training_examples), test_examples)
    made = evaluate(trained.vae, data, sizes, images_seed=images_seed, seed=seed)
    description = {"model": trained.description, "source": data.source, "record": key}
    description["factors"] = data.factors.latent_names
    write_evaluation(evaluation, made, description)


if __name__ == "__main__":
    run(encode_evaluation)

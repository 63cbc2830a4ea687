"""Encode the images that a trained model's supervised scores need."""

from pathlib import Path

from latents.data.batches import open_source
from latents.encoding.evaluations import evaluate
from latents.evaluation.evaluation_draws import Sizes
from latents.evaluation.evaluation_file import write_evaluation
from latents.models.determinism import choose_device, fix_rounding
from latents.models.trained_model import read_model
from latents.runtime.step import run


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
    """Write labelled codes, pairs and votes, of the mean and of the sampled representation."""
    fix_rounding(threads)
    data = open_source(images, choose_device(device), variation=variation, background=background)
    trained = read_model(model, data)
    sizes = Sizes(tuple(training_examples), test_examples)
    evaluations = evaluate(trained.vae, data, sizes, images_seed=images_seed, seed=seed)
    description = {"model": trained.description, "source": data.source, "record": key}
    description["factors"] = data.factors.latent_names
    write_evaluation(evaluation, evaluations, description)


if __name__ == "__main__":
    run(encode_evaluation)

"""Encode the evaluation images with a trained model."""

from pathlib import Path

from latents.data.batches import open_source
from latents.encoding.representations import encode
from latents.evaluation.representation import write_representation
from latents.models.determinism import choose_device, fix_rounding
from latents.models.trained_model import read_model
from latents.runtime.step import run


def encode_representation(
    *,
    images: Path,
    background: Path | None,
    model: Path,
    representation: Path,
    variation: str | None,
    examples: int,
    images_seed: int,
    seed: int,
    threads: int,
    key: str,
    device: str,
) -> None:
    """Write mean, variance and sampled representations with the factors of their images."""
    fix_rounding(threads)
    data = open_source(images, choose_device(device), variation=variation, background=background)
    trained = read_model(model, data)
    encoded = encode(trained.vae, data, examples=examples, images_seed=images_seed, seed=seed)
    description = {"model": trained.description, "source": data.source, "record": key}
    description["factors"] = data.factors.latent_names
    write_representation(representation, encoded, description)


if __name__ == "__main__":
    run(encode_representation)

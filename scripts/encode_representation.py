"""Encode the evaluation images with a trained model."""

from pathlib import Path

from latents.encoding import encode
from latents.model_file import read_model
from latents.representation import write_representation
from latents.step import run
from latents.training import choose_device, fix_rounding


def encode_representation(
    *,
    images: Path,
    model: Path,
    representation: Path,
    dataset: str,
    examples: int,
    images_seed: int,
    seed: int,
    threads: int,
    key: str,
    device: str,
) -> None:
    """Write mean, variance and sampled representations with the factors of their images."""
    fix_rounding(threads)
    trained = read_model(model, images, dataset, choose_device(device))
    encoded = encode(
        trained.vae,
        trained.images,
        trained.grid,
        examples=examples,
        images_seed=images_seed,
        seed=seed,
    )
    description = {"model": trained.description, "source": trained.source, "record": key}
    description["factors"] = trained.grid.latent_names
    write_representation(representation, encoded, description)


if __name__ == "__main__":
    run(encode_representation)

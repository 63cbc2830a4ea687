"""Encode the evaluation images with a trained model."""

from importlib import import_module
from pathlib import Path

from latents.batches import PackedImages
from latents.encoding import encode
from latents.images import read_images
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
    chosen = choose_device(device)
    data = import_module(f"latents.datasets.{dataset}")
    vae, _, description = read_model(model, data.IMAGE_SHAPE, chosen)
    bits, source = read_images(images)
    packed = PackedImages(bits, data.IMAGE_SHAPE, chosen)
    encoded = encode(vae, packed, data.GRID, examples=examples, images_seed=images_seed, seed=seed)
    described = {"model": description, "source": source, "factors": data.GRID.latent_names}
    write_representation(representation, encoded, {**described, "record": key})


if __name__ == "__main__":
    run(encode_representation)

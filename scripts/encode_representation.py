"""Encode the evaluation images with a trained model."""

from importlib import import_module
from pathlib import Path

from latents.batches import PackedImages
from latents.checkpoint import read_checkpoint
from latents.encoding import encode
from latents.images import read_images
from latents.representation import write_representation
from latents.step import run
from latents.training import choose_device, fix_rounding
from latents.vae import build_vae


def encode_representation(
    *,
    images: Path,
    model: Path,
    representation: Path,
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
    weights, description = read_checkpoint(model)
    data = import_module(f"latents.datasets.{description['dataset']}")
    vae = build_vae(image_shape=data.IMAGE_SHAPE, **description["network"]).to(chosen)
    vae.load_state_dict(weights)
    bits, source = read_images(images)
    packed = PackedImages(bits, data.IMAGE_SHAPE, chosen)
    encoded = encode(vae, packed, data.GRID, examples=examples, images_seed=images_seed, seed=seed)
    described = {"model": description, "source": source, "factors": data.GRID.latent_names}
    write_representation(representation, encoded, {**described, "record": key})


if __name__ == "__main__":
    run(encode_representation)

"""Images per second into training, per kind of dataset, against a plain array of floats in memory.

    python benchmarks/data.py
    python benchmarks/data.py --rounds 3      a quick look

Contenders draw the same random batches of 64 on one thread, in turns; medians of the rounds count.
`plain` indexes a float32 array that holds every image decoded. Also shown: memory per image against
that array's, and a batch's share of a training step of the paper's network (batch 64, one thread).
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.data.batches import ImageSource, StoredImages, open_source
from latents.data.factors import FactorGrid
from latents.data.images import ImageSet, write_images
from latents.data.twins import dsprites, scream_dsprites
from latents.data.variation import build_variation
from latents.models.determinism import fix_rounding
from latents.models.objective import RunFacts, build_objective
from latents.models.training import Budget, optimise, start_training
from latents.models.vae import build_vae

BATCH = 64
BATCHES = 50
IMAGES = 10_000  # enough not to lie in the cache; the plain array takes 480 MB in colour
CPU = torch.device("cpu")
GRID = FactorGrid(("image",), (IMAGES,), (0,))


def sprites() -> StoredImages:
    drawn = [dsprites.render_sprite(dsprites.outline(i % 3, i % 6, i)) for i in range(10)]
    bits = np.stack(drawn).astype(">u8").view(np.uint8).reshape(-1, 512)[:IMAGES]
    return StoredImages(ImageSet("sprites", (1, 64, 64), GRID, binary=True), bits, CPU)


def pictures(channels: int, folder: Path) -> ImageSource:
    """Stored as a prepared file and mapped into memory, as a real dataset is."""
    pixels = np.random.RandomState(0).randint(256, size=(IMAGES, channels, 64, 64))
    about = ImageSet("pictures", (channels, 64, 64), GRID)
    path = folder / f"{channels}.h5"
    write_images(path, about, [pixels.astype(np.uint8)])
    return open_source(path, CPU, variation=None, background=None)


def contenders(folder: Path) -> dict[str, ImageSource]:
    binary = sprites()
    scream = torch.from_numpy(next(scream_dsprites.make_twin()[1])[0]).float() / 255
    return {
        "dsprites": ImageSource(binary),
        "color_dsprites": ImageSource(binary, build_variation("tint", None)),
        "noisy_dsprites": ImageSource(binary, build_variation("noise", None)),
        "scream_dsprites": ImageSource(binary, build_variation("scream", scream)),
        "smallnorb, faces3d": pictures(1, folder),
        "cars3d, shapes3d, mpi3d": pictures(3, folder),
    }


def images_per_second(read: Callable[[torch.Tensor], torch.Tensor], rows: torch.Tensor) -> float:
    started = time.perf_counter()
    for batch in rows:
        read(batch)
    return rows.numel() / (time.perf_counter() - started)


def seconds_per_step(images: ImageSource) -> float:
    """Of the paper's convolutional network, images already decoded."""
    vae = build_vae(
        "conv",
        image_shape=images.image_shape,
        latents=10,
        width=1,
        initialisation="glorot_uniform",
    )
    loss = build_objective(
        "beta_vae",
        options={"beta": 4},
        prior={"name": "standard_normal", "options": {}},
        facts=RunFacts(10, 100, IMAGES),
    )
    training = start_training(vae, loss, Budget(100, BATCH, 1e-4, (0.9, 0.999), 1e-8), 0)
    batch = images.read(torch.arange(BATCH), training.noise)
    times = []
    for _ in range(12):
        started = time.perf_counter()
        optimise(training, batch)
        times.append(time.perf_counter() - started)
    return statistics.median(times[2:])


def measure(images: ImageSource, rounds: int) -> tuple[float, float]:
    """Median images per second of ours and of a plain array, in turns."""
    decoded = torch.empty(IMAGES, *images.image_shape).uniform_()
    generator = torch.Generator().manual_seed(0)
    rates: tuple[list[float], list[float]] = ([], [])
    for i in range(rounds):
        random = np.random.RandomState(i)
        rows = torch.from_numpy(random.randint(IMAGES, size=(BATCHES, BATCH)))
        rates[0].append(images_per_second(lambda batch: images.read(batch, generator), rows))
        rates[1].append(images_per_second(lambda batch: decoded[batch], rows))
    return statistics.median(rates[0]), statistics.median(rates[1])


def main(rounds: int) -> None:
    fix_rounding(1)
    print(f"{'dataset':26}{'ours, images/s':>16}{'plain':>12}{'ours / plain':>14}", end="")
    print(f"{'memory':>9}{'share of a step':>17}")
    with tempfile.TemporaryDirectory() as folder:
        for name, images in contenders(Path(folder)).items():
            ours, plain = measure(images, rounds)
            memory = images.images.about.bytes_per_image / (4 * np.prod(images.image_shape))
            share = BATCH / ours / seconds_per_step(images)
            print(f"{name:26}{ours:16,.0f}{plain:12,.0f}{ours / plain:14.2f}", end="")
            print(f"{'1/' + str(round(1 / memory)):>9}{share:17.1%}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    main(parser.parse_args().rounds)

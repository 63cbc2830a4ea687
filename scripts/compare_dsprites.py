"""How far re-rendered dSprites are from the original file, image by image.

python scripts/compare_dsprites.py data/dsprites_ndarray_co1sh3sc6or40x32y32_64x64.npz
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from latents.datasets import dsprites
from latents.problem import Problem
from latents.twins.dsprites import render

SHOWN = 10


def compare(path: Path) -> str:
    """One line of totals, then the images that differ most."""
    original = np.concatenate(list(dsprites.read_original([path])[1]))
    pixels = np.bitwise_count(original ^ render()).sum(axis=1)
    differing = np.flatnonzero(pixels)
    lines = [
        f"{len(differing)} of {len(pixels)} images differ from {path}, "
        f"in {pixels.sum()} of {pixels.size * 64 * 64} pixels"
    ]
    for row in differing[np.argsort(-pixels[differing], kind="stable")][:SHOWN]:
        factors = dsprites.GRID.factors(np.array([row]))[0]
        where = ", ".join(f"{n} {v}" for n, v in zip(dsprites.GRID.names, factors, strict=True))
        lines.append(f"  image {row} ({where}): {pixels[row]} pixels")
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compare re-rendered dSprites with the original.")
    parser.add_argument("original", type=Path, help="the published npz or hdf5 file")
    try:
        print(compare(parser.parse_args().original))
    except Problem as problem:
        sys.exit(str(problem))

"""The reader of smallNORB, on small files in the true format, and on broken ones."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from latents.data.readers import smallnorb
from latents.runtime.errors import Problem
from tests.unit.data.small_originals import small, stored

RANDOM = np.random.RandomState(0)


def matrix(values: np.ndarray, magic: int, sizes: tuple[int, ...] | None = None) -> bytes:
    """NORB's own format: magic, dimensions, at least three sizes, values."""
    sizes = values.shape if sizes is None else sizes
    filled = [*sizes, *[1] * (3 - len(sizes))]
    head = np.array([magic, len(sizes), *filled], dtype="<i4")
    return head.tobytes() + values.tobytes()


BYTE, INTEGER, FLOAT, DOUBLE = 507333717, 507333716, 507333713, 507333715
NORB = (5, 2, 3, 2, 2)  # categories, instances, elevations, azimuths, lightings


@pytest.fixture
def norb(monkeypatch, tmp_path) -> dict[str, bytes]:
    """Both sets, shuffled, each picture's grey being its row in the grid."""
    grid = small(monkeypatch, smallnorb, NORB)
    monkeypatch.setattr(smallnorb, "PAIRS", grid.images // 2)
    order = RANDOM.permutation(grid.images)
    files = {}
    for kind, rows in zip(("training", "testing"), np.split(order, 2), strict=True):
        factors = grid.values_at(rows).astype("<i4")
        pictures = np.zeros((len(rows), 2, 96, 96), np.uint8)
        pictures[:, 0] = rows[:, None, None]  # left camera
        pictures[:, 1] = 255
        info = np.stack([factors[:, 1], factors[:, 2], 2 * factors[:, 3], factors[:, 4]], axis=1)
        files[f"smallnorb-{kind}-dat.mat.gz"] = matrix(pictures, BYTE)
        files[f"smallnorb-{kind}-cat.mat.gz"] = matrix(factors[:, 0].copy(), INTEGER)
        files[f"smallnorb-{kind}-info.mat.gz"] = matrix(info.astype("<i4"), INTEGER)
    return files


def write_norb(folder: Path, files: dict[str, bytes]) -> list[Path]:
    for name, content in files.items():
        (folder / name).write_bytes(gzip.compress(content))
    return sorted(folder / name for name in files)


def test_norb_headers_have_the_documented_lengths(norb):
    assert len(norb["smallnorb-training-cat.mat.gz"]) == 20 + 4 * 60
    assert len(norb["smallnorb-training-dat.mat.gz"]) == 24 + 60 * 2 * 96 * 96


def test_norb_pictures_come_to_their_factors(norb, tmp_path):
    about, pixels = stored(tmp_path, smallnorb.read_original(write_norb(tmp_path, norb)))
    assert about.image_shape == (1, 64, 64)
    assert (pixels == np.arange(120)[:, None]).all()


CAT, INFO, DAT = (f"smallnorb-training-{part}.mat.gz" for part in ("cat", "info", "dat"))
BROKEN_NORB = {
    "magic": (CAT, lambda b: b"\0\0\0\0" + b[4:], "no NORB matrix: it begins with 0"),
    "type": (CAT, lambda b: FLOAT.to_bytes(4, "little") + b[4:], "is float32 of"),
    "double": (CAT, lambda b: DOUBLE.to_bytes(4, "little") + b[4:], "is float64 of"),
    "size": (INFO, lambda b: b[:8] + (7).to_bytes(4, "little") + b[12:], r"of \(7, 4\)"),
    "short": (DAT, lambda b: b[:-1], "truncated"),
    "long": (DAT, lambda b: b + b"x", "longer than its header says"),
    "header": (DAT, lambda b: b[:6], "truncated"),
    "factor": (INFO, lambda b: b[:-4] + (99).to_bytes(4, "little"), "outside of the grid"),
    "twice": (INFO, lambda b: b[:20] + b[36:52] + b[36:], "missing or there twice"),
}


@pytest.mark.parametrize("case", BROKEN_NORB)
def test_broken_norb(case, norb, tmp_path):
    name, change, message = BROKEN_NORB[case]
    files = write_norb(tmp_path, {**norb, name: change(norb[name])})
    with pytest.raises(Problem, match=message):
        stored(tmp_path, smallnorb.read_original(files))


@pytest.mark.parametrize("damage", ["cut", "plain"])
def test_norb_files_that_are_no_gzip(damage, norb, tmp_path):
    files = write_norb(tmp_path, norb)
    whole = (tmp_path / CAT).read_bytes()
    (tmp_path / CAT).write_bytes(whole[:-9] if damage == "cut" else norb[CAT])
    with pytest.raises(Problem, match="not a readable gzip file"):
        stored(tmp_path, smallnorb.read_original(files))

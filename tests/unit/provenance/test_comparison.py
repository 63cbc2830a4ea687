"""When two files of one artefact agree, and what is said where they do not."""

from pathlib import Path

import h5py
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from latents.figures.style import save_pdf, save_png
from latents.models.checkpoint import write_checkpoint
from latents.provenance.comparison import DIVERGES, IDENTICAL, WITHIN, compare


def two(folder: Path, name: str, write, *contents) -> tuple[Path, Path]:
    paths = folder / "a" / name, folder / "b" / name
    for path, content in zip(paths, contents, strict=True):
        path.parent.mkdir()
        write(path, content)
    return paths


@pytest.mark.parametrize(
    ("other", "verdict", "said"),
    [
        ("x,y\na,100\nb,\n", IDENTICAL, ""),
        ("x,y\na,100.00001\nb,\n", WITHIN, "column y differs by up to 1e-05"),
        ("x,y\na,100.1\nb,\n", DIVERGES, "column y differs by up to 0.1, 0.001 of its largest"),
        ("x,y\na,100\nb,1\n", DIVERGES, "column y differs (tolerance"),
        ("x,y\na,100\nc,\n", DIVERGES, "column x differs (tolerance"),
        ("x,y\na,100\n", DIVERGES, "column x is (2,), then (1,)"),
        ("x,z\na,100\nb,\n", DIVERGES, "column y is in one of them only"),
        ("x,y\na,text\nb,\n", DIVERGES, "column y differs"),
    ],
)
def test_tables_column_by_column(other, verdict, said, tmp_path):
    paths = two(tmp_path, "t.csv", Path.write_text, "x,y\na,100\nb,\n", other)
    found = compare(*paths, tolerance=1e-6)
    assert found.verdict == verdict
    assert said in found.detail


def test_what_is_zero_but_for_rounding_is_measured_by_what_stands_beside_it(tmp_path):
    paths = two(tmp_path, "t.csv", Path.write_text, "x\n1\n1e-18\n", "x\n1\n-3e-17\n")
    assert compare(*paths, tolerance=1e-9).verdict == WITHIN


def write_h5(path: Path, content: tuple[np.ndarray, str]) -> None:
    with h5py.File(path, "w") as file:
        file["group/mean"] = content[0]
        file["one"] = 3
        file.attrs["description"] = content[1]


@pytest.mark.parametrize(
    ("change", "description", "verdict", "said"),
    [
        (0.0, '{"record": "00000000000000ff"}', WITHIN, "differs by up to 0"),
        (1e-6, '{"record": "0123456789abcdef"}', WITHIN, "dataset group/mean differs by up to"),
        (
            0.5,
            '{"record": "0123456789abcdef"}',
            DIVERGES,
            "dataset group/mean differs by up to 0.5",
        ),
        (0.0, '{"source": "another"}', DIVERGES, "attribute description differs"),
    ],
)
def test_hdf5_by_dataset_without_the_identifier(change, description, verdict, said, tmp_path):
    values = np.random.RandomState(0).randn(5000, 2)
    other = values.copy()
    other[4999, 1] += change  # beyond the first block
    contents = (values, '{"record": "0123456789abcdef"}'), (other, description)
    found = compare(*two(tmp_path, "r.h5", write_h5, *contents), tolerance=1e-4)
    assert found.verdict == verdict
    assert said in found.detail


def test_whole_numbers_of_images_must_be_equal(tmp_path):
    images = np.full((3, 4), 255, np.uint8)
    contents = (images, ""), (images - np.eye(3, 4, dtype=np.uint8), "")
    assert compare(*two(tmp_path, "d.h5", write_h5, *contents), tolerance=1e-4).verdict == DIVERGES


@pytest.mark.parametrize(("factor", "verdict"), [(1 + 1e-5, WITHIN), (1.1, DIVERGES)])
def test_checkpoints_by_tensor(factor, verdict, tmp_path):
    weights = torch.ones(3, 2)
    contents = [
        ({"w": w}, {"record": k * 16}) for w, k in ((weights, "a"), (weights * factor, "b"))
    ]
    paths = two(tmp_path, "m.safetensors", lambda p, c: write_checkpoint(p, *c), *contents)
    found = compare(*paths, tolerance=1e-2)
    assert found.verdict == verdict
    assert "tensor w differs" in found.detail


@pytest.mark.parametrize("suffix", ["png", "pdf"])
def test_pictures_are_the_same_up_to_their_identifier(suffix, tmp_path):
    figure, axis = plt.subplots()
    axis.plot([1, 2])

    def save(path: Path, key: str) -> None:
        if suffix == "png":
            save_png(figure, path, key=key)
        else:
            save_pdf(figure, path, title="β", key=key)

    paths = two(tmp_path, f"f.{suffix}", save, "0123456789abcdef", "fedcba9876543210")
    assert compare(*paths, tolerance=0).detail == "the same up to its identifier"
    axis.plot([2, 1])
    save(paths[1], "0123456789abcdef")
    assert compare(*paths, tolerance=0).verdict == DIVERGES
    plt.close(figure)

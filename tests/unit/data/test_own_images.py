"""Readers of images of one's own, and what they refuse."""

from pathlib import Path

import h5py
import numpy as np
import pytest
from PIL import Image

from latents.data.factors import FactorGrid, FactorTable, name_value
from latents.data.readers import own_folder, own_hdf5
from latents.figures.contact_sheet import plan_strips
from latents.runtime.errors import Problem
from tests.unit.data.small_originals import stored

RANDOM = np.random.RandomState(0)


def write_own(path: Path, images: np.ndarray, factors: np.ndarray, names=None) -> Path:
    with h5py.File(path, "w") as file:
        file["images"] = images
        file["factors"] = factors
        if names is not None:
            file["factors"].attrs["names"] = names
    return path


def test_own_images_on_a_grid_are_sorted_into_it(tmp_path):
    grid = FactorGrid(("size", "hue"), (3, 4), (0,))
    order = RANDOM.permutation(12)
    images = np.broadcast_to(order[:, None, None].astype(np.uint8), (12, 64, 64))
    factors = grid.values_at(order) * [10, 5]
    path = write_own(tmp_path / "o.h5", images, factors, ["size", "hue"])
    about, pixels = stored(tmp_path, own_hdf5.read_original([path], nuisances=["hue"]))
    assert about.factors == grid
    assert (pixels == np.arange(12)[:, None]).all()


def test_own_images_that_fill_no_grid_keep_their_order(tmp_path):
    images = RANDOM.randint(256, size=(7, 32, 32, 3)).astype(np.uint8)
    factors = RANDOM.randint(3, size=(7, 2))
    path = write_own(tmp_path / "o.h5", images, factors)
    about, pixels = stored(tmp_path, own_hdf5.read_original([path], nuisances=[]))
    assert isinstance(about.factors, FactorTable)
    assert about.factors.names == ("factor 1", "factor 2")
    numbered = [np.unique(column, return_inverse=True)[1] for column in factors.T]
    assert (numbered == about.factors.values.T).all()
    shrunk = Image.fromarray(images[3]).resize((64, 64), Image.Resampling.LANCZOS)
    assert (pixels[3].reshape(3, 64, 64) == np.asarray(shrunk).transpose(2, 0, 1)).all()


@pytest.mark.parametrize("kind", ["float", "bool"])
def test_own_images_as_numbers_between_0_and_1(kind, tmp_path):
    images = RANDOM.randint(2, size=(5, 64, 64)).astype(kind)
    path = write_own(tmp_path / "o.h5", images, np.arange(5)[:, None])
    _, pixels = stored(tmp_path, own_hdf5.read_original([path], nuisances=[]))
    assert (pixels.reshape(5, 64, 64) == 255 * images.astype(np.uint8)).all()


OWN = np.zeros((4, 64, 64), np.uint8)
BROKEN_OWN = {
    "count": (OWN, np.zeros((3, 1)), None, [], "factors is of .* but there are 4 images"),
    "channels": (np.zeros((4, 8, 8, 2), np.uint8), np.zeros((4, 1)), None, [], "1 or 3 channels"),
    "range": (OWN + 2.0, np.zeros((4, 1)), None, [], r"neither bytes nor numbers in \[0, 1\]"),
    "type": (OWN.astype(int), np.zeros((4, 1)), None, [], "images is int64"),
    "nan": (OWN, np.full((4, 1), np.nan), None, [], "not finite"),
    "names": (OWN, np.zeros((4, 2)), ["a"], [], "1 names for 2 factors"),
    "nuisance": (OWN, np.zeros((4, 1)), ["a"], ["b"], "no factor b to be a nuisance"),
    "none left": (OWN, np.zeros((4, 1)), ["a"], ["a"], "no factor is left as ground truth"),
}


@pytest.mark.parametrize("case", BROKEN_OWN)
def test_broken_own_images(case, tmp_path):
    images, factors, names, nuisances, message = BROKEN_OWN[case]
    path = write_own(tmp_path / "o.h5", images, factors, names)
    with pytest.raises(Problem, match=message):
        stored(tmp_path, own_hdf5.read_original([path], nuisances=nuisances))


@pytest.fixture
def folder(tmp_path) -> Path:
    rows = ["file,shape,size"]
    for i, (shape, size) in enumerate([("star", 2), ("box", 1), ("star", 1), ("box", 2)]):
        Image.fromarray(np.full((64, 64), 10 * i, np.uint8)).save(tmp_path / f"{i}.png")
        rows.append(f"{i}.png,{shape},{size}")
    (tmp_path / "factors.csv").write_text("\n".join(rows))
    return tmp_path


def test_a_folder_of_pictures(folder):
    made = own_folder.read_original([folder / "factors.csv"], nuisances=[])
    about, pixels = stored(folder, made)
    words = (("box", "star"), ())
    assert about.factors == FactorGrid(("shape", "size"), (2, 2), (0, 1), words)
    assert [name_value(about.factors, 0, value) for value in (0, 1)] == ["box", "star"]
    assert [name_value(about.factors, 1, value) for value in (0, 1)] == ["0", "1"]
    assert pixels[:, 0].tolist() == [10, 30, 20, 0]  # box 1, box 2, star 1, star 2


def test_words_of_pictures_that_fill_no_grid_are_kept(folder):
    (folder / "factors.csv").write_text("file,shape\n0.png,star\n1.png,box\n2.png,star")
    about, _ = stored(folder, own_folder.read_original([folder / "factors.csv"]))
    assert isinstance(about.factors, FactorTable)
    assert about.factors.words == (("box", "star"),)
    assert [strip.captions for strip in plan_strips(about.factors, repeat=False)] == [
        ["box", "star"]
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,a\n0.png,1", "needs a column file"),
        ("file\n0.png", "at least one factor"),
        ("file,a\n0.png,", "empty fields"),
        ("file,a\n9.png,1", r"9\.png is not a readable picture"),
        ("", "not a readable table"),
    ],
)
def test_broken_listings(text, message, folder):
    (folder / "factors.csv").write_text(text)
    with pytest.raises(Problem, match=message):
        stored(folder, own_folder.read_original([folder / "factors.csv"], nuisances=[]))


def test_a_picture_of_sixteen_bits_is_refused(folder):
    Image.fromarray(np.zeros((64, 64), np.uint16)).save(folder / "1.png")
    with pytest.raises(Problem, match=r"1\.png is a picture of mode I;16"):
        stored(folder, own_folder.read_original([folder / "factors.csv"], nuisances=[]))

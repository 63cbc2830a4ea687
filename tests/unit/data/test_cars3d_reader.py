"""The reader of cars3D, on small archives in the true format, and on broken ones."""

import io
import os
import tarfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy.io import savemat

from latents.data.readers import cars3d
from latents.runtime.errors import Problem
from tests.unit.data.small_originals import small, stored

RANDOM = np.random.RandomState(0)


def mat(views: np.ndarray, name: str = "im") -> bytes:
    buffer = io.BytesIO()
    savemat(buffer, {name: views})
    return buffer.getvalue()


def write_tar(path: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def views_of(car: int) -> np.ndarray:
    """Flat pictures whose colour tells car, azimuth and elevation."""
    views = np.empty(cars3d.STORED, np.uint8)
    views[:, :, 0] = 10 * car
    views[:, :, 1] = np.arange(24)[:, None]
    views[:, :, 2] = np.arange(4)
    return views


@pytest.fixture
def three_cars(monkeypatch) -> dict[str, bytes]:
    small(monkeypatch, cars3d, (4, 24, 3))
    monkeypatch.setattr(cars3d, "CARS", 3)
    names = {2: "data/cars/car_b.mat", 1: "data/cars/car_a.mat", 3: "data/cars/car_c.mat"}
    made = {name: mat(views_of(car)) for car, name in names.items()}
    return {"data/sprites/other.mat": b"not ours", "data/cars/list.txt": b"car_a\n", **made}


def test_cars_are_in_the_order_of_their_names_and_views(three_cars, tmp_path):
    path = write_tar(tmp_path / "cars.tar.gz", three_cars)
    about, pixels = stored(tmp_path, cars3d.read_original([path]))
    assert about.image_shape == (3, 64, 64)
    images = pixels.reshape(4, 24, 3, 3, 64, 64)
    for elevation, azimuth, car in ((0, 0, 0), (3, 23, 2), (2, 5, 1)):
        image = images[elevation, azimuth, car]
        assert image.reshape(3, -1).T.tolist() == [[10 * (car + 1), azimuth, elevation]] * 4096


def test_cars_are_shrunk_by_pillows_lanczos(three_cars, tmp_path):
    views = RANDOM.randint(256, size=cars3d.STORED).astype(np.uint8)
    path = write_tar(tmp_path / "cars.tar.gz", {**three_cars, "data/cars/car_a.mat": mat(views)})
    _, pixels = stored(tmp_path, cars3d.read_original([path]))
    picture = Image.fromarray(np.ascontiguousarray(views[..., 7, 1]))
    picture.thumbnail((64, 64), Image.Resampling.LANCZOS)
    found = pixels.reshape(4, 24, 3, 3, 64, 64)[1, 7, 0]
    assert (found.transpose(1, 2, 0) == np.asarray(picture)).all()


BROKEN_CARS = {
    "outside": (lambda m: {**m, "../x": b"evil"}, r"member \.\./x leaves the archive"),
    "absolute": (lambda m: {**m, "/etc/x": b"evil"}, "leaves the archive"),
    "few": (lambda m: {k: v for k, v in m.items() if "car_b" not in k}, "2 cars .* not 3"),
    "shape": (lambda m: {**m, "d/cars/car_a.mat": mat(np.zeros((2, 2), np.uint8))}, "im is uint8"),
    "name": (lambda m: {**m, "d/cars/car_a.mat": mat(views_of(1), "xx")}, "readable MATLAB"),
    "cut": (lambda m: {**m, "d/cars/car_a.mat": mat(views_of(1))[:5000]}, "readable MATLAB"),
    "junk": (lambda m: {**m, "d/cars/car_a.mat": b"x" * 300}, "car_a.mat is not a readable"),
    "large": (lambda m: {**m, "d/cars/x.mat": b"x" * 2000}, "has 2000 bytes"),
}


@pytest.mark.parametrize("case", BROKEN_CARS)
def test_broken_cars(case, three_cars, tmp_path, monkeypatch):
    change, message = BROKEN_CARS[case]
    if case == "large":
        monkeypatch.setattr(cars3d, "LARGEST", 1000)
        three_cars = {}
    path = write_tar(tmp_path / "cars.tar.gz", change(three_cars))
    before = sorted(os.listdir(tmp_path.parent))
    with pytest.raises(Problem, match=message):
        stored(tmp_path, cars3d.read_original([path]))
    assert sorted(os.listdir(tmp_path.parent)) == before
    assert not (tmp_path / "made.h5").exists()


def test_a_cut_tar(three_cars, tmp_path):
    path = write_tar(tmp_path / "cars.tar.gz", three_cars)
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(Problem, match=r"cars\.tar\.gz"):
        stored(tmp_path, cars3d.read_original([path]))

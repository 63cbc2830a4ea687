"""Readers of the original files, on small files in the true formats, and on broken ones."""

import gzip
import io
import os
import pickle
import tarfile
import zipfile
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch
from PIL import Image
from scipy.io import savemat

from latents.datasets import (
    cars3d,
    dsprites,
    faces3d,
    mpi3d_toy,
    own_folder,
    own_hdf5,
    scream_dsprites,
    shapes3d,
    smallnorb,
)
from latents.factors import FactorGrid, FactorTable
from latents.images import read_images, write_images
from latents.problem import Problem

RANDOM = np.random.RandomState(0)


class Boom:
    """Unpickling it would leave a file behind."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def small(monkeypatch, module, sizes: tuple[int, ...]) -> FactorGrid:
    """The module's grid with fewer values, and what it derives from it."""
    grid = FactorGrid(module.GRID.names, sizes, module.GRID.latent)
    monkeypatch.setattr(module, "GRID", grid)
    if hasattr(module, "STORED") and module is not cars3d:
        monkeypatch.setattr(module, "STORED", (grid.images, *module.STORED[1:]))
    return grid


def stored(tmp_path: Path, made) -> tuple:
    write_images(tmp_path / "made.h5", *made)
    return read_images(tmp_path / "made.h5")


def npy(array: np.ndarray, header: str | None = None) -> bytes:
    """An array as .npy; `header` replaces the one that NumPy would write."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=True)
    if header is None:
        return buffer.getvalue()
    text = header.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + array.tobytes()


def write_npz(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return path


# dSprites


@pytest.fixture
def sprites(monkeypatch) -> np.ndarray:
    grid = small(monkeypatch, dsprites, (1, 3, 2, 2, 2, 2))
    return RANDOM.randint(2, size=(grid.images, 64, 64)).astype(np.uint8)


def test_dsprites_npz_as_python_2_wrote_it(sprites, tmp_path):
    """Its header has long integers, and its metadata is a pickle that must never be read."""
    shape = f"({len(sprites)}L, 64L, 64L)"
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': " + shape + ", }"
    metadata = npy(np.array(Boom(tmp_path / "ran"), dtype=object))
    path = write_npz(tmp_path / "d.npz", imgs=npy(sprites, header), metadata=metadata)
    about, bits = stored(tmp_path, dsprites.read_original([path]))
    assert about.binary
    assert about.source == "dSprites, original file"
    assert (np.unpackbits(bits, axis=1).reshape(sprites.shape) == sprites).all()
    assert not (tmp_path / "ran").exists()


def test_dsprites_hdf5(sprites, tmp_path):
    with h5py.File(tmp_path / "d.hdf5", "w") as file:
        file["imgs"] = sprites
    _, bits = stored(tmp_path, dsprites.read_original([tmp_path / "d.hdf5"]))
    assert (np.unpackbits(bits, axis=1).reshape(sprites.shape) == sprites).all()


def test_a_pickled_payload_is_refused_and_not_run(sprites, tmp_path):
    array = np.array([Boom(tmp_path / "ran")] * 3, dtype=object)
    path = write_npz(tmp_path / "d.npz", imgs=npy(array))
    with pytest.raises(Problem, match="imgs holds pickled objects, which are never loaded"):
        stored(tmp_path, dsprites.read_original([path]))
    assert not (tmp_path / "ran").exists()


BROKEN_NPZ = {
    "missing": ({"other": lambda s: npy(s)}, "not a readable npz file with imgs"),
    "shape": ({"imgs": lambda s: npy(s[:-1])}, "imgs is uint8 of .* not uint8 of"),
    "type": ({"imgs": lambda s: npy(s.astype(np.int32))}, "imgs is int32"),
    "order": ({"imgs": lambda s: npy(np.asfortranarray(s))}, "imgs is uint8"),
    "values": ({"imgs": lambda s: npy(s * 3)}, "other values than 0 and 1"),
    "truncated": ({"imgs": lambda s: npy(s)[:-10]}, "truncated"),
    "magic": ({"imgs": lambda s: b"\x93NUMPX" + npy(s)[6:]}, "not a readable npz"),
    "version": ({"imgs": lambda s: b"\x93NUMPY\x09" + npy(s)[7:]}, "npy format"),
}


@pytest.mark.parametrize("case", BROKEN_NPZ)
def test_broken_npz(case, sprites, tmp_path):
    members, message = BROKEN_NPZ[case]
    made = {name: content(sprites) for name, content in members.items()}
    path = write_npz(tmp_path / "d.npz", **made)
    with pytest.raises(Problem, match=message):
        stored(tmp_path, dsprites.read_original([path]))


@pytest.mark.parametrize("keep", [0, 10, 0.5, 0.99])
def test_cut_archives(keep, sprites, tmp_path):
    path = write_npz(tmp_path / "d.npz", imgs=npy(sprites))
    whole = path.read_bytes()
    path.write_bytes(whole[: int(keep * len(whole)) if keep < 1 else keep])
    with pytest.raises(Problem, match="not a readable npz"):
        stored(tmp_path, dsprites.read_original([path]))


def test_flipped_bytes_inside_an_archive_are_noticed(sprites, tmp_path):
    path = write_npz(tmp_path / "d.npz", imgs=npy(sprites))
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(Problem, match=r"d\.npz"):
        stored(tmp_path, dsprites.read_original([path]))


# cars3D


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


# smallNORB


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
        factors = grid.factors(rows).astype("<i4")
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


# shapes3D, MPI3D, faces


def test_shapes3d(monkeypatch, tmp_path):
    grid = small(monkeypatch, shapes3d, (2, 1, 3, 1, 2, 2))
    images = RANDOM.randint(256, size=(grid.images, 64, 64, 3)).astype(np.uint8)
    with h5py.File(tmp_path / "3dshapes.h5", "w") as file:
        file["images"] = images
        file["labels"] = np.zeros((grid.images, 6))
    _, pixels = stored(tmp_path, shapes3d.read_original([tmp_path / "3dshapes.h5"]))
    assert (pixels.reshape(-1, 3, 64, 64) == images.transpose(0, 3, 1, 2)).all()
    with h5py.File(tmp_path / "3dshapes.h5", "w") as file:
        file["images"] = images[:-1]
    with pytest.raises(Problem, match="images is uint8 of"):
        stored(tmp_path, shapes3d.read_original([tmp_path / "3dshapes.h5"]))
    (tmp_path / "3dshapes.h5").write_bytes(b"nothing")
    with pytest.raises(Problem, match="not a readable shapes3D file"):
        stored(tmp_path, shapes3d.read_original([tmp_path / "3dshapes.h5"]))


@pytest.mark.parametrize("shape", ["flat", "grid"])
def test_mpi3d(shape, monkeypatch, tmp_path):
    grid = small(monkeypatch, mpi3d_toy, (2, 1, 2, 1, 1, 2, 3))
    images = RANDOM.randint(256, size=(grid.images, 64, 64, 3)).astype(np.uint8)
    saved = images if shape == "flat" else images.reshape(*grid.sizes, 64, 64, 3)
    np.savez_compressed(tmp_path / "mpi.npz", images=saved)
    _, pixels = stored(tmp_path, mpi3d_toy.read_original([tmp_path / "mpi.npz"]))
    assert (pixels.reshape(-1, 3, 64, 64) == images.transpose(0, 3, 1, 2)).all()


@pytest.fixture
def faces(monkeypatch) -> torch.Tensor:
    small(monkeypatch, faces3d, (2, 3, 2, 2))
    pixels = RANDOM.randint(256, size=(2, 3, 2, 2, 64, 64)).astype(np.uint8)
    return torch.from_numpy(pixels)


@pytest.mark.parametrize("legacy", [False, True])
def test_faces_as_torch_saves_them(legacy, faces, tmp_path):
    path = tmp_path / "f.pth"
    torch.save(faces, path, _use_new_zipfile_serialization=not legacy)
    about, pixels = stored(tmp_path, faces3d.read_original([path]))
    assert about.source == "3D faces, the user's renders"
    assert (pixels == faces.numpy().reshape(24, -1)).all()


def test_a_tensor_file_that_wants_to_run_code_is_refused(faces, tmp_path):
    path = tmp_path / "f.pth"
    torch.save(Boom(tmp_path / "ran"), path)
    with pytest.raises(Problem, match="not a readable file of one tensor"):
        faces3d.read_original([path])
    path.write_bytes(pickle.dumps(Boom(tmp_path / "ran")))
    with pytest.raises(Problem, match="not a readable file of one tensor"):
        faces3d.read_original([path])
    assert not (tmp_path / "ran").exists()


def test_broken_faces(faces, tmp_path):
    path = tmp_path / "f.pth"
    torch.save(faces.float(), path)
    with pytest.raises(Problem, match="is float32 of"):
        faces3d.read_original([path])
    torch.save({"faces": faces}, path)
    with pytest.raises(Problem, match="holds a dict, not one tensor"):
        faces3d.read_original([path])
    torch.save(faces, path)
    path.write_bytes(path.read_bytes()[:-500])
    with pytest.raises(Problem, match="not a readable file of one tensor"):
        faces3d.read_original([path])


# The scream


def test_the_picture_is_shrunk_into_its_box(tmp_path):
    Image.fromarray(RANDOM.randint(256, size=(900, 700, 3)).astype(np.uint8)).save(
        tmp_path / "s.png"
    )
    about, pixels = stored(tmp_path, scream_dsprites.read_original([tmp_path / "s.png"]))
    assert about.image_shape == (3, 274, 213)
    assert pixels.shape == (1, 3 * 274 * 213)
    assert about.source == "background s.png"
    (tmp_path / "s.png").write_bytes((tmp_path / "s.png").read_bytes()[:2000])
    with pytest.raises(Problem, match="not a readable picture"):
        scream_dsprites.read_original([tmp_path / "s.png"])


# Images of one's own


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
    factors = grid.factors(order) * [10, 5]
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
    assert about.factors == FactorGrid(("shape", "size"), (2, 2), (0, 1))
    assert pixels[:, 0].tolist() == [10, 30, 20, 0]  # box 1, box 2, star 1, star 2


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

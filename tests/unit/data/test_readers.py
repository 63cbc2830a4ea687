"""The readers of shapes3D, MPI3D, faces and the scream, on small files and on broken ones."""

import pickle

import h5py
import numpy as np
import pytest
import torch
from PIL import Image

from latents.data.readers import faces3d, mpi3d_toy, scream_dsprites, shapes3d
from latents.runtime.errors import Problem
from tests.unit.data.small_originals import Boom, small, stored

RANDOM = np.random.RandomState(0)


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

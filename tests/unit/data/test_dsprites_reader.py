"""The reader of dSprites, on small files in the true format, and on broken ones."""

import io
import zipfile
from pathlib import Path

import h5py
import numpy as np
import pytest

from latents.data.readers import dsprites
from latents.runtime.errors import Problem
from tests.unit.data.small_originals import Boom, small, stored

RANDOM = np.random.RandomState(0)


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

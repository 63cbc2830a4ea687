"""The comparison of re-rendered dSprites with the original file counts what differs."""

import numpy as np

from latents.commands.compare_dsprites import compare


def test_differing_images_and_pixels_are_counted(monkeypatch, tmp_path):
    ours = np.random.RandomState(0).randint(256, size=(737_280 // 64, 512)).astype(np.uint8)
    original = ours.copy()
    original[7, 3] ^= 0b101
    original[9, 0] ^= 0b1
    monkeypatch.setattr("latents.data.twins.dsprites.render", lambda: ours)
    halves = iter(np.split(original, 2))
    monkeypatch.setattr("latents.data.readers.dsprites.read_original", lambda files: (None, halves))
    lines = list(compare(tmp_path / "d.npz"))
    assert lines[0].startswith("2 of 11520 images differ")
    assert "in 3 of 47185920 pixels" in lines[0]
    assert lines[1].strip().startswith("image 7 ")
    assert lines[1].endswith("x 0, y 7): 2 pixels")
    assert len(lines) == 3

"""Representations made elsewhere: every format, and one clear sentence for what is wrong."""

import h5py
import numpy as np
import pandas as pd
import pytest

from latents.evaluation.user_representation import read_own
from latents.runtime.errors import Problem

RANDOM = np.random.RandomState(0)
MEAN = RANDOM.randn(100, 3)
LOGVAR = RANDOM.randn(100, 3) - 2
FACTORS = np.stack([np.arange(100) % 4, np.arange(100) % 3], axis=1)


def save(path, **arrays):
    if path.suffix == ".npz":
        np.savez(path, **arrays)
    elif path.suffix == ".h5":
        with h5py.File(path, "w") as file:
            for name, array in arrays.items():
                file[name] = array
    else:
        columns = {
            f"{field}_{j + 1}": array[:, j]
            for field, array in arrays.items()
            if field != "factors"
            for j in reversed(range(array.shape[1]))
        }
        factors = arrays.get("factors", FACTORS[:, :0])
        columns |= {f"f{k}": column for k, column in enumerate(factors.T)}
        pd.DataFrame(columns).to_csv(path, index=False)
    return path


@pytest.mark.parametrize("suffix", [".npz", ".h5", ".csv"])
@pytest.mark.parametrize("field", ["variance", "logvar"])
def test_every_format(suffix, field, tmp_path):
    given = {field: LOGVAR if field == "logvar" else np.exp(LOGVAR)}
    path = save(tmp_path / f"mine{suffix}", mean=MEAN, factors=FACTORS, **given)
    made, names, notes = read_own(path)
    assert made.mean == pytest.approx(MEAN, abs=1e-5)
    assert made.variance == pytest.approx(np.exp(LOGVAR), rel=1e-5)
    assert (made.factors == FACTORS).all()
    assert len(names) == 2
    noise = (made.sampled - made.mean) / np.sqrt(made.variance)
    assert noise.std() == pytest.approx(1, abs=0.15)
    assert notes == ["sampled was not given: one sample per example was drawn from the posterior"]


def test_without_factors_and_with_samples(tmp_path):
    path = save(tmp_path / "m.npz", mean=MEAN, logvar=LOGVAR, sampled=MEAN + 1)
    made, names, notes = read_own(path)
    assert (made.factors.shape, names) == ((100, 0), ())
    assert made.sampled == pytest.approx(MEAN + 1, abs=1e-5)
    assert notes == ["factors were not given"]


def test_what_is_odd_is_told(tmp_path):
    mean = MEAN.copy()
    mean[:, 1] = 4
    factors = np.stack([np.arange(100), np.zeros(100), FACTORS[:, 0]], axis=1)
    path = save(tmp_path / "m.npz", mean=mean, logvar=LOGVAR, factors=factors)
    made, names, notes = read_own(path)
    assert names == ("factor 3",)
    assert (made.factors[:, 0] == FACTORS[:, 0]).all()
    text = "; ".join(notes)
    assert "factor 1 was left out: it has 100 values, so it looks continuous" in text
    assert "factor 2 was left out: it never changes" in text
    assert "the mean of latent 1 never changes" in text


def changed(array, place, value):
    copy = array.astype(float)
    copy[place] = value
    return copy


BAD = {
    "no mean": ({"variance": MEAN}, "has no field mean"),
    "no variance": ({"mean": MEAN}, "neither variance nor logvar"),
    "nan": (
        {"mean": changed(MEAN, (4, 1), np.nan), "logvar": LOGVAR},
        "mean has 1 values that are not finite numbers, the first in example 4, latent 1",
    ),
    "infinite": (
        {"mean": MEAN, "variance": changed(MEAN**2, (0, 0), np.inf)},
        "variance has 1 values that are not finite numbers",
    ),
    "negative": (
        {"mean": MEAN, "variance": changed(MEAN**2, (7, 2), -1)},
        r"variance is negative in example 7, latent 2 .*is it logvar\?",
    ),
    "shape": ({"mean": MEAN, "logvar": LOGVAR[:, :2]}, r"logvar is of \(100, 2\), but mean of"),
    "few": ({"mean": MEAN[:9], "logvar": LOGVAR[:9]}, "at least 50 examples"),
    "flat": ({"mean": MEAN[:, 0], "logvar": LOGVAR[:, 0]}, r"not \(examples, latents\)"),
    "factors": (
        {"mean": MEAN, "logvar": LOGVAR, "factors": FACTORS[:50]},
        "factors is of .* but there are 100 examples",
    ),
    "empty factor": (
        {"mean": MEAN, "logvar": LOGVAR, "factors": changed(FACTORS, (3, 0), np.nan)},
        "the factor factor 1 has empty or NaN values",
    ),
    "text": ({"mean": MEAN.astype(str).astype("S9"), "logvar": LOGVAR}, None),
    "words": (
        {"mean": np.full((100, 3), "x"), "logvar": LOGVAR},
        "mean holds something other than numbers",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case, tmp_path):
    arrays, message = BAD[case]
    path = save(tmp_path / "m.npz", **arrays)
    if message is None:  # numbers as text are numbers
        assert read_own(path)[0].mean == pytest.approx(MEAN, abs=1e-4)
        return
    with pytest.raises(Problem, match=message):
        read_own(path)


def test_pickles_are_never_loaded(tmp_path):
    np.savez(tmp_path / "m.npz", mean=np.array([print], dtype=object), logvar=LOGVAR)
    with pytest.raises(Problem, match="not a readable"):
        read_own(tmp_path / "m.npz")


@pytest.mark.parametrize("suffix", [".npz", ".h5", ".csv", ".mat"])
def test_other_files(suffix, tmp_path):
    (tmp_path / f"m{suffix}").write_bytes(b"\x00nothing")
    with pytest.raises(Problem, match=f"m{suffix}"):
        read_own(tmp_path / f"m{suffix}")

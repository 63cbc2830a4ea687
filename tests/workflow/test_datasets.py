"""Datasets in the real workflow: originals, twins, variations, and images of one's own."""

import hashlib
import http.server
import os
import threading
from functools import partial
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest
from PIL import Image

from latents.data.images import read_images
from latents.evaluation.representation import read_representation
from tests.workflow.clones import SMALL, Clone, copy_of_project

CELL = """
mine:
  title: β-VAE on my images
  dataset: mine
  objective: beta_vae
  prior: standard_normal
  strength: beta
  strengths: [1]
  axis: Beta
"""
SCORES = "results/smoke/scores/mine/total_correlation.csv"
REPRESENTATION = "results/smoke/representations/mine/strength_1/seed_0.h5"
NAME = "mine.h5"


@pytest.fixture
def project(tmp_path: Path) -> Clone:
    return copy_of_project(tmp_path / "project")


def add_rows(project: Clone, dataset: str) -> None:
    for file, row in (("datasets", dataset), ("sweeps", CELL)):
        path = project.folder / "config" / f"{file}.yaml"
        path.write_text(path.read_text() + row)


def write_images(path: Path) -> None:
    """Bars in colour: height and brightness are the factors, in no order and on no grid."""
    random = np.random.RandomState(0)
    factors = random.randint(4, size=(60, 2))
    images = np.zeros((60, 64, 64, 3), np.uint8)
    for image, (height, brightness) in zip(images, factors, strict=True):
        image[: 16 * (height + 1)] = 60 * (brightness + 1)
    path.parent.mkdir(parents=True, exist_ok=True)
    with h5py.File(path, "w") as file:
        file["images"] = images
        file["factors"] = factors
        file["factors"].attrs["names"] = ["height", "brightness"]


def row(*, url: str = "", digest: str = "") -> str:
    """A dataset in HDF5: the user's, or with an address somebody else's."""
    more = f", url: {url}, digest: 'sha256:{digest}'" if url else ""
    return f"""
mine:
  title: my images
  reader: own_hdf5
  originals: [{{file: {NAME}{more}}}]
  options: {{nuisances: []}}
"""


def test_images_of_ones_own_go_through_the_whole_chain(project):
    add_rows(project, row())
    write_images(project.folder / "data" / NAME)
    project.build(targets=(SCORES, "figures/datasets/mine.pdf"))
    encoded, description = read_representation(project.folder / REPRESENTATION)
    about, _ = read_images(project.folder / "results/datasets/mine.h5")
    assert description["factors"] == ["height", "brightness"]
    assert (encoded.factors == about.factors.values[encoded.indices]).all()
    assert description["source"] == "own images (mine.h5)"
    table = pd.read_csv(project.folder / SCORES)
    assert set(table["source"]) == {"own images (mine.h5)"}
    assert not project.plan(targets=(SCORES,))

    (project.folder / "data" / NAME).touch()
    assert not project.plan(targets=(SCORES,))
    with h5py.File(project.folder / "data" / NAME, "r+") as file:
        file["images"][0] = 7
    os.utime(project.folder / "data" / NAME, (0, 0))  # as `mv` and `rsync` bring an old file
    assert project.plan(targets=(SCORES,))["train_model"] == 1
    (project.folder / "data" / NAME).unlink()
    done = project.snakemake(SCORES, "--cores", "1", "--config", *SMALL)
    assert done.returncode != 0
    assert "put data/mine.h5 there" in done.stderr


def test_a_folder_of_pictures_notices_a_changed_picture(project):
    folder = project.folder / "data" / "my pictures"
    folder.mkdir(parents=True)
    for i in range(6):
        Image.fromarray(np.full((64, 64), 40 * i, np.uint8)).save(folder / f"{i}.png")
    lines = ["file,grey", *(f"{i}.png,{i}" for i in range(6))]
    (folder / "factors.csv").write_text("\n".join(lines))
    add_rows(
        project,
        """
mine:
  title: my pictures
  reader: own_folder
  originals: [{file: my pictures/factors.csv}]
""",
    )
    prepared = "results/datasets/mine.h5"
    project.build(targets=(prepared,))
    assert read_images(project.folder / prepared)[0].factors.names == ("grey",)
    (folder / "3.png").touch()
    (folder / "notes.txt").write_text("not a picture")
    assert not project.plan(targets=(prepared,))
    Image.fromarray(np.full((64, 64), 255, np.uint8)).save(folder / "0.png")
    assert project.plan(targets=(prepared,)) == {"prepare_dataset": 1}


class Site:
    """A web site on loopback with the files of a folder."""

    def __init__(self, folder: Path) -> None:
        handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def test_an_original_is_downloaded_verified_and_then_left_in_peace(project, tmp_path, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    write_images(tmp_path / "site" / NAME)
    content = (tmp_path / "site" / NAME).read_bytes()
    site = Site(tmp_path / "site")
    digest = hashlib.sha256(content).hexdigest()
    add_rows(project, row(url=f"{site.address}/{NAME}", digest=digest))
    prepared, wish = ("results/datasets/mine.h5",), "data_source=original"
    missing = project.snakemake(*prepared, "--cores", "1", "--config", *SMALL)
    assert "put data/mine.h5 there or download with data_source=original" in missing.stderr

    project.build(*SMALL, wish, targets=prepared)
    assert (project.folder / "data" / NAME).read_bytes() == content
    assert not project.plan(*SMALL, wish, targets=prepared)
    site.server.shutdown()
    assert not project.plan(targets=prepared)  # auto finds what is there


def test_a_wrong_file_is_named_and_left_as_it_is(project, tmp_path):
    add_rows(project, row(url=f"http://127.0.0.1:9/{NAME}", digest="0" * 64))
    wrong = project.folder / "data" / NAME
    wrong.parent.mkdir()
    wrong.write_bytes(b"something else")
    for wish in ("auto", "original"):
        config = (*SMALL, f"data_source={wish}")
        done = project.snakemake("results/datasets/mine.h5", "--cores", "1", "--config", *config)
        assert done.returncode != 0
        assert "data/mine.h5 is not the original file" in done.stderr
        assert "sha256:" + "0" * 64 in done.stderr
        assert "it was left as it is" in done.stderr
    assert wrong.read_bytes() == b"something else"
    assert not (project.folder / "results/datasets/mine.h5").exists()


def test_what_cannot_be_downloaded_is_named_with_address_place_and_digest(project):
    add_rows(project, row(url=f"http://127.0.0.1:9/{NAME}", digest="0" * 64))
    config = (*SMALL, "data_source=original")
    done = project.snakemake("results/datasets/mine.h5", "--cores", "1", "--config", *config)
    assert done.returncode != 0
    for part in ("http://127.0.0.1:9/mine.h5", "data/mine.h5", "sha256:" + "0" * 64):
        assert part in done.stderr


def test_sprites_in_colour_train_and_are_encoded_as_such(unbuilt):
    """A variation needs no images of its own, and nothing of another variation's code."""
    scores = "results/smoke/scores/color_dsprites_beta_vae/total_correlation.csv"
    unbuilt.build(targets=(scores,))
    table = pd.read_csv(unbuilt.folder / scores)
    assert set(table["source"]) == {"dSprites re-rendered + random colours"}
    unbuilt.edit("latents/data/variations/noise.py", "torch.maximum", "torch.minimum")
    assert not unbuilt.plan(targets=(scores,))
    unbuilt.edit("latents/data/variations/tint.py", "DARKEST = 0.5", "DARKEST = 0.4")
    assert unbuilt.plan(targets=(scores,))["train_model"] == 1
    unbuilt.edit("latents/data/variations/tint.py", "DARKEST = 0.4", "DARKEST = 0.5")
    reference = (*SMALL, "variation_order=reference")
    assert unbuilt.plan(*reference, targets=(scores,))["train_model"] == 1


def test_a_picture_for_the_scream_replaces_the_procedural_one(unbuilt):
    sheet = ("figures/datasets/scream_dsprites.pdf",)
    prepared = unbuilt.folder / "results/datasets/scream_dsprites.h5"
    unbuilt.build(targets=sheet)
    assert read_images(prepared)[0].source == "procedural background"
    (unbuilt.folder / "data").mkdir()
    picture = Image.fromarray(np.full((400, 300, 3), 90, np.uint8))
    picture.save(unbuilt.folder / "data" / "The_Scream.jpg")
    unbuilt.build(targets=sheet)
    assert read_images(prepared)[0].source == "background The_Scream.jpg"
    assert not unbuilt.plan(targets=sheet)
    picture.rotate(90, expand=True).save(unbuilt.folder / "data" / "The_Scream.jpg")
    assert unbuilt.plan(targets=sheet)["obtain_originals"] == 1


def test_a_misspelt_source_is_refused(project):
    for wish, message in (
        ("orignal", "data_source is 'orignal'"),
        ("{cars: twin}", 'data_source "cars" is not in config/datasets.yaml'),
        ("{color_dsprites: original}", "made of the images of dsprites: set that instead"),
    ):
        config = (*SMALL, f"data_source={wish}")
        done = project.snakemake("figures/fig9.pdf", "--dry-run", "--config", *config)
        assert done.returncode != 0
        assert message in done.stderr

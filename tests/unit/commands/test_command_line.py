"""The command line itself: help, words, endings."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from latents.commands.command import Command, repeat_config
from latents.commands.diagnose import name_in_paths
from latents.commands.main import app
from latents.commands.words import complete_target, snakemake_options
from latents.runtime.errors import Problem
from tests.conftest import ROOT

NAMES = sorted(command.name for command in typer.main.get_command(app).commands.values())
HEAVY = {"torch", "snakemake", "pandas", "numpy", "scipy", "matplotlib", "yaml", "jsonschema"}


def latents(*words: str, **options) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "latents.commands", *words]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
    return subprocess.run(command, cwd=ROOT, **options)


def ended(error: BaseException | None, *words: str):
    """How a command named `name` ends that raises an error."""

    def name() -> None:
        if error is not None:
            raise error

    made = typer.Typer()
    made.command(cls=Command)(name)
    return CliRunner().invoke(made, list(words))


def test_every_command_of_the_folder_is_there():
    helpers = {"__init__", "__main__", "main", "command", "words"}
    files = {path.stem for path in (ROOT / "latents" / "commands").glob("*.py")} - helpers
    assert {name.replace("-", "_") for name in NAMES} == files


def test_help_lists_every_command_in_one_whole_line_each():
    listed = CliRunner().invoke(app, ["--help"]).output.partition("Commands:")[2]
    lines = listed.strip().splitlines()
    assert sorted(line.split()[0] for line in lines) == NAMES
    assert all(line.endswith(".") and not line.endswith("...") for line in lines)


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_a_command_has_examples_that_name_it_and_its_exit_codes(name):
    text = CliRunner().invoke(app, [name, "--help"]).output
    assert f"    latents {name}" in text.partition("Example")[2].partition("Exit codes: 0")[0]


def test_help_starts_without_heavy_packages():
    code = (
        "import runpy, sys\n"
        "sys.argv = ['latents', '--help']\n"
        "try: runpy.run_module('latents.commands', run_name='__main__')\n"
        "except SystemExit: print(*{name.partition('.')[0] for name in sys.modules})\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert "typer" in loaded, done.stderr
    assert HEAVY.isdisjoint(loaded)


def test_a_wrong_command_line_is_an_error_of_its_own():
    assert latents("audit", "fig9", "--evry").returncode == 2
    assert latents("adit", "fig9").returncode == 2
    for words in (("why", "fig9", "--config", "scale"), ("trace", "fig9.csv", "panel")):
        wrong = latents(*words)
        assert f"{words[-1]} is not of the form KEY=VALUE" in wrong.stderr
        assert wrong.returncode == 2


@pytest.mark.parametrize("error", [Problem("it is so"), OSError("it is so")])
def test_a_problem_is_one_sentence(error):
    done = ended(error)
    assert (done.exit_code, done.stderr) == (1, "latents name: it is so\n")


def test_ctrl_c_is_silent():
    done = ended(KeyboardInterrupt())
    assert (done.exit_code, done.output) == (130, "")


def test_no_error_is_success():
    assert ended(None).exit_code == 0


def test_a_reader_that_has_gone_is_no_traceback(tmp_path):
    read, write = os.pipe()
    os.close(read)
    done = latents("show", str(tmp_path), stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_command_goes_on_until_its_reader_has_enough(tmp_path):
    figure = tmp_path / "fig9.pdf"
    figure.touch()
    figure.with_suffix(".txt").write_text("a line\n" * 100_000)
    script = 'set -o pipefail; "$@" | head -n 3'
    command = [sys.executable, "-m", "latents.commands", "show", str(figure)]
    buffered = {**os.environ, "PYTHONUNBUFFERED": ""}  # else Python 3.11 loses what follows
    done = subprocess.run(
        ["bash", "-c", script, "bash", *command],
        cwd=ROOT,
        env=buffered,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (141, "")
    assert done.stdout.splitlines()[-1] == "a line"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("fig9", "fig9"),
        ("fig9 --config a=1 b=2", "fig9 --config a=1 --config b=2"),
        ("--config a=1 b=2 fig9", "--config a=1 --config b=2 fig9"),
        ("--config a=1 --once c=3", "--config a=1 --once c=3"),
        ("--config", "--config"),
        ("--config fig9 b=2", "--config fig9 --config b=2"),
        ("fig9 panel=a strength=5", "fig9 panel=a strength=5"),
    ],
)
def test_settings_may_follow_each_other_as_with_snakemake(words, expected):
    assert repeat_config(words.split()) == expected.split()


def test_settings_are_passed_on_as_snakemake_takes_them():
    assert snakemake_options("figures/fig9.pdf", None, None) == []
    files = [Path("a.yaml"), Path("b.yaml")]
    expected = ["--configfile", "a.yaml", "b.yaml", "--config", "a=1", "b=2"]
    assert snakemake_options("all", ["a=1", "b=2"], files) == expected


def test_a_path_names_its_scale_unless_another_is_set():
    path = "results/smoke/variables/dsprites_beta_vae.csv"
    assert snakemake_options(path, None, None) == ["--config", "scale=smoke"]
    given = snakemake_options(path, ["scale=paper"], None)
    assert given == ["--config", "scale=smoke", "scale=paper"]  # the last one counts


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("mine.npz", "mine"),
        ("folder/my model.v2.npz", "my_model_v2"),
        ("a=1; touch 'b' $(c).csv", "a_1__touch__b____c_"),
        ("-é{x}.h5", "-__x_"),
    ],
)
def test_a_name_in_paths_is_of_plain_letters(file, name):
    assert name_in_paths(Path(file)) == name


def test_figures_are_completed_first_and_results_once_they_are_asked_for():
    assert {"figures/fig9.pdf", "figures/fig9.csv"} < set(complete_target("fig"))
    assert not [target for target in complete_target("") if target.startswith("results/")]
    table = "results/smoke/variables/dsprites_beta_vae.csv"
    assert table in complete_target("results/smoke/variables/dsprites_b")


def test_a_shell_completes_commands_and_targets():
    words = {"COMP_WORDS": "latents why figures/fig1", "COMP_CWORD": "2"}
    asked = {**os.environ, "_LATENTS_COMPLETE": "complete_bash", **words}
    done = latents(env=asked)
    assert "figures/fig10.pdf" in done.stdout.split(), done.stderr

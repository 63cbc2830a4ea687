"""What a script reads from the command line that its rule writes."""

import json
from pathlib import Path

from latents.runtime.command_line import flat, keyword_arguments, read_command_line


def test_lists_and_settings():
    job = json.dumps({"code": {}, "command": "", "values": {"x": 1}})
    words = [job, "--in", "a=1.csv", "b=2.csv", "3.csv", "--out", "c=4.csv", "--with", "device=cpu"]
    step = read_command_line("name", words)
    assert step.inputs == {"a": [Path("1.csv")], "b": [Path("2.csv"), Path("3.csv")]}
    assert flat(step.inputs) == [Path("1.csv"), Path("2.csv"), Path("3.csv")]
    assert step.outputs == {"c": [Path("4.csv")]}
    assert step.settings == {"device": "cpu"}
    assert not step.expendable
    assert read_command_line("name", [*words, "--expendable"]).expendable


def test_a_function_gets_files_values_and_settings_by_their_names():
    def function(*, a: Path, b: list[Path], c: Path, d: Path | None, x: int, device: str) -> None:
        """Nothing asks for the key."""

    def with_key(*, a: Path, b: list[Path], c: Path, d: Path | None, key: str) -> None:
        """The key is given to those who ask."""

    job = json.dumps({"code": {}, "command": "", "values": {"x": 1}})
    words = [job, "--in", "a=1", "b=2", "d=", "--out", "c=4", "--with", "device=cpu"]
    step = read_command_line("name", words)
    outputs = {"c": [Path("partial")]}
    given = {"a": Path("1"), "b": [Path("2")], "c": Path("partial"), "d": None}
    given |= {"x": 1, "device": "cpu"}
    assert keyword_arguments(function, step, outputs, "0123") == given
    assert keyword_arguments(with_key, step, outputs, "0123") == {**given, "key": "0123"}

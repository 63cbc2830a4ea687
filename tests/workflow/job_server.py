"""Runs single jobs in processes of their own, on any copy of the sources, within milliseconds.

    python job_server.py

A line of JSON asks, a line of JSON answers. Packages are imported once, before any request; every
job is a fork of this process that imports the library anew, from the tree it is asked for.
"""

import json
import os
import runpy
import sys
import tempfile
import traceback
from pathlib import Path

import h5py  # noqa: F401
import matplotlib.pyplot as plt  # noqa: F401
import pandas as pd  # noqa: F401
import psutil  # noqa: F401
import safetensors.torch  # noqa: F401
import scipy.stats  # noqa: F401
import seaborn as sns  # noqa: F401
import sklearn.ensemble  # noqa: F401
import torch  # noqa: F401

FUNCTION = 0x01  # co_flags of code that is no module and no class body


def run_bare(wanted: dict) -> None:
    """Call a step's function on its command line, without anything around it."""
    script = f"{wanted['tree']}/scripts/{wanted['step']}.py"
    names = runpy.run_path(script, run_name="script")
    from latents.runtime.command_line import keyword_arguments, read_command_line

    step = read_command_line(wanted["step"], wanted["arguments"])
    function = names[wanted["step"]]
    function(**keyword_arguments(function, step, step.outputs, wanted["key"]))


def run_whole(wanted: dict) -> None:
    """Run a script as its rule does."""
    sys.argv = [f"{wanted['step']}.py", *wanted["arguments"]]
    runpy.run_path(f"{wanted['tree']}/scripts/{wanted['step']}.py", run_name="__main__")


def watch(tree: str, called: set) -> None:
    """Note every function of the tree that is called from now on."""

    def note(frame, event, _) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(tree) and code.co_flags & FUNCTION:
            called.add((code.co_filename[len(tree) + 1 :], code.co_qualname))

    sys.setprofile(note)


def serve(wanted: dict) -> dict:
    called: set = set()
    os.environ.update(wanted.get("variables", {}))
    os.chdir(wanted["folder"])
    sys.path.insert(0, wanted["tree"])
    if wanted.get("watched"):
        watch(wanted["tree"], called)
    try:
        (run_whole if wanted["whole"] else run_bare)(wanted)
    except BaseException:
        return {"error": traceback.format_exc()}
    finally:
        sys.setprofile(None)
    return {"error": None, "called": sorted(called)}


def answer(wanted: dict) -> dict:
    """Serve a request in a fork, whose words go to a file."""
    with tempfile.TemporaryDirectory() as name:
        told, log = Path(name, "told"), Path(name, "log")
        child = os.fork()
        if child == 0:
            with log.open("w") as words:
                os.dup2(words.fileno(), 1)
                os.dup2(words.fileno(), 2)
                told.write_text(json.dumps(serve(wanted)))
            os._exit(0)
        os.waitpid(child, 0)
        if not told.exists():
            return {"error": f"the process died: {log.read_text()[-2000:]}"}
        return {**json.loads(told.read_text()), "log": log.read_text()[-2000:]}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)

"""What all commands share: how words are read, and how a command ends."""

import os
import sys
from typing import Any

import typer
from typer.core import TyperCommand

from latents.runtime.errors import Problem

CONFIG = "--config"
CLOSED_PIPE = 141  # as a program has it that ends by the signal SIGPIPE


class Command(TyperCommand):
    """A command that ends with one sentence instead of a traceback."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, repeat_config(args))

    def invoke(self, ctx: Any) -> Any:
        try:
            super().invoke(ctx)
        except BrokenPipeError as error:  # the reader has gone, as after `| head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(CLOSED_PIPE) from error
        except (Problem, OSError) as error:
            typer.echo(f"latents {ctx.info_name}: {error}", err=True)
            raise typer.Exit(1) from error


def repeat_config(words: list[str]) -> list[str]:
    """Return `--config a=1 b=2`, as Snakemake reads it, as `--config a=1 --config b=2`."""
    read: list[str] = []
    for word in words:
        is_value = read[-2:-1] == [CONFIG] and "=" in word and not word.startswith("-")
        read += [CONFIG, word] if is_value else [word]
    return read

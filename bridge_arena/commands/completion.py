"""`arena completion`: what a shell has to read so that it completes command lines."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated

import typer

from bridge_arena.commands.main import COMPLETE, complete


class Shell(StrEnum):
    """A shell that completes commands."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(
    shell: Annotated[Shell, typer.Argument(help="which shell is to complete commands")],
) -> None:
    """Print a script that has a shell complete commands.

    The shell reads it when it starts: the examples are lines for ~/.bashrc, for ~/.zshrc after
    compinit, and for ~/.config/fish/config.fish.

    Examples:
        eval "$(arena completion bash)"
        eval "$(arena completion zsh)"
        arena completion fish | source
    """
    os.environ[COMPLETE] = f"source_{shell}"
    complete()

"""`arena completion`: a script for a shell, with which it completes command lines."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated

import typer

from bridge_arena.commands.main import COMPLETE, complete


class Shell(StrEnum):
    """A shell for which there is a script."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(
    shell: Annotated[Shell, typer.Argument(help="the shell that is to complete commands")],
) -> None:
    """Print a script that has a shell complete commands.

    The shell must read the script when it starts. Put the line of your shell into its
    configuration: ~/.bashrc, ~/.zshrc (after compinit), or ~/.config/fish/config.fish.

    Examples:
        eval "$(arena completion bash)"
        eval "$(arena completion zsh)"
        arena completion fish | source
    """
    os.environ[COMPLETE] = f"source_{shell}"
    complete()

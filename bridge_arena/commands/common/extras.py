"""The extras of the distribution: which brings a module that is missing, and what installs it."""

from __future__ import annotations

import re
from importlib.metadata import requires
from pathlib import Path

import bridge_arena

_NEED = re.compile(r"(?P<name>[\w-]+).*\bextra == [\"'](?P<extra>\w+)[\"']")


def extra_of(module: str) -> str | None:
    """The first extra, in the order of pyproject.toml, that brings a module; None where none
    does."""
    for need in requires("bridge-arena") or ():
        found = _NEED.match(need)
        if found and found["name"].replace("-", "_") == module.partition(".")[0]:
            return found["extra"]
    return None


def missing(asking: str, extra: str, module: str) -> str | None:
    """What to tell who asks for something where a module is not installed: one line. None where
    no extra would bring it.

    Args:
        asking: The command.
        extra: What it takes whatever it does.
        module: What is missing.
    """
    found = extra_of(module)
    if found is None:
        return None
    if found in ("arena", "report"):  # every command's extra holds the one or both
        found = extra
    return f"{asking} takes the extra {found} ({module} is not installed): {_installs(found)}"


def _installs(extra: str) -> str:
    """The command that installs an extra."""
    if (Path(bridge_arena.__file__).parent.parent / "dev").exists():
        return f"./dev --with {extra}"  # this is a checkout
    return f"pip install 'bridge-arena[{extra}]'"

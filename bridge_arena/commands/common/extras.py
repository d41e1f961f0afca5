"""What a command misses: an extra of the distribution, and what installs it."""

from __future__ import annotations

import re
import shlex
import sys
from importlib.metadata import requires
from pathlib import Path

import bridge_arena

_ROOT = Path(bridge_arena.__file__).resolve().parents[1]
"""The checkout, where this is one."""

_NEED = re.compile(r"(?P<name>[\w-]+).*\bextra == [\"'](?P<extra>\w+)[\"']")


def extra_of(module: str) -> str | None:
    """The first extra, in the order of pyproject.toml, that brings a module; None where none
    does."""
    for need in requires("bridge-arena") or ():
        found = _NEED.match(need)
        if found and found["name"].replace("-", "_") == module.partition(".")[0]:
            return found["extra"]
    return None


def missing(command: str, extra: str, module: str, root: Path = _ROOT) -> str | None:
    """What to tell who asks for a command where a module is not installed: one line. None where
    nothing would bring the module.

    Args:
        command: Its name.
        extra: What it takes whatever it does.
        module: What is missing.
        root: The folder that would be a checkout.
    """
    found = extra_of(module)
    if found is None:
        return None
    if found in ("arena", "report"):  # every command's extra holds the one or both
        found = extra
    return f"{command} takes the extra {found} ({module} is not installed): {_install(found, root)}"


def _install(extra: str, root: Path) -> str:
    """The command line that installs an extra, as this Python was installed."""
    if not (root / "pyproject.toml").is_file():
        return f"pip install 'bridge-arena[{extra}]'"
    if Path(sys.prefix) == root / ".venv":
        dev = "./dev" if Path.cwd() == root else shlex.quote(str(root / "dev"))
        return f"{dev} --with {extra}"
    pip = f"{shlex.quote(sys.executable)} -m pip install --config-settings editable_mode=compat"
    return f"{pip} -e {shlex.quote(f'{root}[{extra}]')}"

"""The extras of the distribution: which module is of which, and what installs it here."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

EXTRAS = {
    "distributed": "cluster",
    "numba": "train",
    "pg8000": "postgresql",
    "pytorch_optimizer": "train",
    "torch": "train",
}
"""The modules that not everybody installs, and the extra that each is of."""

_ROOT = Path(__file__).resolve().parents[1]
"""The checkout, where this is one."""


def missing_extra(error: ModuleNotFoundError, root: Path = _ROOT) -> str | None:
    """What is missing, and the command that installs it; None where it is of no extra."""
    module = (error.name or "").partition(".")[0]
    extra = EXTRAS.get(module)
    if extra is None:
        return None
    return f"{module} is not installed, of the extra {extra}: {_command(extra, root)}"


def _command(extra: str, root: Path) -> str:
    """The command line that installs an extra, as this Python was installed."""
    if not (root / "pyproject.toml").is_file():
        return f"pip install 'bridge-arena[{extra}]'"
    here = Path.cwd() == root
    what = f"'.[{extra}]'" if here else shlex.quote(f"{root}[{extra}]")
    if Path(sys.prefix) != root / ".venv":
        return f"{shlex.quote(sys.executable)} -m pip install -e {what}"
    dev = "./dev" if here else shlex.quote(str(root / "dev"))
    return f"{dev} pip install -e {what}"

"""The extras of the distribution: which one brings a module, and what installs it."""

from __future__ import annotations

import json
import re
import shlex
import sys
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
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


def missing(who: str, extra: str, module: str) -> str | None:
    """What to tell who asks for something where a module is not installed: one line. None where
    no extra would bring the module.

    Args:
        who: What misses it: a command, or a bot.
        extra: What it takes whatever it does.
        module: What is missing.
    """
    found = extra_of(module)
    if found is None:
        return None
    if found in ("arena", "report", "web"):  # the extra of each command and bot holds what it needs
        found = extra
    return f"{who} takes the extra {found} ({module} is not installed): {installing(found)}"


def installing(extra: str, root: Path = _ROOT, origin: str | None = None) -> str:
    """The command line that installs an extra, as this Python was installed.

    Args:
        extra: Its name.
        root: The folder that would be a checkout.
        origin: The URL that it was installed from; where None, that which pip noted (PEP 610).
            Without any it is taken from an index.
    """
    python = shlex.quote(sys.executable)
    if not (root / "pyproject.toml").is_file():
        url = _origin() if origin is None else origin
        source = f" @ {url}" if url else ""
        return f"{python} -m pip install {shlex.quote(f'bridge-arena[{extra}]{source}')}"
    if Path(sys.prefix) == root / ".venv":
        dev = "./dev" if Path.cwd() == root else shlex.quote(str(root / "dev"))
        return f"{dev} --with {extra}"
    pip = f"{python} -m pip install --config-settings editable_mode=compat"
    return f"{pip} -e {shlex.quote(f'{root}[{extra}]')}"


def _origin() -> str:
    noted = distribution("bridge-arena").read_text("direct_url.json")
    return str(json.loads(noted)["url"]) if noted else ""


def missing_from(extra: str) -> list[str]:
    """Return the distributions that an extra needs and that are not installed, sorted."""
    missing: set[str] = set()
    for need in requires("bridge-arena") or ():
        found = _NEED.match(need)
        if not found or found["extra"] != extra:
            continue
        if found["name"] == "bridge-arena":
            for below in _BELOW.search(need)[1].split(","):  # type: ignore[index]
                missing.update(missing_from(below))
        elif not _is_installed(found["name"]):
            missing.add(found["name"])
    return sorted(missing)


_BELOW = re.compile(r"^bridge-arena\[([\w,]+)\]")


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True

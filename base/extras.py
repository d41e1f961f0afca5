"""The extras of the distribution: which one brings a module, and what installs it."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
"""The root of the checkout, if the package runs from a checkout."""

_NEED = re.compile(r"(?P<name>[\w-]+).*\bextra == [\"'](?P<extra>\w+)[\"']")

_BEFORE = re.compile(r"\bpython_version < [\"'](\d+)\.(\d+)[\"']")
"""The first Python that no longer needs a distribution: the only other marker of our extras."""


def extra_of(module: str) -> str | None:
    """Return the first extra in pyproject.toml that brings a module, or None if none does."""
    for need in requires("bridge-arena") or ():
        match = _NEED.match(need)
        if match and match["name"].replace("-", "_") == module.partition(".")[0]:
            return match["extra"]
    return None


def missing(who: str, extra: str, module: str) -> str | None:
    """Return the one-line message about a missing module, with the command that installs its extra.

    None: no extra brings the module. `extra` is what the command or bot `who` always needs.
    """
    needed = extra_of(module)
    if needed is None:
        return None
    if needed in ("arena", "report", "web"):  # the caller's own extra includes these
        needed = extra
    return f"{who} needs the extra {needed} ({module} is not installed): {installing(needed)}"


@contextmanager
def needing(who: str, extra: str) -> Iterator[None]:
    """Say in one line what to install if a module is missing that the block imports.

    The message of the ModuleNotFoundError is that of `missing`.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        message = missing(who, extra, error.name or "")
        raise ModuleNotFoundError(message or str(error), name=error.name) from None


def installing(extra: str, root: Path = _ROOT, origin: str | None = None) -> str:
    """Return the shell command that installs an extra in the way this Python was installed.

    It is `./dev --with` in a checkout's own environment, at `root`, else one of `pip install` from
    a URL `origin`: by default the one that pip recorded (PEP 610); empty, the package index.
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
    """Return the distributions that an extra needs here and that are not installed, sorted."""
    missing: set[str] = set()
    for need in requires("bridge-arena") or ():
        match = _NEED.match(need)
        if not match or match["extra"] != extra:
            continue
        if match["name"] == "bridge-arena":
            for below in _BELOW.search(need)[1].split(","):  # type: ignore[index]
                missing.update(missing_from(below))
        elif _is_for_this_python(need) and not _is_installed(match["name"]):
            missing.add(match["name"])
    return sorted(missing)


_BELOW = re.compile(r"^bridge-arena\[([\w,]+)\]")


def _is_for_this_python(need: str) -> bool:
    end = _BEFORE.search(need)
    return end is None or sys.version_info[:2] < (int(end[1]), int(end[2]))


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True

"""The files that a program sees in a sandbox: those that its command names, and nothing else.

The module finds their paths, and the arguments of `bwrap` that show them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

TEMPORARY = 256 << 20
"""The size in bytes of its /tmp, and of its /dev/shm."""

SYSTEM = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")))

_SETTINGS = ("alternatives", "ld.so.cache", "localtime", "ssl/openssl.cnf")
"""The files of /etc that programs need to start."""


class SightError(OSError):
    """A program cannot be shown what its command names; the message is one line."""


def own_paths(program: Path, arguments: Iterable[str]) -> Iterator[Path]:
    """Yield the paths that a command names and that belong to the program.

    They are the folders of the program and of its script, the first file among its arguments, and
    every other file that the arguments name, also in options such as `weights=FILE`. Links are
    followed, and both the link and its target are shown.

    Args:
        program: The path of the program.
        arguments: Its arguments.

    Yields:
        Each path.

    Raises:
        SightError: Such a folder holds more than the program.
    """
    for place in _steps(program):
        if not _is_system(place):
            yield _apart(_home(place, program.resolve().name))
    has_script = False
    for word in arguments:
        if not has_script and _is_file(word):
            has_script = True
            yield from (_apart(place.parent) for place in _steps(absolute(word)))
            continue
        for piece in dict.fromkeys((word, *re.split("[:=,]", word))):
            if _is_file(piece):
                yield absolute(piece)


def absolute(path: str) -> Path:
    """Return the absolute form of a path in the working folder, without following links."""
    return Path(os.path.abspath(path))  # noqa: PTH100 (which follows them)


def secrets_in(folder: Path, names: Sequence[str]) -> Iterator[Path]:
    """Yield the files and folders in a program's folder that it must not see.

    Args:
        folder: The program's folder.
        names: Patterns of their names, as in the shell.

    Yields:
        Their paths.

    Raises:
        SightError: Something in the folder would let the processes that read it communicate: even
            on a read-only mount a pipe can be written to.
    """
    with os.scandir(folder) as entries:
        for entry in entries:
            if any(fnmatch(entry.name, name) for name in names):
                yield Path(entry.path)
            elif entry.is_dir(follow_symlinks=False):
                yield from secrets_in(Path(entry.path), names)
            elif not entry.is_symlink() and not entry.is_file():
                raise SightError(f"{entry.path} is neither file nor folder: take it away")


def view(shown: Iterable[Path], hidden: Iterable[Path], socket: Path, inside: str) -> list[str]:
    """Return the arguments for `bwrap`.

    The system and the shown paths can be read, except the hidden ones, even those that are created
    later. The program can write only to temporary folders of its own.

    Args:
        shown: Paths that can be read.
        hidden: Paths that are hidden, wherever they appear.
        socket: The socket of the server.
        inside: The path of the socket in the sandbox.

    Returns:
        The arguments.
    """
    words: list[str] = []
    binds: list[Path] = []
    for path in SYSTEM:
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.exists():
            binds.append(path)
    binds += [path for name in _SETTINGS if (path := Path("/etc", name)).exists()]
    words += _temporary("/tmp")
    words += ["--dev", "/dev", *_temporary("/dev/shm"), "--remount-ro", "/dev"]
    # If root runs the arena, a writable /proc would let a program change the kernel's settings.
    words += ["--proc", "/proc", "--remount-ro", "/proc"]
    # A folder comes before its content.
    binds += sorted(set(shown), key=lambda path: len(path.parts))
    left_out = _seen(hidden, binds)
    opened: list[Path] = []
    for path in binds:
        if left_out.isdisjoint((path, *path.parents)):
            words += _shown(path, left_out, opened)
    # Relative paths have the same meaning as outside.
    here = str(Path.cwd())
    words += ["--ro-bind", str(socket), inside, "--dir", here, "--chdir", here]
    for path in opened:
        words += ["--remount-ro", str(path)]
    return [*words, "--remount-ro", "/"]


def _seen(hidden: Iterable[Path], binds: Sequence[Path]) -> set[Path]:
    """Return the paths in the sandbox of what is hidden, whether it exists yet or not."""
    return {
        bound / real.relative_to(source)
        for real in (path.resolve() for path in hidden)
        for bound in binds
        if real.is_relative_to(source := bound.resolve())
    }


def _shown(path: Path, left_out: set[Path], opened: list[Path]) -> Iterator[str]:
    """Yield the arguments that show a path.

    If something in a folder is to be left out, each other entry is shown by itself, in a folder of
    the sandbox's own, which is added to `opened`.

    A mask over a file would not do: when another file is renamed to its name, the kernel removes a
    mount that exists only in another namespace.

    Yields:
        Each argument.
    """
    if not any(place.is_relative_to(path) for place in left_out):
        # An entry may be gone since its folder was read.
        yield from ("--ro-bind-try", str(path), str(path))
        return
    opened.append(path)
    yield from ("--tmpfs", str(path))
    with os.scandir(path) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        inner = path / entry.name
        if inner in left_out:
            continue
        if entry.is_symlink():
            yield from ("--symlink", str(inner.readlink()), str(inner))
        else:
            yield from _shown(inner, left_out, opened)


def _temporary(folder: str) -> list[str]:
    return ["--size", str(TEMPORARY), "--perms", "1777", "--tmpfs", folder]


def _steps(path: Path) -> Iterator[Path]:
    """Yield a path, and each path that it leads to, link by link."""
    yield path
    while path.is_symlink():
        path = Path(os.path.normpath(path.parent / path.readlink()))
        yield path


def _home(program: Path, real_name: str) -> Path:
    """Return the folder of a program; for Python, that of its whole installation or environment."""
    prefix = program.parent.parent
    if (prefix / "pyvenv.cfg").is_file() or (prefix / "lib" / real_name).is_dir():
        return prefix
    return program.parent


def _is_file(word: str) -> bool:
    """Return whether an argument names a file; most cannot even be a name."""
    return os.path.isfile(word)  # noqa: PTH113 (which raises for a word that is too long)


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in SYSTEM)


def _apart(folder: Path) -> Path:
    """Return a folder that belongs to a program alone. Raises SightError if it does not."""
    if Path.home().is_relative_to(folder.resolve()):
        raise SightError(f"{folder} is no folder of its own: put the bot into one")
    return folder

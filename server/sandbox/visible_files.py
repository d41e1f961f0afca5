"""What a program sees of the machine in a sandbox: the paths that its command names, and the
words that show them to it, and nothing else, with `bwrap`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

TEMPORARY = 256 << 20
"""How large its /tmp may grow, in bytes, and its /dev/shm."""

SYSTEM = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")))

_SETTINGS = ("alternatives", "ld.so.cache", "localtime", "ssl/openssl.cnf")
"""Of /etc, what programs need to start at all."""


class SightError(OSError):
    """A program cannot be shown what its command names: one line says why."""


def own_paths(program: Path, arguments: Iterable[str]) -> Iterator[Path]:
    """What a command names that is a program's own: the folders of the program and of the
    first file among its arguments, its script; and every other file that they name, in options
    as `weights=FILE` too. Links are followed, and shown as well.

    Raises SightError where such a folder is no program's own.
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
    """A path from the working folder. Links stay as they are named."""
    return Path(os.path.abspath(path))  # noqa: PTH100 (which follows them)


def secrets_in(folder: Path, names: Sequence[str]) -> Iterator[Path]:
    """Find what in a program's folder is not for it: files and folders whose names match `names`,
    as the shell matches them.

    Raises SightError where something there would let the processes that read it talk to each
    other: a pipe takes what is written also where all is read-only.
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
    """The words for `bwrap`: the system and what is `shown` can be read, but for what is
    `hidden`, wherever it is, or comes to be; folders of its own can be written; `socket` is at
    `inside`."""
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
    # Whose user is root's outside could change the kernel's settings in it, if it could write.
    words += ["--proc", "/proc", "--remount-ro", "/proc"]
    # A folder before what is in it.
    binds += sorted(set(shown), key=lambda path: len(path.parts))
    left_out = _seen(hidden, binds)
    opened: list[Path] = []
    for path in binds:
        if left_out.isdisjoint((path, *path.parents)):
            words += _shown(path, left_out, opened)
    # Relative paths mean what they mean outside.
    here = str(Path.cwd())
    words += ["--ro-bind", str(socket), inside, "--dir", here, "--chdir", here]
    for path in opened:
        words += ["--remount-ro", str(path)]
    return [*words, "--remount-ro", "/"]


def _seen(hidden: Iterable[Path], binds: Sequence[Path]) -> set[Path]:
    """Where in the sandbox that would be which is to be hidden, whether it is there yet or not."""
    return {
        bound / real.relative_to(source)
        for real in (path.resolve() for path in hidden)
        for bound in binds
        if real.is_relative_to(source := bound.resolve())
    }


def _shown(path: Path, left_out: set[Path], opened: list[Path]) -> Iterator[str]:
    """Words that show a path. Of a folder with something in it to be `left_out` each other entry
    is shown by itself, in a folder of the sandbox's own, which is then `opened`.

    A mask over a file would be gone as soon as another file is renamed to its name: where a name
    is a mount point elsewhere only, the kernel takes it, and the mount goes.
    """
    if not any(place.is_relative_to(path) for place in left_out):
        # What was there when the folder was read may be gone when it is to be shown.
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
    """A path, and where it leads, link by link."""
    yield path
    while path.is_symlink():
        path = Path(os.path.normpath(path.parent / path.readlink()))
        yield path


def _home(program: Path, real_name: str) -> Path:
    """The folder of a program; of Python, all of its installation or environment."""
    prefix = program.parent.parent
    if (prefix / "pyvenv.cfg").is_file() or (prefix / "lib" / real_name).is_dir():
        return prefix
    return program.parent


def _is_file(word: str) -> bool:
    """Whether a word names one; many a word can name none at all."""
    return os.path.isfile(word)  # noqa: PTH113 (which raises for a word that is too long)


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in SYSTEM)


def _apart(folder: Path) -> Path:
    """A folder that is a program's alone. Raises SightError."""
    if Path.home().is_relative_to(folder.resolve()):
        raise SightError(f"{folder} is no folder of its own: put the bot into one")
    return folder

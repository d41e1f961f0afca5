"""The files that a program sees in a sandbox: those that its command names, and nothing else.

The module finds their paths, copies those of the program's own, and makes the arguments of `bwrap`
that show them.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path

TEMPORARY = 256 << 20
"""The size in bytes of its /tmp, and of its /dev/shm."""

SYSTEM = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")))

_SETTINGS = ("alternatives", "ld.so.cache", "localtime", "ssl/openssl.cnf")
"""The files of /etc that programs need to start."""

FIGURES = ("cpuinfo", "meminfo", "stat")
"""The files of /proc that programs read to know the machine."""

_DEVICES = ("null", "zero", "full", "random", "urandom")


class SightError(OSError):
    """A program cannot be shown what its command names; the message is one line."""


def own_paths(program: Path, arguments: Iterable[str], here: Path) -> Iterator[Path]:
    """Yield the paths that a command, run `here`, names and that belong to the program.

    They are the folders of the program and of its script, the first file among its arguments, and
    every other file that the arguments name, also in options such as `weights=FILE`. Links are
    followed, and both the link and its target are shown. Raises SightError if such a folder holds
    more than the program.
    """
    for place in _steps(program):
        if not any(place.is_relative_to(folder) for folder in SYSTEM):
            yield apart(_home(place, program.resolve().name))
    has_script = False
    for word in arguments:
        if not has_script and _is_file(here, word):
            has_script = True
            yield from (apart(place.parent) for place in _steps(absolute(here / word)))
            continue
        for piece in dict.fromkeys((word, *re.split("[:=,]", word))):
            if _is_file(here, piece):
                yield absolute(here / piece)


def absolute(path: str | Path) -> Path:
    """Return the absolute form of a path in the working folder, without following links."""
    return Path(os.path.abspath(path))  # noqa: PTH100 (which follows them)


def is_python(folder: Path) -> bool:
    """Return whether a folder is an installation of Python, or an environment of one."""
    return (folder / "pyvenv.cfg").is_file() or any(folder.glob("lib/python3*"))


def copy_own(
    source: Path,
    target: Path,
    left_out: Collection[Path],
    names: Sequence[str],
    mounted: Collection[Path],
) -> None:
    """Copy a program's folder or file, so that its processes share no file with others.

    Raises SightError if it cannot be copied, or holds what is neither file nor folder.
    """

    def copy(source: Path, target: Path) -> None:
        if source.is_file():
            shutil.copy2(source, target)
            return
        if not source.is_dir():
            # Even on a read-only mount a pipe can be written to.
            raise SightError(f"{source} is neither file nor folder: take it away")
        target.mkdir()
        for entry in source.iterdir() if source not in mounted else ():
            if entry in left_out or any(fnmatch(entry.name, name) for name in names):
                continue
            if entry.is_symlink():
                (target / entry.name).symlink_to(entry.readlink())
            else:
                copy(entry, target / entry.name)
        shutil.copystat(source, target)
        target.chmod(target.stat().st_mode | 0o755)  # so that it can be entered, and removed

    try:
        copy(source, target)
    except SightError:
        raise
    except OSError as error:
        reason = error.strerror or error
        raise SightError(f"{error.filename or source} cannot be copied: {reason}") from None


def view(
    shown: Iterable[Path],
    copies: Mapping[Path, Path],
    hidden: Iterable[Path],
    placed: Mapping[str, Path],
    figures: Path,
    program: Path,
    here: Path,
) -> list[str]:
    """Return the arguments for `bwrap`.

    The system and the shown paths can be read, except the hidden ones, even those that are created
    later. The program can write only to temporary folders of its own. There are no terminals, which
    the kernel counts for all, and nothing of /proc, which shows what others do: even what it says
    of a process itself shows which pages of a library others have in use.
    """
    words: list[str] = []
    binds: list[Path] = []
    for path in SYSTEM:
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.exists():
            binds.append(path)
    binds += [path for name in _SETTINGS if (path := Path("/etc", name)).exists()]
    words += [*_temporary("/tmp"), "--tmpfs", "/dev"]
    for name in _DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    words += [*_temporary("/dev/shm"), "--remount-ro", "/dev", "--tmpfs", "/proc"]
    for name in FIGURES:
        words += ["--ro-bind", str(figures / name), f"/proc/{name}"]
    words += ["--perms", "0755", "--dir", "/proc/self"]
    words += ["--symlink", str(program.resolve()), "/proc/self/exe", "--remount-ro", "/proc"]
    # A folder comes before its content.
    binds += sorted({*shown, *copies}, key=lambda path: len(path.parts))
    left_out = paths_inside(hidden, binds)
    binds = [path for path in binds if left_out.isdisjoint((path, *path.parents))]
    # bubblewrap itself would make folders that only their owner can search.
    for folder in sorted(
        {parent for path in (*binds, *map(Path, placed)) for parent in path.parents}
    ):
        words += ["--perms", "0755", "--dir", str(folder)]
    opened: list[Path] = []
    for path in binds:
        if path in copies:
            words += ["--ro-bind", str(copies[path]), str(path)]
        else:
            words += _shown(path, left_out, opened)
    # Relative paths have the same meaning as outside.
    for inside, outside in placed.items():
        words += ["--ro-bind", str(outside), inside]
    words += ["--perms", "0755", "--dir", str(here), "--chdir", str(here)]
    for path in opened:
        words += ["--remount-ro", str(path)]
    return [*words, "--remount-ro", "/"]


def paths_inside(hidden: Iterable[Path], binds: Iterable[Path]) -> set[Path]:
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
    """
    if not any(place.is_relative_to(path) for place in left_out):
        # An entry may be gone since its folder was read.
        yield from ("--ro-bind-try", str(path), str(path))
        return
    opened.append(path)
    yield from ("--tmpfs", str(path))
    with os.scandir(path) as entries:
        ordered = sorted(entries, key=lambda entry: entry.name)
    for entry in ordered:
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


def _is_file(here: Path, word: str) -> bool:
    """Return whether an argument names a file; most cannot even be a name."""
    path = os.path.join(here, word)  # noqa: PTH118 (for "", it is no file)
    return os.path.isfile(path)  # noqa: PTH113 (which raises for a word that is too long)


def apart(folder: Path) -> Path:
    """Return a folder that belongs to a program alone. Raises SightError if it does not."""
    if Path.home().is_relative_to(folder.resolve()):
        raise SightError(f"{folder} is no folder of its own: put the bot into one")
    return folder

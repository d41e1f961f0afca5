"""The folder or file that a command writes, which no other command writes meanwhile."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from errno import ENOENT
from hashlib import sha256
from pathlib import Path

from bridge_arena.base.files import beside, held, replacing
from bridge_arena.commands.common.errors import UnusableError

LOCK = ".lock"
"""The file in a folder that is there while a command works in it."""


@contextmanager
def alone(out: Path | None, new: Path = Path(), *, is_private: bool = False) -> Iterator[Path]:
    """Work in a folder alone in the context; it is made if it is not there.

    A folder that was made, and is empty at the end, is removed again. Raises UnusableError.

    Args:
        out: The folder; None for a new one.
        new: The name of a new one. It gets a number behind it if there is one of that name.
    """
    folder = out or new
    above = [parent for parent in folder.parents if not parent.exists()]
    with ExitStack() as working:
        try:
            folder, is_made = _made(folder, 0o700 if is_private else 0o777, is_new=out is None)
            working.callback(_remove_empty, [folder, *above] if is_made else [])
            working.enter_context(held(folder / LOCK, folder))
        except BlockingIOError as error:
            raise UnusableError(str(error)) from None
        except OSError as error:
            raise UnusableError(f"cannot write {folder}: {error.strerror}") from None
        yield folder


@contextmanager
def alone_at(file: Path) -> Iterator[Path]:
    """Make or replace a file alone in the context, wholly or not at all; yield where to write.

    What is there and is no regular file, as a device, is written to directly. Raises
    BlockingIOError and OSError.
    """
    if file.exists() and not file.is_file():
        yield file
        return
    if not file.parent.is_dir():  # the lock would make it
        raise OSError(ENOENT, os.strerror(ENOENT), str(file))
    with held(beside(file), file), replacing(file) as unfinished:
        yield unfinished


def _made(folder: Path, mode: int, *, is_new: bool) -> tuple[Path, bool]:
    """Make a folder, and return it and whether it was not there before. Raises OSError."""
    place, number = folder, 1
    while True:
        try:
            place.mkdir(mode, parents=True)
        except FileExistsError:
            if not is_new:
                if not place.is_dir():
                    raise
                return place, False
        else:
            return place, True
        number += 1
        place = folder.with_name(f"{folder.name}-{number}")


def _remove_empty(folders: list[Path]) -> None:
    """Remove folders, each in the next one, as far as they are empty."""
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()


def folder_of_inputs(name: str, inputs: Sequence[str | Path], options: Sequence[str] = ()) -> Path:
    """Return a folder that is the same for the same inputs and options, and another for others.

    It is runs/NAME for a PBN file of the working directory without options, else runs/NAME-ID.
    """
    places = [
        str(source) if "://" in str(source) else str(Path(source).resolve()) for source in inputs
    ]
    is_plain = places == [str(Path.cwd() / Path(inputs[0]).name)] and places[0].endswith(".pbn")
    if is_plain and not options:
        return Path("runs") / name
    named = "\0".join((*places, *options)).encode("utf-8", "surrogateescape")
    return Path("runs") / f"{name}-{sha256(named).hexdigest()[:8]}"

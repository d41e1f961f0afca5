"""The folders of results where none is named, and the same command is to go on in the same one."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path


def folder_of_inputs(name: str, inputs: Sequence[str | Path], options: Sequence[str] = ()) -> Path:
    """Return a folder that is the same for the same inputs, and another for others.

    Args:
        name: The name of the folder for a PBN file of the working directory.
        inputs: Files, or URLs of databases.
        options: The words of the options that are not as by default.

    Returns:
        The folder: runs/NAME; with a digest, runs/NAME-ID, for other inputs or with options.
    """
    places = [str(each) if "://" in str(each) else str(Path(each).resolve()) for each in inputs]
    is_plain = places == [str(Path.cwd() / Path(inputs[0]).name)] and places[0].endswith(".pbn")
    if is_plain and not options:
        return Path("runs") / name
    told = "\0".join((*places, *options)).encode("utf-8", "surrogateescape")
    return Path("runs") / f"{name}-{sha256(told).hexdigest()[:8]}"

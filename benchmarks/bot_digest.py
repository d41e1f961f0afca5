"""Tell whether a bot is still the one that was measured."""

from __future__ import annotations

from hashlib import sha256
from importlib import resources
from pathlib import Path

from bridge_arena.bots.registry import parse

DATA = (".npz", ".txt")
"""The files of what a bot has learned or looks up."""


def bot_digest(spec: str) -> str:
    """Return the hash of a shipped bot's data files, hexadecimal; empty if it has none.

    Its program is left out: most changes of it change no call and no card.
    """
    package = parse(spec)[0].path.partition(":")[0].rpartition(".")[0]
    with resources.as_file(resources.files(package)) as folder:
        files = sorted(path for path in Path(folder).rglob("*") if path.suffix in DATA)
        data = [path.read_bytes() for path in files]
    return sha256(b"".join(data)).hexdigest()[:16] if data else ""

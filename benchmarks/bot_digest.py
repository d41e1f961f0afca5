"""Tell whether a bot is still the one that was measured."""

from __future__ import annotations

from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Literal

from bridge_arena.bots.registry import parse

DATA = (".npz", ".txt")
"""The files of what a bot has learned or looks up."""

Choice = Literal["calls", "cards"]

MADE_OF: dict[str, dict[Choice, tuple[str, ...]]] = {
    "champion": {
        "calls": ("bridge_arena.bots.neural", "bridge_arena.bots.library.tables"),
        "cards": ("bridge_arena.bots.champion", "bridge_arena.bots.fastplay"),
    },
}
"""The bots whose data files are those of others: the packages by which they choose.

The cards of `champion` are measured where `natural` bids for it.
"""


def bot_digest(spec: str, choice: Choice) -> str:
    """Return the hash of a shipped bot's data files, hexadecimal; empty if it has none.

    Its program is left out: most changes of it change no call and no card.

    Args:
        spec: The bot.
        choice: What is measured of it.
    """
    bot = parse(spec)[0]
    own = bot.path.partition(":")[0].rpartition(".")[0]
    packages = MADE_OF[bot.name][choice] if bot.name in MADE_OF else (own,)
    data = [each for package in packages for each in _data(package)]
    return sha256(b"".join(data)).hexdigest()[:16] if data else ""


def identity(spec: str, choice: Choice) -> str:
    """Return what the results of a bot are kept under: its name and its files."""
    return f"{spec}@{bot_digest(spec, choice)}"


def _data(package: str) -> list[bytes]:
    with resources.as_file(resources.files(package)) as folder:
        files = sorted(path for path in Path(folder).rglob("*") if path.suffix in DATA)
        return [path.read_bytes() for path in files]

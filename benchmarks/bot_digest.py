"""Tell whether a bot is still the one that was measured."""

from __future__ import annotations

from hashlib import sha256
from importlib import resources
from pathlib import Path

from bridge_arena.bots.registry import parse

DATA = (".npz", ".txt")
"""The files of what a bot has learned or looks up."""

MADE_OF = {
    "champion": (
        "bridge_arena.bots.neural",
        "bridge_arena.bots.fastplay",
        "bridge_arena.bots.library.tables",
    ),
}
"""The bots whose data files are those of others: the packages that have them."""


OF_CARDS = "bridge_arena.bots.fastplay"
"""The package of the net by which a bot made of several chooses cards, and never calls."""


def bot_digest(spec: str, *, only_bids: bool = False) -> str:
    """Return the hash of a shipped bot's data files, hexadecimal; empty if it has none.

    Its program is left out: most changes of it change no call and no card. If it `only_bids`, so
    are the files by which it chooses cards.
    """
    bot = parse(spec)[0]
    own = bot.path.partition(":")[0].rpartition(".")[0]
    packages = [
        package
        for package in MADE_OF.get(bot.name, (own,))
        if not (only_bids and package == OF_CARDS)
    ]
    data = [each for package in packages for each in _data(package)]
    return sha256(b"".join(data)).hexdigest()[:16] if data else ""


def _data(package: str) -> list[bytes]:
    with resources.as_file(resources.files(package)) as folder:
        files = sorted(path for path in Path(folder).rglob("*") if path.suffix in DATA)
        return [path.read_bytes() for path in files]

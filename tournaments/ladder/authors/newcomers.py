"""Who may come to a ladder beside those who are there: names that nobody takes for another's."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import normalize

from bridge_arena.tournaments.ladder.players import LadderError, Player

MOST_OF_AUTHOR = 20
"""The most players of an author who adds them, retired ones too, as they stay for ever."""


def looks_like(name: str, others: Iterable[str]) -> str | None:
    """Return the first of other names that people may take for a name; None if there is none."""
    own = _look(name)
    return next((other for other in others if _look(other) == own), None)


def check_new_player(name: str, author: str, players: Iterable[Player]) -> None:
    """Check that an author may add a player of a name to these players. Raises LadderError."""
    players = list(players)
    taken = [name for player in players for name in (player.name, *player.remote_seats)]
    if (other := looks_like(name, taken)) is not None:
        raise LadderError(f"a player is called {other!r} already")
    if sum(player.author == author for player in players) >= MOST_OF_AUTHOR:
        raise LadderError(f"an author may add {MOST_OF_AUTHOR} players in all, retired ones too")


def check_new_author(name: str, authors: Iterable[str], promised: Iterable[str]) -> None:
    """Check that a new author may have a name. Raises LadderError.

    Args:
        name: The name.
        authors: The names of the authors.
        promised: Names that are kept for others.
    """
    if (other := looks_like(name, authors)) is not None:
        raise LadderError(f"an author is called {other!r} already")
    if looks_like(name, promised) is not None:
        raise LadderError(f"somebody else is to be called {name!r}, or nearly so: take another")


def _look(name: str) -> str:
    """Return what names have in common that people may take for each other."""
    return "".join(normalize("NFKC", normalize("NFKC", name).casefold()).split())

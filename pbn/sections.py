"""Words of the Auction and Play sections: calls, cards and seats, in loose forms too.

`pbn.read.auction` and `pbn.read.play` put them together.
"""

from __future__ import annotations

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.seats import Seat

_LOOSE_CALLS = {
    **dict.fromkeys(["P", "PAS", "PASS", "--"], "Pass"),
    **dict.fromkeys(["D", "DB", "DBL", "DOUBLE"], "X"),
    **dict.fromkeys(["R", "RD", "RDBL", "REDBL", "REDOUBLE"], "XX"),
}


def parse_call(word: str) -> Call:
    """Return a call in the standard's form or in a common loose form (`P`, `1N`, `Dbl`).

    Raises:
        NotationError: The word is not a call.
    """
    text = word.upper()
    if len(text) == 2 and text[1] == "N":
        text += "T"
    return Call(_LOOSE_CALLS.get(text, text))


def parse_card(word: str) -> Card:
    """Return a card, suit first; ten may be written 10.

    Args:
        word: The word.

    Returns:
        The card.

    Raises:
        NotationError: The word is not a card.
    """
    return Card(word.replace("10", "T"))


def parse_seat(value: str) -> Seat:
    """Return the seat in the value of a section's tag; raise NotationError if there is none."""
    return Seat.parse(value.strip())

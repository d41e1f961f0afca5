"""Words of the Auction and Play sections: calls, cards and seats, in common loose
forms too. What they mean together is for `pbn.read.auction` and `pbn.read.play`.
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
    """A call as the standard writes it or in a common loose form (`P`, `1N`, `Dbl`).

    Raises NotationError.
    """
    text = word.upper()
    if len(text) == 2 and text[1] == "N":
        text += "T"
    return Call(_LOOSE_CALLS.get(text, text))


def parse_card(word: str) -> Card:
    """A card, suit first; ten may be written 10. Raises NotationError."""
    return Card(word.replace("10", "T"))


def parse_seat(value: str) -> Seat:
    """The seat of a section's tag. Raises NotationError."""
    return Seat.parse(value.strip())

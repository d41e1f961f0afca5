"""An ending that tests play: a finesse against the king of spades, four tricks from
the end."""

from __future__ import annotations

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.view import View
from tests.bots.views import at_play

DEAL = Deal.parse("N:AQJT987.T942.4.3 K65.K876.7653.64 32.53.2.AKQJT987 4.AQJ.AKQJT98.52")

TRICKS = (
    "DA D4 D3 D2 C2 C3 C4 CA CK C5 HT C6 "
    "CQ DK H9 D5 CJ DQ SJ D6 CT DJ ST D7 C9 DT S9 H6 C8 D9 S8 H7 C7 D8 S7 H8"
)
"""A diamond of West's, then South's eight clubs. North has the ace and queen of spades
left, and two hearts."""


def at_finesse(contract: str, seed: int = 1) -> View:
    """South has led the two of spades, West has followed with the four, and dummy, North,
    is to play the ace or the queen. East and West hold K 6 5 of spades and the four
    highest hearts. The ace is a ninth trick. The queen brings a tenth if West has the
    king; if East has it, and one of them three hearts, they take the rest."""
    return at_play(DEAL, contract, Seat.SOUTH, f"{TRICKS} S2 S4", seed=seed)

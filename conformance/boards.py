"""What the boards of the check are made of: deals, auctions, and the players of the other seats.

On the deals the bot, in South, meets rare situations. The players are simple, and always the same.
"""

from __future__ import annotations

from bridge_arena.bridge.calls import DOUBLE, PASS, REDOUBLE, Call
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.decision import Ask
from bridge_arena.protocol.messages import Thinking
from bridge_arena.protocol.view import View
from bridge_arena.server.faults import substitute_card

CROSS_RUFF = Deal.parse("N:9876.A..AKQJT987 54.KQJT.T9876.65 AKQJT.5432.AKQJ. 32.9876.5432.432")
"""In spades South, void in clubs, and North, void in diamonds, ruff both ways."""

TWO_VOIDS = Deal.parse("N:QJ.432.6543.7654 A.AKQJT98.A2.K32 T98765432..QJT9. K.765.K87.AQJT98")
"""South has no heart and no club: it discards at notrump or where hearts are trumps, and may
ruff where diamonds are."""

LAY_DOWN = Deal.parse("N:5432.432.432.432 T98.JT9.JT98.JT9 AKQJ.AKQ.AKQ.AKQ 76.8765.765.8765")
"""South takes all tricks."""

NOTHING = Deal.parse("N:AKQ.AKQ.AKQ2.AKQ JT98.JT9.JT98.JT 5432.5432.543.32 76.876.76.987654")
"""South has no honour."""


def calls(text: str) -> tuple[MadeCall, ...]:
    """Return the calls of a text, divided by spaces; P is Pass."""
    return tuple(MadeCall(Call("Pass" if word == "P" else word)) for word in text.split())


class Quiet:
    """A player that passes, plays the lowest card, claims nothing and accepts no claim."""

    thoughts: tuple[Thinking, ...] = ()

    def call(self, view: View) -> Call | MadeCall | Ask:
        """Pass."""
        del view
        return PASS

    def play(self, view: View) -> Card | Ask:
        """Play the lowest legal card."""
        return substitute_card(view.legal_cards())

    def claim(self, view: View) -> int | None:
        """Claim nothing."""
        del view
        return None

    def answer_claim(self, view: View) -> bool:
        """Accept no claim."""
        del view
        return False


class Overbidder(Quiet):
    """A player that makes the lowest legal bid."""

    def call(self, view: View) -> Call | MadeCall | Ask:
        """Make the lowest legal bid, or pass if there is none."""
        return next((call for call in view.legal_calls() if call.is_bid), PASS)


class Doubler(Quiet):
    """A player that doubles and redoubles whenever it may."""

    def call(self, view: View) -> Call | MadeCall | Ask:
        """Redouble or double if that is legal, else pass."""
        legal = view.legal_calls()
        return next((call for call in (REDOUBLE, DOUBLE) if call in legal), PASS)


class Claimer(Quiet):
    """A player that claims as declarer in the first and fourth trick, and accepts every claim."""

    def claim(self, view: View) -> int | None:
        """Claim half of the tricks left in the first trick, and all of them in the fourth."""
        done = len(view.playing.tricks)
        left = 13 - done
        return {0: left // 2, 3: left}.get(done)

    def answer_claim(self, view: View) -> bool:
        """Accept every claim."""
        del view
        return True


class Doubter(Claimer):
    """A Claimer that accepts claims only from the fourth trick on."""

    def answer_claim(self, view: View) -> bool:
        """Accept claims from the fourth trick on."""
        return len(view.playing.tricks) >= 3

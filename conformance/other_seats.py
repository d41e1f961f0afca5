"""The players of the other three seats: simple, and always the same."""

from __future__ import annotations

from bridge_arena.bridge.calls import DOUBLE, PASS, REDOUBLE, Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.decision import Ask
from bridge_arena.protocol.messages import Thinking
from bridge_arena.protocol.view import View
from bridge_arena.server.faults import substitute_card


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

"""Who sits in the other three seats: simple players who always do the same."""

from __future__ import annotations

from bridge_arena.bridge.calls import DOUBLE, PASS, REDOUBLE, Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.decision import Ask
from bridge_arena.protocol.messages import Thinking
from bridge_arena.protocol.view import View
from bridge_arena.server.faults import substitute_card


class Quiet:
    """Passes, plays the lowest card, claims nothing and accepts no claim."""

    thoughts: tuple[Thinking, ...] = ()

    def call(self, view: View) -> Call | MadeCall | Ask:
        del view
        return PASS

    def play(self, view: View) -> Card | Ask:
        return substitute_card(view.legal_cards())

    def claim(self, view: View) -> int | None:
        del view
        return None

    def answer_claim(self, view: View) -> bool:
        del view
        return False


class Overbidder(Quiet):
    """Makes the lowest bid there is."""

    def call(self, view: View) -> Call | MadeCall | Ask:
        return next((call for call in view.legal_calls() if call.is_bid), PASS)


class Doubler(Quiet):
    """Doubles and redoubles whatever it may."""

    def call(self, view: View) -> Call | MadeCall | Ask:
        legal = view.legal_calls()
        return next((call for call in (REDOUBLE, DOUBLE) if call in legal), PASS)


class Claimer(Quiet):
    """As declarer claims half of what is left in the first trick, and all of it in the
    fourth; accepts every claim."""

    def claim(self, view: View) -> int | None:
        done = len(view.playing.tricks)
        left = 13 - done
        return {0: left // 2, 3: left}.get(done)

    def answer_claim(self, view: View) -> bool:
        del view
        return True


class Doubter(Claimer):
    """Claims as well, but accepts only when all of the tricks left are claimed, from the
    fourth on."""

    def answer_claim(self, view: View) -> bool:
        return len(view.playing.tricks) >= 3

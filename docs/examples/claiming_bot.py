"""Plays as baseline does, but claims when its hand is high, and asks what alerts mean."""

from bridge_arena import Ask, Suit, run
from bridge_arena.bots.baseline.bot import BaselineBot


class ClaimingBot(BaselineBot):
    name = "claiming"

    def call(self, view):
        last = len(view.calls) - 1
        if last >= 0 and view.calls[last].alert and last not in view.explained:
            return Ask(last)
        return super().call(view)

    def claim(self, view):
        if view.play.trick or view.play.turn != view.seat:
            return None
        trump = view.play.trump
        if trump is not None and view.unseen.length(trump):
            return None
        mine, others = view.held(view.seat), view.unseen | view.held(view.seat.partner)
        held = [(mine.suit(suit), others.suit(suit)) for suit in Suit]
        high = all(min(ours) > max(theirs) for ours, theirs in held if ours and theirs)
        return len(mine) if high else None


run(ClaimingBot)

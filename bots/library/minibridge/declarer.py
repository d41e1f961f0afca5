"""The base of bots that have learned to declare at notrump."""

from __future__ import annotations

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bridge.cards import Card
from bridge_arena.protocol.view import View


class DeclarerBot(BaselineBot):
    """A declarer at notrump that plays by what it has learned.

    As a defender, in suit contracts and where nothing was learned it plays cards as `baseline`
    does. `bidding` is the bidding system.
    """

    def play(self, view: View) -> Card:
        """Choose the learned card as declarer at notrump, otherwise the card of `baseline`."""
        play = view.playing
        if play.trump is None and play.player == play.declarer:
            card = self.learned_card(view)
            if card is not None:
                return card
        return super().play(view)

    def learned_card(self, view: View) -> Card | None:
        """Return the learned card: a legal one, or None if nothing was learned."""
        raise NotImplementedError

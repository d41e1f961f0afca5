"""A bot that has learned to declare at notrump: what such bots share."""

from __future__ import annotations

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.library.minibridge.states import state_at_table
from bridge_arena.bridge.cards import CARDS, Card
from bridge_arena.protocol.view import View


class DeclarerBot(BaselineBot):
    """Declares at notrump by what was learned; plays cards as `baseline` does as a defender, in
    suit contracts, and where nothing was learned. `bidding`: the bidding system."""

    def play(self, view: View) -> Card:
        play = view.playing
        if play.trump is None and play.player == play.declarer:
            legal = view.legal_cards()
            held = [view.held(seat) for seat in (play.declarer, play.dummy)]
            hands = sum(hand.mask for hand in held if hand is not None)
            card = self.learned_card(state_at_table(play, hands), legal.mask)
            if card is not None:
                return CARDS[card]
        return super().play(view)

    def learned_card(self, state: int, legal: int) -> int | None:
        """The card to play, one of a set, in a state with the hands
        (`bots.library.minibridge.states`); None where nothing was learned."""
        raise NotImplementedError

"""The base of bots that have learned to declare at notrump."""

from __future__ import annotations

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.library.minibridge.states import state_at_table
from bridge_arena.bridge.cards import CARDS, Card
from bridge_arena.protocol.view import View


class DeclarerBot(BaselineBot):
    """A declarer at notrump that plays by what it has learned.

    As a defender, in suit contracts and where nothing was learned it plays cards as `baseline`
    does.

    `bidding`: the bidding system.
    """

    def play(self, view: View) -> Card:
        """Choose the learned card as declarer at notrump, otherwise the card of `baseline`."""
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
        """Return the learned card.

        Args:
            state: The state with the hands (`bots.library.minibridge.states`).
            legal: The set of cards that may be played.

        Returns:
            A legal card, or None if nothing was learned.
        """
        raise NotImplementedError

"""The bots that declare by a learned table."""

from __future__ import annotations

from bridge_arena.bots.library.bidding_systems import SystemName
from bridge_arena.bots.library.learning.arrays import SHIPPED, read_named
from bridge_arena.bots.library.minibridge.declarer import DeclarerBot
from bridge_arena.bots.library.minibridge.games import state_at_table
from bridge_arena.bots.qplay.card_table import CardTable, shipped
from bridge_arena.bridge.cards import CARDS, Card
from bridge_arena.protocol.view import View


class TableBot(DeclarerBot):
    """A declarer at notrump that plays by a learned table."""

    package = ""  # the folder of the table that ships

    def __init__(self, weights: str = SHIPPED, bidding: SystemName = "simple") -> None:
        super().__init__(bidding)
        if weights == SHIPPED:
            self._table = shipped(self.package)
        else:
            self._table = read_named(weights, CardTable.read)

    def learned_card(self, view: View) -> Card | None:
        """Return the card of the highest value, or None if the table has none."""
        play = view.playing
        held = [view.held(seat) for seat in (play.declarer, play.dummy)]
        hands = sum(hand.mask for hand in held if hand is not None)
        card = self._table.best(state_at_table(play, hands), view.legal_cards().mask)
        return None if card is None else CARDS[card]


class QPlayBot(TableBot):
    """A declarer at notrump that plays by a table of values of Q-learning.

    The table has learned from games that a random declarer won (after Hadjur, 2018). As a defender,
    in suit contracts, and in states that the table does not have, the bot plays cards as `baseline`
    does. It bids as `baseline` does too.

    Args:
        weights: A file that `arena train qplay` has made, or `shipped`.
        bidding: The bidding system.
    """

    name = "qplay"
    package = "bridge_arena.bots.qplay"

"""The second version: it also counts the length of its longest suit."""

import json
from pathlib import Path

from bridge_arena import PASS, Bot, Call, Denomination, hcp, longest_suit, run


class MyBot(Bot):
    name = "my bot 2"

    def __init__(self):
        self.weights = json.loads(Path("weights.json").read_text())

    def call(self, view):
        is_open = any(made.call.is_bid for made in view.calls)
        suit = longest_suit(view.hand)
        length = self.weights["length"] * (view.hand.length(suit) - 4)
        if is_open or hcp(view.hand) + length < self.weights["opening"]:
            return PASS
        return Call.bid(1, Denomination(suit))

    def play(self, view):
        return min(view.legal_cards(), key=lambda card: card.rank)


run(MyBot)

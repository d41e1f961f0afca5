"""The first version: it opens with as many points as its weights say."""

import json
from pathlib import Path

from bridge_arena import PASS, Bot, Call, Denomination, hcp, longest_suit, run


class MyBot(Bot):
    name = "my bot 1"

    def __init__(self):
        self.weights = json.loads(Path("weights.json").read_text())

    def call(self, view):
        is_open = any(made.call.is_bid for made in view.calls)
        if is_open or hcp(view.hand) < self.weights["opening"]:
            return PASS
        return Call.bid(1, Denomination(longest_suit(view.hand)))

    def play(self, view):
        return min(view.legal_cards(), key=lambda card: card.rank)


run(MyBot)

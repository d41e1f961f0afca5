from bridge_arena import Bot, run


class LowBot(Bot):
    def call(self, view):
        return view.legal_calls()[0]  # Pass

    def play(self, view):
        return min(view.legal_cards(), key=lambda card: card.rank)


run(LowBot)

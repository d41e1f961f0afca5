"""Opens on points, asks what alerts mean, and claims when its hand is high."""

from bridge_arena import PASS, Ask, Bot, Call, Denomination, Suit, hcp, longest_suit, run


class ClaimingBot(Bot):
    name = "claiming"

    def call(self, view):
        last = len(view.calls) - 1
        if last >= 0 and view.calls[last].alert and last not in view.explained:
            return Ask(last)
        opening = Call.bid(1, Denomination(longest_suit(view.hand)))
        if hcp(view.hand) >= 12 and view.auction.is_legal(opening):
            return opening
        return PASS

    def play(self, view):
        return max(view.legal_cards(), key=lambda card: card.rank)

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

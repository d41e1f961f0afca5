from bridge_arena import (
    PASS,
    Bot,
    Call,
    Denomination,
    Explanation,
    MadeCall,
    hcp,
    longest_suit,
    run,
    winning_index,
)


class PointsBot(Bot):
    name = "points"

    def call(self, view):
        suit = longest_suit(view.hand)
        partner_bids = [made.call for made in view.calls_of(view.seat.partner) if made.call.is_bid]
        if not any(made.call.is_bid for made in view.calls) and hcp(view.hand) >= 12:
            meaning = Explanation("opening", hcp=(12, 37), lengths={suit: (4, 13)})
            return MadeCall(Call.bid(1, Denomination(suit)), explanation=meaning)
        if partner_bids and not view.calls_of(view.seat) and hcp(view.hand) >= 6:
            raised = Call.bid(2, partner_bids[-1].denomination)
            trump = raised.denomination.trump
            if trump is not None and view.hand.length(trump) >= 4 and view.auction.is_legal(raised):
                return MadeCall(raised, explanation=Explanation("raise", (6, 37), {trump: (4, 13)}))
        return PASS

    def play(self, view):
        cheapest_first = sorted(view.legal_cards(), key=lambda card: card.rank)
        trick = view.play.trick
        for card in cheapest_first if trick else []:
            if winning_index([*trick, card], view.play.trump) == len(trick):
                return card
        return cheapest_first[0]


run(PointsBot)

"""Views for the tests of bots: what a seat knows after some calls and cards."""

from __future__ import annotations

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call, Contract
from bridge_arena.bridge.cards import CARDS, Card, Deal, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.protocol.messages import (
    AuctionEnd,
    BoardStart,
    CallMade,
    CardPlayed,
    DummyShown,
    Message,
    TrickEnd,
)
from bridge_arena.protocol.view import View

PASSES = "Pass Pass Pass"


def new_view(seat: Seat, board: Board, *, seed: int = 1, cheat: bool = False) -> View:
    """Return what `seat` knows when it has taken up its cards."""
    start = BoardStart(
        table="t",
        board=board.number,
        seq=1,
        dealer=board.dealer,
        vulnerability=board.vulnerability,
        hand=board.deal[seat],
        seed=seed,
        deal=board.deal if cheat else None,
    )
    return View(seat, start)


def hold(hand: str, calls: str = "") -> View:
    """A hand (spades first) to bid with, when the calls so far, from the dealer on, have
    been made. Whose turn it is holds the hand; North deals."""
    made = calls.split()
    seat = SEATS[len(made) % 4]
    held = Hand.parse(hand)
    assert len(held) == 13, hand
    others = [card for card in CARDS if card not in held]
    hands = [Hand.of(others[start : start + 13]) for start in (0, 13, 26)]
    hands.insert(seat, held)
    deal = Deal((hands[0], hands[1], hands[2], hands[3]))
    view = new_view(seat, Board(1, Seat.NORTH, Vulnerability.NONE, deal))
    for call in made:
        view.apply(call_made(Seat.NORTH, view.auction, call))
    return view


def call_made(dealer: Seat, auction: Auction, call: str | Call) -> CallMade:
    seat = SEATS[(dealer + len(auction.calls)) % 4]
    return CallMade(table="t", board=1, seq=2, seat=seat, call=Call(str(call)))


def at_play(
    deal: Deal,
    contract: str,
    declarer: Seat,
    cards: str = "",
    *,
    cheat: bool = False,
    seed: int = 1,
) -> View:
    """The view of who must play when `cards` have been played: declarer's for dummy."""
    board = Board(1, declarer, Vulnerability.NONE, deal)
    play = Play(Contract.parse(contract, declarer))
    events: list[Message] = [
        AuctionEnd(table="t", board=1, seq=3, contract=contract, declarer=declarer)
    ]
    for text in cards.split():
        card = Card(text)
        assert card in deal[play.turn], f"{play.turn} does not hold {card}"
        events.append(CardPlayed(table="t", board=1, seq=4, seat=play.turn, card=card))
        trick = play.push(card)
        if len(play.cards) == 1:
            hand = deal[play.dummy]
            events.append(DummyShown(table="t", board=1, seq=5, seat=play.dummy, hand=hand))
        if trick is not None:
            events.append(TrickEnd(table="t", board=1, seq=6, winner=trick.winner))
    view = new_view(play.player, board, cheat=cheat, seed=seed)
    for call in (contract, *PASSES.split()):
        view.apply(call_made(declarer, view.auction, call))
    for event in events:
        view.apply(event)
    return view


def turned(deal: Deal, view: View, shift: int) -> Deal:
    """The deal with the cards that the seat of `view` cannot see moved around among their
    places by `shift`: it may not have been able to tell the two deals apart."""
    left = [deal[seat] - view.played[seat] for seat in SEATS if view.held(seat) is None]
    cards = [card for hand in left for card in hand]
    cards = cards[shift:] + cards[:shift]
    hands: list[Hand] = []
    for seat in SEATS:
        held = view.held(seat)
        if held is None:
            size = 13 - len(view.played[seat])
            held, cards = Hand.of(cards[:size]), cards[size:]
        hands.append(held | view.played[seat])
    return Deal((hands[0], hands[1], hands[2], hands[3]))

"""Positions that come up in random play, as the player sees them whose turn it is."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import strategies as st

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board, random_deal
from bridge_arena.bridge.calls import PASS
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.protocol.messages import (
    AuctionEnd,
    CallMade,
    CardPlayed,
    DummyShown,
    Message,
)
from bridge_arena.protocol.view import View
from tests.bots.views import new_view


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: all four hands, and what the player sees who is asked."""

    deal: Deal
    view: View


def random_turn(seed: int, length: int) -> Turn:
    """The turn after `length` random calls and cards, or the last of a shorter board."""
    random = Random(seed)
    dealer = SEATS[random.randrange(4)]
    vulnerability = random.choice(list(Vulnerability))
    board = Board(1, dealer, vulnerability, random_deal(seed, 1))
    auction = Auction(dealer)
    about: dict[str, Any] = {"table": "t", "board": 1, "seq": 2}
    events: list[Message] = []
    while not auction.is_over and len(events) < length:
        legal = auction.legal_calls()
        call = PASS if random.random() < 0.5 else random.choice(legal[:8])
        events.append(CallMade(seat=auction.turn, call=call, **about))
        auction.push(call)
    contract = auction.contract
    if not auction.is_over:
        return _turn(auction.turn, board, events)
    if contract is None:  # passed out
        return random_turn(seed + 1, length)
    events.append(AuctionEnd(contract=str(contract), declarer=contract.declarer, **about))
    play = Play(contract)
    held = list(board.deal.hands)
    while len(play.cards) < min(51, length - len(auction.calls)):
        card = random.choice(list(play.legal_cards(held[play.turn])))
        events.append(CardPlayed(seat=play.turn, card=card, **about))
        held[play.turn] = held[play.turn].without(card)
        play.push(card)
        if len(play.cards) == 1:
            events.append(DummyShown(seat=play.dummy, hand=board.deal[play.dummy], **about))
    return _turn(play.player, board, events)


def _turn(seat: Seat, board: Board, events: list[Message]) -> Turn:
    view = new_view(seat, board)
    for event in events:
        view.apply(event)
    return Turn(board.deal, view)


TURNS = st.builds(random_turn, st.integers(0, 2**32), st.integers(0, 80))

"""Tests of the text for a model: what its seat knows, and strangers' words as data."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.llm.prompt import MOST_QUOTED, position_text, quoted
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.protocol.messages import (
    AuctionEnd,
    CallMade,
    CardPlayed,
    DummyShown,
)
from bridge_arena.protocol.view import View
from tests.bots.views import new_view

DEAL = Deal.parse("N:52.J76.KQJ874.T9 AK3.T9854.T.K832 Q976.Q.9632.QJ74 JT84.AK32.A5.A65")


def after_a_lead(explanation: str = "balanced", deal: Deal = DEAL) -> View:
    """North's view, at its turn: East plays 3NT, South has led, West is dummy."""
    view = new_view(Seat.NORTH, Board(1, Seat.NORTH, Vulnerability.EW, deal))
    stamp: dict[str, Any] = {"table": "t", "board": 1, "seq": 2}
    for seat, call in zip(
        [*SEATS, *SEATS], "Pass 1NT Pass 3NT Pass Pass Pass".split(), strict=False
    ):
        told = Explanation(explanation, hcp=(15, 17)) if call == "1NT" else None
        view.apply(
            CallMade(**stamp, seat=seat, call=Call(call), alert=bool(told), explanation=told)
        )
    view.apply(AuctionEnd(**stamp, contract="3NT", declarer=Seat.EAST))
    view.apply(CardPlayed(**stamp, seat=Seat.SOUTH, card=Card("D2")))
    view.apply(DummyShown(**stamp, seat=Seat.WEST, hand=DEAL[Seat.WEST]))
    view.apply(CardPlayed(**stamp, seat=Seat.WEST, card=Card("DA")))
    return view


def test_a_position_in_the_play_is_told_in_words() -> None:
    assert (
        position_text(after_a_lead())
        == """\
You are North; your partner is South.
Dealer: North. Vulnerable: East-West.
Your hand: S: 52  H: J76  D: KQJ874  C: T9
The auction so far:
  North: Pass
  East: 1NT (alerted), says: «balanced [hcp 15-17]»
  South: Pass
  West: 3NT
  North: Pass
  East: Pass
  South: Pass
The contract: 3NT by East.
Dummy, West, holds: S: JT84  H: AK32  D: 5  C: A65
Tricks won: North-South 0, East-West 0.
This trick: S D2, W DA
You play from your own hand."""
    )


def test_no_hidden_card_is_told() -> None:
    """Whatever East and South hold between them, North is told the same."""
    north, east, south, west = DEAL.hands
    assert position_text(after_a_lead()) == position_text(
        after_a_lead(deal=Deal((north, south, east, west)))
    )


def test_a_seat_that_has_seen_nothing_is_told_who_deals() -> None:
    view = new_view(Seat.NORTH, Board(1, Seat.NORTH, Vulnerability.NONE, DEAL))
    assert position_text(view).splitlines() == [
        "You are North; your partner is South.",
        "Dealer: North. Vulnerable: nobody.",
        "Your hand: S: 52  H: J76  D: KQJ874  C: T9",
        "There is no call yet.",
    ]


@given(st.text() | st.text("«»\n\u2028\u202e ab", max_size=50))
def test_no_text_can_end_its_own_quotation(text: str) -> None:
    found = quoted(text)
    assert (found[0], found[-1]) == ("«", "»")
    assert not set("«»") & set(found[1:-1])
    assert found.isprintable()
    assert len(found) <= MOST_QUOTED + 2


@given(st.text(max_size=500))
def test_what_an_opponent_says_stays_within_its_quotation(text: str) -> None:
    """Without the quotations, the position is the same whatever the opponent has said."""
    bare = [re.sub("«.*?»", "", position_text(after_a_lead(said))) for said in (text, "balanced")]
    assert bare[0] == bare[1]

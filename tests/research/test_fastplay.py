"""Tests of the questions that the benchmark of fastplay asks about recorded games."""

from __future__ import annotations

from io import BytesIO

import pytest

from bridge_arena.bots.fastplay.net import features, position_of
from bridge_arena.bots.library.sampling.beliefs import beliefs
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from bridge_arena.pbn.read.records import read_records
from research.fastplay import after_the_lead, double_dummy
from tests.bots.views import at_play

pytestmark = pytest.mark.slow

DEAL = Deal.parse("N:AK6.K65.AQJ5.K32 J54.QJ7.T76.QJT9 Q32.A432.K32.654 T987.T98.984.A87")

GAME = f"""[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{DEAL}"]
[Declarer "N"]
[Contract "3NT"]
[Result "9"]
[Auction "N"]
3NT Pass Pass Pass
[Play "E"]
CQ C4 C7 CK
"""


def test_the_position_is_what_declarer_sees_after_the_lead() -> None:
    (record,) = read_records(BytesIO(GAME.encode()))
    view = at_play(DEAL, "3NT", Seat.NORTH, "CQ")
    by_record, by_view = after_the_lead(record), position_of(view, beliefs(view, Natural()))
    for one, other in ((by_record.place, by_view.place), (by_record.turn, by_view.turn)):
        assert one == other
    assert (features(by_record).suits == features(by_view).suits).all()


def test_declarers_tricks_after_the_lead() -> None:
    (record,) = read_records(BytesIO(GAME.encode()))
    play = Play(Contract.parse("3NT", Seat.NORTH))
    lost = card_values(Position.of(play, DEAL.hands))
    assert double_dummy(record) == 13 - lost[Card("CQ")]

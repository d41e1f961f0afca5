"""Positions there and back, as requests and as views, and those that cannot come up."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.http_robot.position import (
    Kind,
    ParameterError,
    Position,
    parameters_of,
    position_of,
)
from bridge_arena.protocol.messages import YourTurn
from tests.bots.views import turned
from tests.protocol.http_robot.positions import TURNS, Turn, random_turn


@given(TURNS)
def test_a_request_tells_the_position(turn: Turn) -> None:
    position = Position.of(turn.view)
    assert position_of(position.kind, parameters_of(position)) == position


@given(TURNS)
def test_the_view_of_a_position_is_the_player_s(turn: Turn) -> None:
    seen, rebuilt = turn.view, Position.of(turn.view).view()
    assert rebuilt.hand == seen.hand
    assert rebuilt.auction == seen.auction
    assert rebuilt.dummy_hand == seen.dummy_hand
    assert rebuilt.played == seen.played
    assert rebuilt.deal is None
    assert (rebuilt.play is None) == (seen.play is None)
    if seen.play is not None:
        assert rebuilt.playing.cards == seen.play.cards
        assert rebuilt.legal_cards() == seen.legal_cards()
    else:
        assert rebuilt.legal_calls() == seen.legal_calls()
    assert rebuilt.turn is not None


@given(TURNS, st.integers(1, 25))
def test_what_the_player_does_not_see_changes_no_byte(turn: Turn, shift: int) -> None:
    """Nor does the request hold a card that only others know."""
    told = parameters_of(Position.of(turn.view))
    other = turned(turn.deal, turn.view, shift)
    for seat in Seat:
        if turn.view.held(seat) is None:
            assert str(turn.deal[seat]) not in told.values()
            assert str(other[seat]) not in told.values()
    assert set(told) <= {"hand", "seat", "dealer", "vul", "ctx", "dummy", "played"}


@given(TURNS)
def test_equal_positions_are_equal_boards(turn: Turn) -> None:
    """The seed too, so that a bot with a generator of its own answers them alike."""
    position = Position.of(turn.view)
    messages = position.messages("t", 7, seconds=1.0)
    assert messages == position.messages("t", 7, seconds=1.0)
    assert [each.seq for each in messages] == [*range(1, len(messages) + 1)]
    assert isinstance(messages[-1], YourTurn)


@given(TURNS, st.sampled_from(Seat))
def test_only_whose_turn_it_is_may_ask(turn: Turn, seat: Seat) -> None:
    position = Position.of(turn.view)
    if seat != position.seat:
        with pytest.raises(ParameterError):
            replace(position, seat=seat)


def test_declarer_asks_for_dummy_s_cards() -> None:
    turns = [random_turn(seed, length) for seed in range(5) for length in range(4, 60)]
    plays = [each.view for each in turns if each.view.play is not None]
    for_dummy = [view for view in plays if view.playing.turn == view.playing.dummy]
    assert for_dummy
    for view in for_dummy:
        assert Position.of(view).seat == view.playing.declarer


BID = {"hand": "AK97543.K.T3.AK7", "seat": "S", "dealer": "N", "vul": "", "ctx": "1C-P"}
LEAD = {**BID, "dealer": "W", "vul": "NS", "ctx": "P-P-1N-P-P-P"}
PLAY = {
    "hand": "AK97543.K.T3.AK7",
    "dummy": "2.AQJ.AQJ9.QJT98",
    "seat": "S",
    "dealer": "S",
    "vul": "Both",
    "ctx": "1S-P-2C-P-3N-P-P-P",
    "played": "H2",
}
GOOD = {Kind.BID: BID, Kind.LEAD: LEAD, Kind.PLAY: PLAY}


@pytest.mark.parametrize("kind", Kind)
def test_the_positions_that_others_spoil_are_good_themselves(kind: Kind) -> None:
    assert position_of(kind, GOOD[kind]).kind is kind


@pytest.mark.parametrize(
    ("kind", "wrong", "complaint"),
    [
        (Kind.BID, {"hand": None}, "hand: it is missing"),
        (Kind.BID, {"hand": "AK97543.K.T3"}, "hand: 'AK97543.K.T3' is not a hand"),
        (Kind.BID, {"hand": "AK97543.K.T3.AK"}, "hand: 12 cards, not 13"),
        (Kind.BID, {"hand": "AK97543.K.T3.AKQ7"}, "hand: 14 cards, not 13"),
        (Kind.BID, {"hand": "AA97543.K.T3.AK7"}, "hand: .* names SA twice"),
        (Kind.BID, {"seat": "Q"}, "seat: 'Q' is not a seat"),
        (Kind.BID, {"seat": "W"}, "seat: it is the turn of S, not W"),
        (Kind.BID, {"dealer": ""}, "dealer: '' is not a seat"),
        (Kind.BID, {"vul": "@v"}, "vul: '@v' is not a vulnerability"),
        (Kind.BID, {"ctx": "1C-1B"}, "ctx: '1B' is not a call"),
        (Kind.BID, {"ctx": "2C-1S"}, "ctx: call 2: 1S by E is illegal: insufficient"),
        (Kind.BID, {"ctx": "X-P"}, "ctx: call 1: X by N is illegal"),
        (Kind.BID, {"ctx": "P-P-P-P"}, "ctx: the board is passed out"),
        (Kind.BID, {"ctx": "P-P-P-P-1C"}, "ctx: call 5: 1C by N is illegal: the auction is over"),
        (Kind.BID, {"ctx": "P-P-P-1C-P-P-P"}, "seat: it is the turn of N, not S"),
        (Kind.BID, {"ctx": "P-1C-P-P-P"}, "ctx: the auction is over"),
        (Kind.BID, {"played": "H2"}, "played: the auction is not over"),
        (Kind.BID, {"dummy": "2.AQJ.AQJ9.QJT98"}, "dummy: the auction is not over"),
        (Kind.LEAD, {"ctx": "P-P-P"}, "ctx: the auction is not over"),
        (Kind.LEAD, {"dummy": "2.AQJ.AQJ9.QJT98"}, "dummy: it is not seen before the opening"),
        (Kind.LEAD, {"seat": "N"}, "seat: it is the turn of S, not N"),
        (Kind.LEAD, PLAY, "played: the opening lead is made: ask /play"),
        (Kind.PLAY, {"played": ""}, "dummy: it is not seen before the opening lead"),
        (Kind.PLAY, {"played": "", "dummy": ""}, "seat: it is the turn of W, not S"),
        (Kind.PLAY, LEAD | {"played": "", "dummy": ""}, "played: no card is played: ask /lead"),
        (Kind.PLAY, {"dummy": ""}, "dummy: it is missing"),
        (Kind.PLAY, {"dummy": "2.AQJ.AQJ9.QJT9"}, "dummy: 12 cards, not 13"),
        (Kind.PLAY, {"dummy": "A.AQJ.QJ92.QJT98"}, "dummy: SA is in the hand too"),
        (Kind.PLAY, {"seat": "N"}, "seat: N is dummy: ask as S, who declares"),
        (Kind.PLAY, {"played": "H2HJ"}, "seat: it is the turn of E, not S"),
        (Kind.PLAY, {"played": "H"}, "played: 'H' is not a card"),
        (Kind.PLAY, {"played": "HK"}, "played: card 1: HK is illegal: W cannot hold it"),
        (Kind.PLAY, {"played": "H2H3"}, "played: card 2: H3 is illegal: N does not hold it"),
        (Kind.PLAY, {"played": "H2D9"}, "played: card 2: D9 is illegal: N can follow suit"),
        (Kind.PLAY, {"played": "H2HJH2"}, "card 3: H2 is illegal: it was played before"),
        # East discards on a heart, and then has one.
        (
            Kind.PLAY,
            {"played": "H2HJD2HK" + "D3D5DAD4" + "HAH3"},
            "card 10: H3 is illegal: E cannot hold it",
        ),
    ],
)
def test_impossible_positions_are_refused(
    kind: Kind, wrong: dict[str, str | None], complaint: str
) -> None:
    parameters = {name: text for name, text in (GOOD[kind] | wrong).items() if text is not None}
    with pytest.raises(ParameterError, match=complaint):
        position_of(kind, parameters)


def test_cards_that_nobody_can_hold_are_refused() -> None:
    """Both defenders show out of clubs, which leaves clubs in no hand."""
    played = "C2CQD2C7" + "CJD4CAC3"
    with pytest.raises(ParameterError, match=r"W and E have shown out|E and W have shown out"):
        position_of(Kind.PLAY, PLAY | {"played": "C2CQD2C7" + "CJD4CAD5"})
    assert position_of(Kind.PLAY, PLAY | {"played": played}).played


def test_a_board_that_is_over_has_no_position() -> None:
    turn = random_turn(3, 200)
    position = Position.of(turn.view)
    assert len(position.played) == 51
    (last,) = turn.view.legal_cards()
    with pytest.raises(ParameterError, match="the play is over"):
        replace(position, played=(*position.played, last))
    with pytest.raises(ParameterError, match="more than 52 cards"):
        replace(position, played=(*position.played, last, last))


def test_cards_in_the_order_of_pbn_are_not_read() -> None:
    """Each trick from one seat on: who played which card would be mistaken."""
    position_of(Kind.PLAY, PLAY | {"format": "false"})
    with pytest.raises(ParameterError, match="format: cards are read in the order played alone"):
        position_of(Kind.PLAY, PLAY | {"format": "True"})


def test_what_nobody_asked_for_is_ignored() -> None:
    assert position_of(Kind.BID, BID | {"user": "me", "tournament": "mp"}) == position_of(
        Kind.BID, BID
    )

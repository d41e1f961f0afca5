"""Tests of what a returning seat is told: everything, in one frame."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.calls import CALLS, Call
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.codec import decode_server, encode, frame
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import (
    MAX_FRAME,
    BoardEvent,
    BoardStart,
    CallMade,
    Welcome,
    YourTurn,
)
from bridge_arena.protocol.outgoing import HEADROOM
from bridge_arena.protocol.session import ClientSession
from bridge_arena.protocol.view import View
from bridge_arena.server.claims import Claims
from tests.server.tables import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    RecordingTable,
    kinds,
    new_table,
    random_move,
    reply,
    say,
    say_all,
    seen_by,
    snapshot_of,
    table_at_play,
)


def told_by(events: list[BoardEvent], seat: Seat) -> View:
    start, *rest = events
    assert isinstance(start, BoardStart)
    view = View(seat, start)
    for event in rest:
        view.apply(event)
    return view


def knowledge(view: View) -> tuple[object, ...]:
    """All that a view holds, but for what was asked."""
    play = view.play
    return (
        view.hand,
        view.deal,
        view.dummy_hand,
        view.declarer_hand,
        view.seed,
        view.calls,
        view.played,
        view.claim,
        view.turn,
        view.result,
        None if play is None else (play.cards, play.won, play.turn),
    )


@given(st.integers(0, 2**32), st.sampled_from(SEATS), st.integers(0, 90))
def test_a_seat_knows_afterwards_what_it_knew_before(seed: int, seat: Seat, length: int) -> None:
    rng = Random(seed)
    table = new_table(number=1 + seed % 16, claims=Claims.PLAYERS)
    table.start(0.0)
    for _ in range(length):
        if table.turn is not None:
            say(table, "XX" if rng.random() < 0.05 else random_move(rng, table))
    heard = [m for m in seen_by(seat, table.events) if isinstance(m, BoardEvent)]
    shown = snapshot_of(table, seat)
    before, after = told_by(heard, seat), told_by(list(shown.events), seat)
    open_turn = table.turn_of(seat)
    assert after.turn == open_turn
    before.turn = after.turn  # one that was answered is not closed by what only others saw
    assert knowledge(after) == knowledge(before)


def test_only_the_open_turn_is_told() -> None:
    table = new_table()
    table.start(0.0)
    say_all(table, "Pass Pass Pass 1NT Pass Pass")
    say(table, "XX")
    assert kinds(snapshot_of(table, SOUTH).events) == "BoardStart " + " ".join(["CallMade"] * 6) + (
        " YourTurn"
    )
    assert not kinds(snapshot_of(table, WEST).events).endswith("YourTurn")


def test_a_claim_that_is_open_is_told_with_its_turn() -> None:
    table = table_at_play(claims=Claims.PLAYERS)
    say_all(table, "DK DT D2")
    say(table, "claim=9")
    assert kinds(snapshot_of(table, NORTH).events).endswith("ClaimMade YourTurn")
    reply(table, NORTH, "accept")
    assert kinds(snapshot_of(table, NORTH).events).endswith("ClaimMade")
    assert kinds(snapshot_of(table, SOUTH).events).endswith("ClaimMade YourTurn")
    assert kinds(snapshot_of(table, WEST).events).endswith("ClaimMade")


def longest_auction(length: int) -> RecordingTable:
    """Every bid there is, each after passes, doubled and redoubled; all explained at
    `length` characters of four bytes."""
    table = new_table()
    table.start(0.0)
    calls = ["Pass"] * 3
    for bid in [str(call) for call in CALLS if call.is_bid]:
        calls += [bid, "Pass", "Pass", "X", "Pass", "Pass", "XX", "Pass", "Pass"]
    for number, call in enumerate(calls):
        text = f"{number:3}" + "\U0001f0a1" * length
        say(table, MadeCall(Call(call), alert=True, explanation=Explanation(text)))
    return table


@pytest.mark.parametrize("length", [0, 60, 497])
def test_the_longest_auction_fits_in_a_frame(length: int) -> None:
    table = longest_auction(length)
    assert len(table.calls) == 318
    for seat in SEATS:
        shown = snapshot_of(table, seat)
        data = frame([encode(shown)])
        assert len(data) <= MAX_FRAME - HEADROOM
        assert decode_server(data) == [shown]
        made = [event for event in shown.events if isinstance(event, CallMade)]
        assert [event.call for event in made] == [each.call for each in table.calls]


def test_the_longest_explanations_are_left_out_first_and_no_more_than_need_be() -> None:
    table = longest_auction(60)
    shown = snapshot_of(table, NORTH)
    kept = [e for e in shown.events if isinstance(e, CallMade) and e.explanation is not None]
    assert 20 < len(kept) < 318 * 3 / 4
    # Another of them would not have fitted.
    room = MAX_FRAME - HEADROOM - len(frame([encode(shown)]))
    assert 0 <= room < max(len(encode(event)) for event in kept)
    short = new_table()
    short.start(0.0)
    say(short, MadeCall(Call("1C"), explanation=Explanation("x" * 500)))
    (call,) = (e for e in snapshot_of(short, EAST).events if isinstance(e, CallMade))
    assert call.explanation == Explanation("x" * 500)


# The client's end.


def test_a_client_that_comes_back_goes_on_where_it_was() -> None:
    table = table_at_play()
    say_all(table, "DK DT D2")
    welcome = Welcome(table="A1", seat=WEST, session="abc")
    client = ClientSession("tester", version="7")
    assert b"abc" not in client.hello()
    list(client.receive(frame([encode(welcome)])))
    for message in seen_by(WEST, table.events):
        list(client.receive(frame([encode(message)])))
    hello = client.hello()
    assert b"\xa6resume\xa3abc" in hello
    before = client.view
    shown = snapshot_of(table, WEST)
    again = Welcome(table="A1", seat=WEST, session="def")
    told = list(client.receive(frame([encode(again), encode(shown)])))
    assert told == [again, shown]
    assert client.welcome == again
    assert client.view is not None
    assert before is not None
    assert client.view is not before
    assert knowledge(client.view) == knowledge(before)
    assert isinstance(client.view.turn, YourTurn)
    assert client.view.turn == table.turn


def test_an_error_is_no_event_of_the_board() -> None:
    table = new_table()
    table.start(0.0)
    (error, *_) = seen_by(NORTH, say(table, "XX"))
    assert error.code == ErrorCode.ILLEGAL  # type: ignore[attr-defined]
    assert "Error" not in kinds(snapshot_of(table, NORTH).events)

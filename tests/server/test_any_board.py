"""Whatever the players of a table do, the board ends with a record that the Laws allow."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.portable_random import pick
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import FORFEITING, BoardRecord
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.codec import decode_client, encode, frame
from bridge_arena.protocol.messages import BoardEnd, BoardEvent, BoardStart, ClaimMade, ClaimSettled
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Event, Kibitzer, Viewer
from bridge_arena.server.claims import Claims
from bridge_arena.server.faults import LENIENT, Policies, Remedy
from bridge_arena.server.table import Table
from tests.server.tables import (
    RecordingTable,
    answer,
    happenings,
    kinds,
    new_table,
    random_move,
    seen_by,
    shown_to,
)

SEEDS = st.integers(0, 2**32)
NAMES = ("n", "e", "s", "w")
CONTROLS = ["60", "5", "board=40", "match=60+1", "10 board=120 match=90 lag=1"]
POLICIES = [
    LENIENT,
    Policies(retries=0),
    Policies(at_zero=Remedy.FORFEIT),
    Policies(retries=3, timeouts=3),
    Policies(retries=3, illegal=5),
]
MOST_STEPS = 3000
"""More than any board takes: of it, most are one call each, and a fifth is nonsense."""

NONSENSE = ["XX", "7NT", "SA", "accept", "refuse", "claim=13", "claim=1", "explain=0", "explain=9"]


def step(rng: Random, table: Table, now: float, risk: float) -> list[Event]:
    """Somebody does something, right or wrong."""
    if table.unchecked is not None:
        return table.settle(now, accepted=rng.random() < 0.5)
    turn = pick(rng, table.turns)
    seat, chance = turn.player, rng.random()
    if now >= table.deadline_of(seat) or chance < 0.02:
        return table.time_out(seat, now)
    if chance < 0.04:
        return table.malformed(seat, "garbage", now)
    if chance < 0.08:
        return table.act(seat, answer(turn, pick(rng, NONSENSE)), now)
    if chance < 0.12:
        late = answer(turn, "Pass").model_copy(update={"seq": int(rng.random() * turn.seq)})
        return table.act(pick(rng, SEATS), late, now)
    if chance < 0.16:
        return table.act(seat, answer(turn, f"explain={int(rng.random() * 5)}"), now)
    if chance < 0.16 + risk:
        return table.forfeit(pick(rng, SEATS), pick(rng, sorted(FORFEITING)), "gone")
    if turn.claim:
        said = "refuse" if rng.random() < 0.3 else "accept"
        return table.act(seat, answer(turn, said), now)
    if turn is not table.turn:
        return []
    return table.act(seat, answer(turn, random_move(rng, table)), now)


def play_anyhow(seed: int, *, risk: float = 0.0) -> tuple[RecordingTable, list[Event]]:
    """A board to its end; `risk`: of losing a player, at each step."""
    rng = Random(seed)
    number = 1 + int(rng.random() * 16)
    table = new_table(
        random_deal(seed, number),
        number=number,
        control=pick(rng, CONTROLS),
        policies=pick(rng, POLICIES),
        claims=pick(rng, list(Claims)),
    )
    now = 0.0
    events = table.start(now)
    for _ in range(MOST_STEPS):
        if not table.turns and table.unchecked is None:
            return table, events
        now += 3 * rng.random()
        events += step(rng, table, now, risk)
    raise AssertionError(f"the board of seed {seed} does not end")


@given(SEEDS)
def test_a_board_ends_with_a_legal_record(seed: int) -> None:
    table, events = play_anyhow(seed, risk=0.002)
    assert isinstance(events[-1].happening, BoardEnd)
    assert kinds(events).split().count("BoardEnd") == 1
    check_legal(table.record(NAMES))
    check_claims(table, events)
    viewers: list[Viewer | Kibitzer] = [*map(Viewer, SEATS), Kibitzer()]
    for viewer in viewers:
        numbers = [
            message.seq for message in shown_to(viewer, events) if isinstance(message, BoardEvent)
        ]
        assert numbers == list(range(1, 1 + len(numbers)))
    assert table.events == events


def check_legal(record: BoardRecord) -> None:
    """Check that auction and play follow the Laws, and that the result follows from them."""
    auction = Auction(record.board.dealer, [made.call for made in record.calls])
    lost = [fault for fault in record.faults if fault.kind in FORFEITING]
    assert record.is_finished == (not lost)
    if not record.is_finished:
        assert record.tricks is None
        return
    assert auction.is_over
    assert record.contract == auction.contract
    if record.contract is None:
        assert (record.cards, record.tricks, record.score) == ((), None, 0)
        return
    play = Play(record.contract)
    hands = list(record.board.deal.hands)
    for card in record.cards:
        play.check(card, hands[play.turn])
        hands[play.turn] = hands[play.turn].without(card)
        play.push(card)
    assert record.tricks is not None
    left = 13 - len(play.tricks)
    assert play.declarer_tricks <= record.tricks <= play.declarer_tricks + left
    assert record.score == score_ns(record.contract, record.tricks, record.board.vulnerability)


def check_claims(table: Table, events: list[Event]) -> None:
    """Each claim is settled before anything else is played, and an accepted one is the end."""
    claims = [each for each in happenings(events) if isinstance(each, ClaimMade | ClaimSettled)]
    for made, settled in zip(claims[::2], claims[1::2], strict=False):
        assert isinstance(made, ClaimMade)
        assert isinstance(settled, ClaimSettled)
        if settled.accepted:
            assert settled is claims[-1]
            assert events[-2].happening is settled
            assert table.play is not None
            assert table.tricks == table.play.declarer_tricks + made.tricks


@given(SEEDS, st.sampled_from(SEATS))
def test_every_seats_view_follows_the_board(seed: int, seat: Seat) -> None:
    table, events = play_anyhow(seed)
    start, *rest = seen_by(seat, events)
    assert isinstance(start, BoardStart)
    view = View(seat, start)
    for message in rest:
        if isinstance(message, BoardEvent):
            view.apply(message)
        if view.deal is not None:
            assert view.deal == table.board.deal
    assert view.turn is None
    assert view.claim is None
    assert kinds([events[-1]]) == "BoardEnd"
    assert view.result == rest[-1]
    assert view.auction == table.auction
    if view.declarer_hand is not None and view.play is not None:
        assert view.declarer_hand == table.board.deal[view.play.declarer]


def test_the_boards_of_these_tests_have_claims_faults_and_ends_of_all_kinds() -> None:
    """Check that claims, faults and ends of each kind occur, so that the tests prove something."""
    ends: list[str] = []
    for seed in range(200):
        table, events = play_anyhow(seed, risk=0.002)
        claims = [each for each in happenings(events) if isinstance(each, ClaimSettled)]
        ends += [f"claim {event.accepted}" for event in claims]
        ends += [f"{fault.kind}" for fault in table.faults]
        ends.append("finished" if table.score is not None else "given up")
    assert {"claim True", "claim False", "finished", "given up"} <= set(ends)
    assert {"illegal", "malformed", "timeout", "refused", "crash"} <= set(ends)
    assert ends.count("claim True") > 3
    assert ends.count("claim False") > 10


@pytest.mark.parametrize("said", ["claim=13", "accept", "explain=3"])
def test_the_answers_of_these_tests_are_of_the_protocol(said: str) -> None:
    table = new_table()
    table.start(0.0)
    turn = table.turn
    assert turn is not None
    message = answer(turn, said)
    assert decode_client(frame([encode(message)])) == [message]

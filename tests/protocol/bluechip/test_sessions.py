"""Whole boards between both ends, without a wire."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.natural.bot import NaturalBot
from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import FaultKind, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.bluechip.spelling import Quirks
from bridge_arena.protocol.decision import Thinker
from bridge_arena.protocol.messages import AuctionEnd, BoardEnd, CallMade, Claim, Message
from bridge_arena.protocol.view import View
from bridge_arena.server.claims import Claims
from bridge_arena.server.table import Table
from tests.protocol.bluechip.strategies import QUIRKS
from tests.protocol.bluechip.wire import Room
from tests.server.tables import EAST, NORTH, SOUTH, WEST, Lowly, turn_of

NAMES = ("n", "e", "s", "w")


def seeded(kind: type[Bot], seed: int) -> Bot:
    bot = kind()
    bot.rng = Random(seed)
    return bot


def check_views(room: Room, table: Table, index: int) -> None:
    """Check that every client ends with the board that was played."""
    record = table.record(NAMES)
    assert record.is_finished
    assert record.faults == ()
    for seat, wire in room.wires.items():
        assert wire.manager.is_drained
        assert not wire.manager.out_of_step
        view = wire.views[index]
        assert (view.seat, view.hand) == (seat, table.board.deal[seat])
        assert (view.number, view.dealer) == (table.board.number, table.board.dealer)
        assert view.vulnerability == table.board.vulnerability
        assert view.auction == table.auction
        assert view.contract == table.auction.contract
        if table.play is not None:
            assert view.playing.cards == table.play.cards
            assert view.dummy_hand == table.board.deal[table.play.dummy]
        assert view.result is not None
        assert (view.result.tricks, view.result.score) == (record.tricks, record.score)


@pytest.mark.parametrize("kind", [RandomBot, BaselineBot, NaturalBot])
def test_boards_are_played_to_their_end(kind: type[Bot]) -> None:
    room = Room({seat: seeded(kind, seat) for seat in SEATS})
    for number in range(1, 9):
        table = room.play(Board.dealt(7, number))
        check_views(room, table, number - 1)
    room.end()
    assert all(wire.client.goodbye is not None for wire in room.wires.values())


@pytest.mark.slow
@settings(max_examples=25)
@given(st.lists(QUIRKS, min_size=4, max_size=4), st.integers(1, 2**16))
def test_boards_are_played_whatever_the_quirks(quirks: list[Quirks], seed: int) -> None:
    # A client that is told another dealer than there is cannot count the turns.
    board = Board.dealt(seed, 1)
    room = Room(
        {seat: seeded(RandomBot, seed + seat) for seat in SEATS},
        dict(zip(SEATS, quirks, strict=True)),
    )
    check_views(room, room.play(board), 0)
    table = room.play(Board.dealt(seed, 1))
    check_views(room, table, 1)


def test_a_passed_out_board_ends_with_the_times() -> None:
    room = Room({seat: Lowly() for seat in SEATS})
    table = room.play(Board.dealt(1, 1))
    assert table.score == 0
    check_views(room, table, 0)
    for wire in room.wires.values():
        assert wire.heard[-1] == (
            "> Timing - N/S : this board  00:02,  total  0:00:02.  "
            "E/W : this board  00:02,  total  0:00:02"
        )


def test_the_times_add_up() -> None:
    room = Room({seat: Lowly() for seat in SEATS})
    for _ in range(40):
        room.play(Board.dealt(1, 1))
    assert room.wires[WEST].heard[-1].endswith("E/W : this board  00:02,  total  0:01:20")


def test_a_client_that_wants_no_times_gets_none() -> None:
    quirks = {WEST: Quirks(timing=False)}
    room = Room({seat: Lowly() for seat in SEATS}, quirks)
    room.play(Board.dealt(1, 1))
    assert not any("Timing" in line for line in room.wires[WEST].heard)
    assert any("Timing" in line for line in room.wires[EAST].heard)


# The exchange, word for word.


class Planned(Lowly):
    """Calls by a plan with meanings, and plays its lowest."""

    def call(self, view: View) -> Call | MadeCall:
        call = Call(self.plan.get(len(view.calls), "Pass"))
        if view.seat == NORTH and len(view.calls) == 0:
            return MadeCall(call, alert=True, explanation=Explanation("weak", hcp=(11, 14)))
        if view.seat == SOUTH and len(view.calls) == 2:
            return MadeCall(call, explanation=Explanation("to play"))
        return call


@pytest.fixture
def heard() -> dict[Seat, list[str]]:
    """A board of 3NT by North, opened 1NT and raised."""
    planned: Thinker = Planned({0: "1NT", 2: "3NT"})
    room = Room(dict.fromkeys(SEATS, planned))
    check_views(room, room.play(Board.dealt(3, 1)), 0)
    room.end()
    return {seat: wire.heard for seat, wire in room.wires.items()}


def test_the_leader_and_the_manager_say_these_lines(heard: dict[Seat, list[str]]) -> None:
    assert heard[EAST][:27] == [
        '> East ("Team B") seated',
        "< East ready for teams",
        '> Teams : N/S : "Team A" E/W : "Team B"',
        "< East ready to start",
        "> Start of Board",
        "< East ready for deal",
        "> Board number 1. Dealer North. Neither vulnerable.",
        "< East ready for cards",
        "> East's cards : S J T 2. H A Q J T 4. D 4. C A 9 7 6.",
        "< East ready for North's bid",
        "> North bids 1NT Alert. weak [hcp 11-14]",
        "< East passes",
        "< East ready for South's bid",
        "> South bids 3NT Infos. to play",
        "< East ready for West's bid",
        "> West passes",
        "< East ready for North's bid",
        "> North passes",
        "< East passes",
        "> East to lead",
        "< East plays 2S",
        "< East ready for dummy",
        "> Dummy's cards : S K 8 3. H 8 6. D T 7 6 3. C Q J 8 3.",
        "< East ready for dummy's card to trick 1",
        "> South plays 3S",
        "< East ready for West's card to trick 1",
        "> West plays 5S",
    ]
    assert heard[EAST][-1] == "> End of session"


def test_partner_is_not_told_what_a_call_means(heard: dict[Seat, list[str]]) -> None:
    assert "> North bids 1NT" in heard[SOUTH]
    assert "> South bids 3NT" in heard[NORTH]
    assert "> South bids 3NT Infos. to play" in heard[WEST]


def test_dummy_acknowledges_every_card(heard: dict[Seat, list[str]]) -> None:
    """Dummy acknowledges every card, its own included, and never asks for its hand."""
    lines = heard[SOUTH]
    assert "< South ready for dummy" not in lines
    start = lines.index("< South ready for East's card to trick 1")
    assert lines[start : start + 6] == [
        "< South ready for East's card to trick 1",
        "> East plays 2S",
        "< South ready for dummy's card to trick 1",
        "> South plays 3S",
        "< South ready for West's card to trick 1",
        "> West plays 5S",
    ]
    assert sum(" plays " in line for line in lines if line.startswith(">")) == 52


def test_declarer_plays_dummys_cards_under_dummys_name(heard: dict[Seat, list[str]]) -> None:
    """Declarer plays dummy's cards under dummy's name, and is asked for dummy's leads."""
    lines = heard[NORTH]
    start = lines.index("< North ready for dummy")
    assert lines[start + 1].startswith("> Dummy's cards : S K 8 3.")
    assert lines[start + 2 : start + 5] == [
        "< South plays 3S",
        "< North ready for West's card to trick 1",
        "> West plays 5S",
    ]
    assert lines.count("> Dummy to lead") > 0
    follows = [after for line, after in pairwise(lines) if line == "> Dummy to lead"]
    assert all(line.startswith("< South plays ") for line in follows)


def test_a_client_makes_up_the_events_that_the_other_protocol_sends() -> None:
    room = Room(dict.fromkeys(SEATS, Planned({0: "1NT", 2: "3NT"})))
    room.play(Board.dealt(3, 1))

    def bare(events: list[Message]) -> list[Message]:
        """Without what the protocol does not carry."""
        ours = {"table": "", "seq": 0, "seconds": 0.0, "seed": 0}
        return [
            event.model_copy(update={key: ours[key] for key in ours if hasattr(event, key)})
            for event in events
        ]

    for wire in room.wires.values():
        assert bare(wire.events) == bare(wire.told)


# Explanations on request.


def test_a_client_may_ask_what_an_opponents_call_means() -> None:
    room = Room(dict.fromkeys(SEATS, Planned({0: "1NT"})))
    room.act(room.open(Board.dealt(3, 1)))

    def answer(seat: Seat, question: str) -> bytes:
        room.wires[seat].manager.receive(question)
        return room.wires[seat].manager.data_to_send()

    assert answer(EAST, "Explain North's 1NT") == b"weak [hcp 11-14]\r\n"
    assert answer(WEST, "explain norths 1nt.") == b"weak [hcp 11-14]\r\n"
    assert answer(EAST, "Explain North's 2C") == b"No explanation\r\n"
    assert answer(SOUTH, "Explain North's 1NT") == b"No explanation\r\n"


def test_a_client_that_asks_learns_what_a_call_means() -> None:
    planned = Planned({0: "1NT", 2: "3NT"})
    asking = dict.fromkeys(SEATS, Quirks(explain=True))
    room = Room(dict.fromkeys(SEATS, planned), asking, Quirks(infos="none"))
    check_views(room, room.play(Board.dealt(3, 1)), 0)
    lines = room.wires[EAST].heard
    start = lines.index("> South bids 3NT")
    assert lines[start + 1 : start + 3] == ["< Explain South's 3NT", "> to play"]
    heard = [event for event in room.wires[EAST].events if isinstance(event, CallMade)]
    assert heard[2].explanation == Explanation("to play")
    assert heard[0].explanation == Explanation("weak", hcp=(11, 14))
    # Nothing is known of West's pass, and North's and South's are not asked of partner.
    assert "< Explain West's Pass" not in lines
    assert "> No explanation" not in room.wires[NORTH].heard


def test_a_client_explains_its_own_calls() -> None:
    room = Room(dict.fromkeys(SEATS, Planned({0: "1NT", 2: "3NT"})))
    room.play(Board.dealt(3, 1))
    client = room.wires[NORTH].client
    client.receive("Explain North's 1NT")
    assert client.data_to_send() == b"weak [hcp 11-14]\r\n"
    client.receive("Explain East's Pass")
    assert client.data_to_send() == b"No explanation\r\n"


# Boards that are given up.


def test_a_board_that_is_given_up_is_followed_by_the_next() -> None:
    room = Room({seat: seeded(BaselineBot, 1) for seat in SEATS})
    room.play(Board.dealt(1, 1))
    table = room.open(Board.dealt(1, 2))
    for _ in range(2):
        room.act(table)
    gone = turn_of(table).player
    room.tell(table.forfeit(gone, FaultKind.CRASH, "gone"))
    check_views(room, room.play(Board.dealt(1, 3)), 2)
    for wire in room.wires.values():
        assert wire.heard.count("> Start of Board") == 3
        ends = [event for event in wire.events if isinstance(event, BoardEnd)]
        assert [end.score is None for end in ends] == [False, True, False]


def test_a_board_that_is_claimed_is_followed_by_the_next() -> None:
    room = Room(dict.fromkeys(SEATS, Planned({0: "1NT"})))
    table = room.open(Board.dealt(3, 1), claims=Claims.CHECKED)
    while len(table.auction.calls) < 4 or table.turn is None or table.turn.player != NORTH:
        room.act(table)
    turn = turn_of(table)
    claim = Claim(table=turn.table, board=turn.board, seq=turn.seq, tricks=2)
    room.tell(table.act(NORTH, claim, room.now))
    room.tell(table.settle(room.now, accepted=True))
    assert table.tricks == 2
    check_views(room, room.play(Board.dealt(3, 2)), 1)
    for wire in room.wires.values():
        ends = [event.tricks for event in wire.events if isinstance(event, BoardEnd)]
        assert ends[0] is None
        assert len(ends) == 2


def test_a_board_that_is_only_bid_is_given_up_for_the_client() -> None:
    room = Room(dict.fromkeys(SEATS, Planned({0: "1NT"})))
    table = room.open(Board.dealt(3, 1), bidding_only=True)
    while table.turn is not None:
        room.act(table)
    room.tell(table.award(7))
    check_views(room, room.play(Board.dealt(3, 2)), 1)
    for wire in room.wires.values():
        assert sum(line.startswith("> Timing") for line in wire.heard) == 1
        assert sum(isinstance(event, AuctionEnd) for event in wire.events) == 2

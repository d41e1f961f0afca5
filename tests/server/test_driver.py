"""A table driven with players of all kinds, on a clock that never waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import pytest

from bridge_arena.bridge.board import Board, random_deal
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import FORFEITING, FaultKind, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.codec import encode
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import Answer, BoardEnd, Error, Message, Thought, YourTurn
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import MatchClock, TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.faults import LENIENT, Policies, Remedy, SeatFault
from bridge_arena.server.players import LocalPlayer, Player
from bridge_arena.server.table import Table
from tests.server.tables import (
    DEAL,
    EAST,
    NORTH,
    SEEDS,
    SOUTH,
    WEST,
    Lowly,
    RecordingTable,
    answer,
    faults,
    in_no_time,
    kinds,
    new_table,
    shown_to,
)

# North opens 1NT and plays there; East leads, South is dummy.
NORTH_PLAYS_ONE_NOTRUMP = {0: "1NT"}


class Scripted(LocalPlayer):
    """Plays its lowest cards, after what `before` does; keeps what it was told."""

    def __init__(
        self,
        seat: Seat,
        before: Callable[[YourTurn], Awaitable[Answer | None]] | None = None,
        *,
        cheat: bool = False,
    ) -> None:
        super().__init__(Viewer(seat, cheat), Lowly(NORTH_PLAYS_ONE_NOTRUMP))
        self.told: list[Message] = []
        self.sent: list[bytes] = []
        self.flushes = 0
        self._before = before

    def tell(self, outgoing: Outgoing) -> None:
        super().tell(outgoing)
        self.told.append(outgoing.message)
        self.sent.append(outgoing.encoded)

    def flush(self) -> None:
        self.flushes += 1

    async def act(self, turn: YourTurn) -> Answer | Thought:
        instead = await self._before(turn) if self._before else None
        return instead or await super().act(turn)

    @property
    def errors(self) -> list[ErrorCode]:
        return [message.code for message in self.told if isinstance(message, Error)]


@dataclass
class Session:
    """Return what became of a board."""

    table: Table
    seconds: float = 0.0
    players: dict[Seat, Scripted] = field(default_factory=dict)


def drive(
    before: Mapping[Seat, Callable[[YourTurn], Awaitable[Answer | None]]],
    *,
    seconds: float = 60.0,
) -> Session:
    """Play a board with four scripted players."""

    async def play() -> Session:
        session = Session(new_table(seconds=seconds))
        session.players = {seat: Scripted(seat, before.get(seat)) for seat in SEATS}
        await play_board(session.table, session.players)
        session.seconds = asyncio.get_running_loop().time()
        return session

    return in_no_time(play())


async def hang(turn: YourTurn) -> None:
    del turn
    await asyncio.Event().wait()


def fail(kind: FaultKind, detail: str = "") -> Callable[[YourTurn], Awaitable[None]]:
    async def act(turn: YourTurn) -> None:
        del turn
        raise SeatFault(kind, detail)

    return act


def after(seconds: float, say: str | None = None) -> Callable[[YourTurn], Awaitable[Answer | None]]:
    """Thinks so long about each turn, though it may be cancelled and asked again meanwhile;
    then says `say` or what it would have said."""
    decisions: dict[int, float] = {}

    async def act(turn: YourTurn) -> Answer | None:
        now = asyncio.get_running_loop().time()
        await asyncio.sleep(decisions.setdefault(turn.seq, now + seconds) - now)
        return None if say is None else answer(turn, say)

    return act


# Boards that go well.


def test_a_board_is_played_to_its_end() -> None:
    session = drive({})
    record = session.table.record(("n", "e", "s", "w"))
    assert record.is_finished
    assert str(record.contract) == "1NT"
    assert len(record.cards) == 52
    assert record.faults == ()
    assert session.seconds == 0


def test_dummy_is_never_asked() -> None:
    session = drive({})
    turns = {
        seat: sum(isinstance(message, YourTurn) for message in player.told)
        for seat, player in session.players.items()
    }
    assert turns == {NORTH: 1 + 26, EAST: 1 + 13, SOUTH: 1, WEST: 1 + 13}


def test_everybody_is_told_what_they_may_see_and_nothing_else() -> None:
    async def alert(turn: YourTurn) -> Answer | None:
        meaning = Explanation(f"secret of {turn.player}", hcp=(0, 37))
        if "Pass" in turn.legal:
            return answer(turn, MadeCall(Call("Pass"), alert=True, explanation=meaning))
        return None

    async def play() -> tuple[RecordingTable, list[Scripted]]:
        table = new_table(random_deal(5, 2), number=2)
        cheat = WEST
        players = [Scripted(s, alert if s == EAST else None, cheat=s == cheat) for s in SEATS]
        await play_board(table, {player.viewer.seat: player for player in players})
        return table, players

    table, players = in_no_time(play())
    assert table.score is not None
    for player in players:
        assert player.sent == [encode(each) for each in shown_to(player.viewer, table.events)]
        assert player.flushes > 0
    partner, opponent = (b"".join(players[seat].sent) for seat in (WEST, NORTH))
    assert b"secret of E" in opponent
    assert b"secret of E" not in partner


def test_the_time_of_one_board_is_not_limited() -> None:
    session = drive({seat: after(40) for seat in SEATS})
    assert session.table.score is not None
    assert session.table.faults == []
    assert session.seconds == pytest.approx(40 * 56)
    waits = [timing.milliseconds for timing in session.table.timings]
    assert waits == pytest.approx([40000] * 56)


# Players who are late.


def test_a_player_who_hangs_is_played_for() -> None:
    session = drive({WEST: hang})
    assert session.table.score is not None
    assert faults(session.table)[0] == "W timeout 3"
    assert len(session.table.faults) == 14
    assert {fault.seat for fault in session.table.faults} == {WEST}
    assert session.table.faults[0].detail == "no action within 60.0 s"
    assert session.seconds == pytest.approx(14 * 60)
    assert session.players[WEST].errors == [ErrorCode.TIMEOUT] * 14
    assert session.players[NORTH].errors == []


def test_the_time_of_one_player_does_not_run_for_the_next() -> None:
    """The timer is not set anew for each turn; each has the whole time all the same."""

    session = drive({NORTH: after(59.9), WEST: hang, EAST: after(59.9)})
    assert {fault.seat for fault in session.table.faults} == {WEST}
    waits = [t.milliseconds for t in session.table.timings if t.seat == WEST]
    assert waits == pytest.approx([60000] * 14)


def test_a_player_with_less_time_than_those_before_has_no_more() -> None:
    """The timer was set for North, who has a minute; three seconds are left to East's side."""

    async def play() -> tuple[Table, float]:
        control = TimeControl.parse("60 match=100")
        clocks = [MatchClock(control), MatchClock(control)]
        clocks[EAST.side].left = 3.0
        table = Table(
            "A1",
            Board.standard(1, DEAL),
            SEEDS,
            control,
            policies=Policies(at_zero=Remedy.FORFEIT),
            match_clocks={seat: clocks[seat.side] for seat in SEATS},
        )
        late = {EAST: after(50)}
        await play_board(table, {seat: Scripted(seat, late.get(seat)) for seat in SEATS})
        return table, asyncio.get_running_loop().time()

    table, seconds = in_no_time(play())
    assert faults(table) == ["E timeout 1", "E refused 1"]
    assert seconds == pytest.approx(3.0)


def test_an_answer_that_comes_too_late_is_refused_and_costs_nothing() -> None:
    """The first call comes when the second is due; then that one is asked for again."""
    kept: list[YourTurn] = []

    async def act(turn: YourTurn) -> Answer | None:
        if not kept:
            kept.append(turn)
            await hang(turn)
        if len(kept) == 1:
            kept.append(turn)
            return answer(kept[0], "7NT")
        return None

    session = drive({EAST: act})
    assert faults(session.table) == ["E timeout 1"]
    assert session.players[EAST].errors == [ErrorCode.TIMEOUT, ErrorCode.STALE]
    assert session.table.score is not None
    assert str(session.table.record(("", "", "", "")).contract) == "1NT"


def test_stale_answers_do_not_stop_the_clock() -> None:
    async def chatter(turn: YourTurn) -> Answer:
        await asyncio.sleep(8)
        return answer(turn.model_copy(update={"seq": 1}), "Pass")

    session = drive({WEST: chatter})
    assert len(session.table.faults) == 14
    assert {fault.kind for fault in session.table.faults} == {FaultKind.TIMEOUT}
    assert session.players[WEST].errors.count(ErrorCode.STALE) > 50


def test_whoever_answers_illegally_has_only_what_is_left_of_the_time() -> None:
    session = drive({WEST: after(40, "XX")})
    assert faults(session.table)[:4] == [
        "W illegal 3",
        "W timeout 3",
        "W illegal 6",
        "W timeout 6",
    ]
    assert session.seconds == pytest.approx(14 * 60)


# Players who do wrong.


def test_illegal_answers_are_asked_for_again_and_then_played_for() -> None:
    async def redouble(turn: YourTurn) -> Answer:
        return answer(turn, "XX")

    session = drive({WEST: redouble})
    assert session.table.score is not None
    assert faults(session.table)[:4] == ["W illegal 3"] * 2 + ["W illegal 6"] * 2
    assert len(session.table.faults) == 28
    assert session.players[WEST].errors[:4] == [
        ErrorCode.ILLEGAL,
        ErrorCode.ILLEGAL,
        ErrorCode.SUBSTITUTED,
        ErrorCode.ILLEGAL,
    ]
    assert session.seconds == 0


def test_malformed_answers_are_asked_for_again_and_then_played_for() -> None:
    session = drive({WEST: fail(FaultKind.MALFORMED, "gibberish")})
    assert session.table.score is not None
    assert faults(session.table)[:3] == ["W malformed 3"] * 2 + ["W malformed 6"]
    assert session.table.faults[0].detail == "gibberish"


@pytest.mark.parametrize("kind", sorted(FORFEITING))
def test_a_player_who_is_gone_ends_the_board(kind: FaultKind) -> None:
    session = drive({EAST: fail(kind, "gone")})
    assert faults(session.table) == [f"E {kind} 1"]
    assert session.table.score is None
    assert session.table.turn is None
    for player in session.players.values():
        assert isinstance(player.told[-1], BoardEnd)
        assert player.told[-1].score is None
    assert kinds(session.players[SOUTH].told) == "BoardStart CallMade BoardEnd"


def test_a_players_bug_is_not_hidden() -> None:
    async def divide(turn: YourTurn) -> None:
        del turn
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        drive({SOUTH: divide})


def test_a_table_can_be_abandoned() -> None:
    async def play() -> Table:
        table = new_table()
        players: dict[Seat, Player] = {seat: Scripted(seat, hang) for seat in SEATS}
        task = asyncio.create_task(play_board(table, players))
        await asyncio.sleep(30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return table

    assert in_no_time(play()).faults == []


# Bots of this process.


def test_a_local_player_calls_explains_and_plays() -> None:
    class Explainer(Lowly):
        def call(self, view: View) -> MadeCall:
            bid = view.legal_calls()[5]
            return MadeCall(bid, alert=True, explanation=Explanation("x"))

    async def play() -> Table:
        table = new_table()
        bots = {NORTH: Explainer()}
        players = {seat: LocalPlayer(Viewer(seat), bots.get(seat, Lowly())) for seat in SEATS}
        await play_board(table, players)
        return table

    table = in_no_time(play())
    assert table.calls[0] == MadeCall(Call("1NT"), alert=True, explanation=Explanation("x"))
    assert table.record(("", "", "", "")).cards[0] == Card("C2")
    assert table.score is not None


def test_a_local_player_without_a_board_is_no_player() -> None:
    table = new_table()
    table.start(0.0)
    turn = table.turn
    assert isinstance(turn, YourTurn)
    with pytest.raises(SeatFault, match="refused: asked to act before a board began"):
        in_no_time(LocalPlayer(Viewer(NORTH), Lowly()).act(turn))


# Several who are asked at once.


class AtClaims(Lowly):
    """North declares 1NT and claims nine of the tricks at each first chance of a trick."""

    def __init__(self) -> None:
        super().__init__(NORTH_PLAYS_ONE_NOTRUMP)

    def claim(self, view: View) -> int | None:
        return 9 if len(view.playing.tricks) == 0 else None

    def answer_claim(self, view: View) -> bool:
        del view
        return True


class Deliberate(LocalPlayer):
    """Answers claims after `seconds`, or with a fault; notes when it did."""

    def __init__(self, seat: Seat, seconds: float = 0.0, fault: SeatFault | None = None) -> None:
        super().__init__(Viewer(seat), AtClaims())
        self.answered_at: list[float] = []
        self._seconds = seconds
        self._fault = fault

    async def act(self, turn: YourTurn) -> Answer | Thought:
        if turn.claim:
            await asyncio.sleep(self._seconds)
            self.answered_at.append(asyncio.get_running_loop().time())
            if self._fault is not None:
                raise self._fault
        return await super().act(turn)


def drive_claim(
    east: Deliberate, west: Deliberate, policies: Policies = LENIENT
) -> tuple[RecordingTable, float]:
    async def play() -> tuple[RecordingTable, float]:
        table = new_table(claims=Claims.PLAYERS, policies=policies)
        players = {NORTH: Deliberate(NORTH), EAST: east, SOUTH: Deliberate(SOUTH), WEST: west}
        await play_board(table, players)
        return table, asyncio.get_running_loop().time()

    return in_no_time(play())


def test_both_defenders_think_about_a_claim_at_the_same_time() -> None:
    east, west = Deliberate(EAST, 50.0), Deliberate(WEST, 40.0)
    table, seconds = drive_claim(east, west)
    assert (east.answered_at, west.answered_at) == ([50.0], [40.0])
    assert seconds == 50.0
    assert table.tricks == 9
    assert table.faults == []


def test_a_defender_too_late_with_a_claim_has_refused_it() -> None:
    table, seconds = drive_claim(Deliberate(EAST, 70.0), Deliberate(WEST, 40.0))
    assert faults(table) == ["E timeout 5"]
    assert seconds == 60.0
    assert len(table.record(("", "", "", "")).cards) == 52


def test_a_defender_lost_over_a_claim_ends_the_board_for_all() -> None:
    gone = Deliberate(WEST, 1.0, SeatFault(FaultKind.CRASH, "gone"))
    table, seconds = drive_claim(Deliberate(EAST, 50.0), gone)
    assert faults(table) == ["W crash 5"]
    assert seconds == 1.0
    assert table.score is None


def test_two_defenders_silent_over_a_claim_end_the_board_once() -> None:
    """Both run out of time at one moment, and the first to be lost ends the board."""
    east, west = Deliberate(EAST, 70.0), Deliberate(WEST, 70.0)
    table, seconds = drive_claim(east, west, Policies(timeouts=1))
    assert faults(table) == ["E timeout 5", "E refused 5"]
    assert seconds == 60.0
    assert kinds(table.events[-2:]) == "Error BoardEnd"


@pytest.mark.parametrize("kind", [FaultKind.MALFORMED, FaultKind.CRASH])
def test_a_fault_that_comes_with_the_loss_of_the_other_defender_is_none(kind: FaultKind) -> None:
    east, west = (Deliberate(seat, 1.0, SeatFault(kind, "bad")) for seat in (EAST, WEST))
    table, seconds = drive_claim(east, west, Policies(illegal=1))
    assert {fault.seat for fault in table.faults} == {EAST}
    assert seconds == 1.0
    assert kinds(table.events).count("BoardEnd") == 1


def test_garbage_over_a_claim_is_asked_about_again() -> None:
    bad = Deliberate(EAST, 10.0, SeatFault(FaultKind.MALFORMED, "gibberish"))
    table, seconds = drive_claim(bad, Deliberate(WEST, 1.0))
    assert faults(table) == ["E malformed 5"] * 2
    assert bad.answered_at == [10.0, 20.0]
    assert seconds == 20.0
    assert len(table.record(("", "", "", "")).cards) == 52


def test_a_bug_over_a_claim_is_not_hidden() -> None:
    class Buggy(Deliberate):
        async def act(self, turn: YourTurn) -> Answer | Thought:
            if turn.claim:
                raise ZeroDivisionError
            return await super().act(turn)

    with pytest.raises(ZeroDivisionError):
        drive_claim(Buggy(EAST), Deliberate(WEST, 30.0))


# Lag.


def test_the_lag_of_each_player_is_forgiven() -> None:
    class Distant(Scripted):
        measured = 0

        @property
        def lag(self) -> float:
            return 0.25

        async def measure_lag(self) -> None:
            self.measured += 1

    async def play() -> tuple[Table, Distant]:
        table = new_table(control="60 board=900 lag=0.5")
        distant = Distant(WEST, after(1.25))
        players = {seat: distant if seat == WEST else Scripted(seat) for seat in SEATS}
        await play_board(table, players)
        return table, distant

    table, distant = in_no_time(play())
    assert distant.measured == 1
    assert table.faults == []
    lefts = [m.board_seconds for m in distant.told if isinstance(m, YourTurn)]
    assert lefts == pytest.approx([900.0 - n for n in range(14)])

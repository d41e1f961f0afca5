"""The vocabulary of the tests of tables."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from bridge_arena.bots.library.portable_random import pick
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALL_TEXTS, Call
from bridge_arena.bridge.cards import Card, Deal, Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import Fault, FaultKind, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.decision import Ask, answer_to
from bridge_arena.protocol.messages import (
    Answer,
    AnswerClaim,
    AnswerUndo,
    Claim,
    Message,
    Snapshot,
    Thinking,
    Thought,
    Undo,
    YourTurn,
)
from bridge_arena.protocol.outgoing import Outgoing, SoFar
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Event, Happening, Kibitzer, Viewer, visible
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.faults import LENIENT, Policies, substitute_card
from bridge_arena.server.players import LocalPlayer
from bridge_arena.server.table import Table

T = TypeVar("T")

NORTH, EAST, SOUTH, WEST = SEATS

DEAL = Deal.parse("N:52.J76.KQJ874.T9 AK3.T9854.T.K832 Q976.Q.9632.QJ74 JT84.AK32.A5.A65")
"""On board 1 North deals, and nobody is vulnerable."""

WEST_PLAYS_FOUR_HEARTS = "Pass Pass Pass 1NT Pass 2D Pass 2H Pass 4H Pass Pass Pass"

SEEDS = (1001, 1002, 1003, 1004)


class RecordingTable(Table):
    """A table that keeps all events that it gives."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.events: list[Event] = []
        # The events given last: what one method hands on from another is kept once.
        self._last: list[Event] = []

    def start(self, now: float) -> list[Event]:
        return self._kept(super().start(now))

    def act(self, seat: Seat, action: Answer | Thought, now: float) -> list[Event]:
        return self._kept(super().act(seat, action, now))

    def malformed(self, seat: Seat, detail: str, now: float) -> list[Event]:
        return self._kept(super().malformed(seat, detail, now))

    def time_out(self, seat: Seat, now: float) -> list[Event]:
        return self._kept(super().time_out(seat, now))

    def forfeit(self, seat: Seat, kind: FaultKind, detail: str) -> list[Event]:
        return self._kept(super().forfeit(seat, kind, detail))

    def settle(self, now: float, *, accepted: bool) -> list[Event]:
        return self._kept(super().settle(now, accepted=accepted))

    def award(self, tricks: int) -> list[Event]:
        return self._kept(super().award(tricks))

    def _kept(self, events: list[Event]) -> list[Event]:
        if events is not self._last:
            self.events += events
            self._last = events
        return events


def new_table(
    deal: Deal = DEAL,
    *,
    number: int = 1,
    seconds: float = 60.0,
    seeds: tuple[int, int, int, int] = SEEDS,
    control: str | None = None,
    policies: Policies = LENIENT,
    claims: Claims = Claims.OFF,
    given: Sequence[MadeCall] = (),
    bidders: Sequence[Seat] = (),
    people: Sequence[Seat] = (),
) -> RecordingTable:
    """`control`: a time control as written, in place of `seconds`."""
    return RecordingTable(
        "A1",
        Board.standard(number, deal),
        seeds,
        TimeControl(seconds) if control is None else TimeControl.parse(control),
        policies=policies,
        claims=claims,
        given=given,
        bidders=bidders,
        people=people,
    )


def turn_of(table: Table) -> YourTurn:
    assert table.turn is not None
    return table.turn


def answer(turn: YourTurn, said: str | MadeCall) -> Answer:
    """The answer to a turn: a call, a card, `claim=3`, `accept`, `refuse`, `explain=2`, `undo`."""
    if isinstance(said, MadeCall):
        return answer_to(turn, said)
    word, _, number = said.partition("=")
    if word == "explain":
        return answer_to(turn, Ask(int(number)))
    if word == "undo":
        return Undo(table=turn.table, board=turn.board, seq=turn.seq)
    if word == "claim":
        return Claim(table=turn.table, board=turn.board, seq=turn.seq, tricks=int(number))
    if word in ("accept", "refuse"):
        accept = word == "accept"
        if turn.undo:
            return AnswerUndo(table=turn.table, board=turn.board, seq=turn.seq, accept=accept)
        return AnswerClaim(table=turn.table, board=turn.board, seq=turn.seq, accept=accept)
    return answer_to(turn, Call(said) if said in CALL_TEXTS else Card(said))


def say(table: Table, said: str | MadeCall, now: float = 0.0) -> list[Event]:
    """The seat in turn answers; if there are two, the first."""
    turn = turn_of(table)
    return table.act(turn.player, answer(turn, said), now)


def reply(table: Table, seat: Seat, said: str, now: float = 0.0) -> list[Event]:
    """A seat answers, one of those in turn."""
    turn = table.turn_of(seat)
    assert turn is not None
    return table.act(seat, answer(turn, said), now)


def silence(table: Table, now: float) -> list[Event]:
    """The seat in turn is out of time."""
    return table.time_out(turn_of(table).player, now)


def garbage(table: Table, detail: str, now: float) -> list[Event]:
    """The seat in turn sends what the protocol does not allow."""
    return table.malformed(turn_of(table).player, detail, now)


def say_all(table: Table, said: str, now: float = 0.0) -> list[Event]:
    """The seats in turn answer, one after the other."""
    return [event for text in said.split() for event in say(table, text, now)]


def table_at_play(
    deal: Deal = DEAL,
    *,
    control: str | None = None,
    policies: Policies = LENIENT,
    claims: Claims = Claims.OFF,
) -> RecordingTable:
    """A table where West declares 4H and North is to lead."""
    table = new_table(deal, control=control, policies=policies, claims=claims)
    table.start(0.0)
    say_all(table, WEST_PLAYS_FOUR_HEARTS)
    return table


def play_lowest(table: Table) -> list[Event]:
    """Play on with the lowest legal cards, to the end."""
    events: list[Event] = []
    while table.turn is not None:
        legal = Hand.of(Card(text) for text in table.turn.legal)
        events += say(table, str(substitute_card(legal)))
    return events


def random_move(rng: Random, table: Table) -> str | MadeCall:
    """A legal call, at times alerted and explained, or a legal card; where there are
    claims, at times a claim or an answer to one."""
    turn = turn_of(table)
    if turn.claim:
        return "refuse" if rng.random() < 0.3 else "accept"
    if turn.may_claim and table.play is not None and rng.random() < 0.1:
        return f"claim={int(rng.random() * (14 - len(table.play.tricks)))}"
    if table.play is not None:
        return pick(rng, turn.legal)
    call = Call("Pass" if rng.random() < 0.5 else pick(rng, turn.legal[:7]))
    if rng.random() < 0.5:
        return MadeCall(call)
    text = f"what {turn.player} means at {turn.seq}"
    return MadeCall(call, rng.random() < 0.5, Explanation(text, hcp=(7, 23)))


def seen_by(seat: Seat, events: list[Event], *, cheat: bool = False) -> list[Message]:
    """Return what a seat is told of the events."""
    return shown_to(Viewer(seat, cheat), events)


def shown_to(viewer: Viewer | Kibitzer, events: Sequence[Event]) -> list[Message]:
    """Return what a viewer is told of the events."""
    shown = (visible(event, viewer) for event in events)
    return [outgoing.message for outgoing in shown if outgoing is not None]


def happenings(events: Sequence[Event]) -> list[Happening]:
    return [event.happening for event in events]


def snapshot_of(table: RecordingTable, seat: Seat) -> Snapshot:
    """Return what a seat is sent that comes back now."""
    so_far = SoFar()
    for message in seen_by(seat, table.events):
        so_far.take(Outgoing.of(message))
    snapshot = so_far.snapshot(table.turn_of(seat))
    assert snapshot is not None
    return snapshot


def kinds(messages: Sequence[Event | Message]) -> str:
    """The types of messages, or of what happened."""
    bare = (each.happening if isinstance(each, Event) else each for each in messages)
    return " ".join(type(each).__name__ for each in bare)


def faults(table: Table) -> list[str]:
    """Each fault as `W timeout 3`."""
    return [_short(fault) for fault in table.faults]


def _short(fault: Fault) -> str:
    return f"{fault.seat} {fault.kind} {fault.action}"


class Lowly:
    """A bot for any seat: calls by a plan, else Pass; plays its lowest legal card."""

    thoughts: tuple[Thinking, ...] = ()

    def __init__(self, plan: Mapping[int, str] | None = None) -> None:
        """`plan`: the call to make as the so-manieth of the auction."""
        self.plan = plan or {}

    def call(self, view: View) -> Call | MadeCall | Ask:
        return Call(self.plan.get(len(view.calls), "Pass"))

    def play(self, view: View) -> Card:
        return substitute_card(view.legal_cards())

    def claim(self, view: View) -> int | None:
        del view
        return None

    def answer_claim(self, view: View) -> bool:
        del view
        return False


class Slow(LocalPlayer):
    """Plays its lowest cards, and takes a time for each action, the last one again and again."""

    def __init__(self, seat: Seat, seconds: tuple[float, ...] = ()) -> None:
        super().__init__(Viewer(seat), Lowly({0: "1NT"}))
        self._left = list(seconds)
        self._due: tuple[int, float] = (0, 0.0)

    async def act(self, turn: YourTurn) -> Answer | Thought:
        now = asyncio.get_running_loop().time()
        if self._left and self._due[0] != turn.seq:
            self._due = turn.seq, now + (self._left.pop(0) if self._left[1:] else self._left[0])
        await asyncio.sleep(max(0.0, self._due[1] - now))
        return await super().act(turn)


# Time that passes at once: where everybody waits, the clock jumps to the next appointment.


class _JumpingSelector(selectors.SelectSelector):
    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("everybody waits, and for nothing")
            self.now += timeout
        return ready


class _JumpingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def in_no_time(work: Coroutine[Any, Any, T]) -> T:
    """Run it on a clock that starts at 0 and never waits."""
    with asyncio.Runner(loop_factory=_JumpingLoop) as runner:
        return runner.run(work)

"""The rulings of an event's director, as reports show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Column as TerminalColumn
from rich.table import Table
from rich.text import Text

from bridge_arena.bridge.record import Room
from bridge_arena.reports.common.columns import Column
from bridge_arena.reports.common.values import Json
from bridge_arena.tournaments import EventResults
from bridge_arena.tournaments.schedule.directing import Directing
from bridge_arena.tournaments.schedule.rulings import (
    Adjust,
    Annul,
    Appeal,
    Forfeit,
    GoOn,
    Pause,
    Paused,
    Replay,
    Ruling,
    TakeBack,
    in_force,
    replaced,
)

HEADING = "Rulings of the director"


@dataclass(frozen=True, slots=True)
class ShownRuling:
    """A ruling in words."""

    number: int
    time: str  # in UTC
    author: str
    decision: str
    reason: str
    before: str  # what was played where it decides otherwise; "" if it does not
    state: str  # whether it is in force, and what became of an appeal


COLUMNS: tuple[Column[ShownRuling], ...] = (
    Column("No.", lambda ruling: ruling.number),
    Column("Time (UTC)", lambda ruling: ruling.time, is_text=True),
    Column("Director", lambda ruling: ruling.author, is_text=True),
    Column("Ruling", lambda ruling: ruling.decision, is_text=True, css="long"),
    Column("Reason", lambda ruling: ruling.reason, is_text=True, css="long"),
    Column("As played", lambda ruling: ruling.before or None, is_text=True, css="long"),
    Column("State", lambda ruling: ruling.state, is_text=True),
)


def shown_rulings(results: EventResults) -> tuple[ShownRuling, ...]:
    """Return the rulings of an event in words, by number, also those taken back."""
    if not results.counted_rulings:
        return ()
    directing = Directing(results.so_far)
    states = dict.fromkeys((ruling.number for ruling in results.rulings), "in force")
    paused: dict[Paused, int] = {}
    appeals: dict[int, int] = {}
    for ruling in in_force(results.rulings):
        match ruling.decision:
            case Appeal(ruling=number, state=state):
                states[number] = f"in force, appeal {state}"
                if number in appeals:
                    states[appeals[number]] = f"replaced by ruling {ruling.number}"
                appeals[number] = ruling.number
            case Pause() as decision:
                paused[Paused.by(decision)] = ruling.number
            case GoOn() as decision:
                if (number := paused.get(Paused.by(decision), 0)) in states:
                    states[number] = f"ended by ruling {ruling.number}"
            case _:
                pass
    for number, later in replaced(results.event, results.rulings).items():
        states[number] = f"replaced by ruling {later}"
    for ruling in results.rulings:
        if isinstance(ruling.decision, TakeBack):
            states[ruling.decision.ruling] = f"taken back by ruling {ruling.number}"
    return tuple(
        ShownRuling(
            ruling.number,
            f"{ruling.time:%Y-%m-%d %H:%M}",
            ruling.author,
            directing.title(ruling.decision),
            ruling.reason,
            directing.stood_before(ruling.decision),
            states[ruling.number],
        )
        for ruling in results.rulings
    )


def rulings_values(rulings: Sequence[ShownRuling]) -> Json:
    """Return what JSON files say of rulings; nothing where there are none."""
    return {"rulings": [asdict(ruling) for ruling in rulings]} if rulings else {}


def ruling_text(ruling: Ruling, room: Room | None) -> str:
    """Return what a ruling says of a board at a table, with the reason, in two sentences."""
    match ruling.decision:
        case Adjust() as decision:
            first, second = ("home", "visitors") if room and not decision.room else ("NS", "EW")
            what = f"adjusted to {decision.ns} for {first}, {decision.ew} for {second}"
            if decision.ns == decision.ew:
                what = f"adjusted to {decision.ns} for {first} and {second}"
        case Annul():
            what = "it counts for nobody"
        case Replay(board=board):
            what = f"board {board} counts for nobody, and a substitute is played"
        case TakeBack():
            what = "the substitute counts for nobody, as its ruling is taken back"
        case Forfeit():
            what = "the match is forfeited"
        case _:
            what = "the loss is waived, and the board adjusted"
    return f"Ruling {ruling.number} of the director: {what}. {ruling.reason}"


def print_rulings(rulings: Sequence[ShownRuling], console: Console) -> None:
    """Print rulings, if there are any, each in a few lines: they are texts too long for columns."""
    if not rulings:
        return
    lines = Table.grid(
        TerminalColumn(justify="right"), TerminalColumn(overflow="fold"), padding=(0, 1)
    )
    for ruling in rulings:
        before = f"; as played: {ruling.before}" if ruling.before else ""
        lines.add_row(f"{ruling.number}.", Text(f"{ruling.decision}: {ruling.state}"))
        lines.add_row("", Text(ruling.reason))
        lines.add_row("", Text(f"{ruling.author}, {ruling.time} UTC{before}", style="dim"))
    console.print(Text(HEADING, style="bold"), lines, "", sep="\n")

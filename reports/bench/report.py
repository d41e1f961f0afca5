"""A bench: models that each met the same house bot on the same boards, as figures and a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from bridge_arena.base.files import replace_file
from bridge_arena.bridge.record import FORFEITING
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.columns import Column
from bridge_arena.reports.common.figures import EntryFigures
from bridge_arena.reports.common.page import templates
from bridge_arena.reports.common.sums import Sums
from bridge_arena.reports.common.tables import (
    SeatedTable,
    planned_matches,
    seated_tables,
    team_matches,
)
from bridge_arena.reports.common.values import Json, values, write_json
from bridge_arena.reports.common.wording import mean_text, share_text
from bridge_arena.server.clock import TimeControl
from bridge_arena.tournaments import EventResults
from bridge_arena.tournaments.statistics.means import Mean

PAGE = "bench.html"
SUMMARY = "summary.json"


@dataclass(frozen=True, slots=True)
class BenchedModel(EntryFigures):
    boards: int  # the number of boards that it has finished in both rooms
    stopped: str  # why it did not play the others; "" if it has played all, or goes on


@dataclass(frozen=True, slots=True)
class Bench:
    name: str
    house: str  # the name of the bot that all models meet
    boards: int
    clock: str  # the time control, in words
    dates: tuple[str, ...]  # the dates of play, `YYYY.MM.DD` in order
    models: tuple[BenchedModel, ...]  # the models, the best first; those without a board last


def bench_figures(results: EventResults) -> Bench:
    """Return the figures of an event whose first entry meets each other one. Raises ValueError."""
    event = results.event
    planned = planned_matches(results)
    tables = seated_tables(results, planned)
    matches = team_matches(results, planned, tables)
    sums = Sums.of(tables, matches)
    house, *models = (entrant.name for entrant in event.entries)
    benched = [
        BenchedModel.of(
            name,
            sums,
            boards=sum(len(match.swings) for match in matches if name in match.names),
            stopped=_stopped(tables, name),
        )
        for name in models
    ]
    benched.sort(key=_merit)
    dates = {played.record.date for played in results.played if played.record.date}
    clock = TimeControl.parse(event.clock).in_welcome()["time_control"]
    return Bench(event.name, house, event.boards, clock, tuple(sorted(dates)), tuple(benched))


def _stopped(tables: Iterable[SeatedTable], name: str) -> str:
    """Return why an entry stopped; "" if it did not."""
    for table in tables:
        for fault in table.record.faults:
            if fault.kind in FORFEITING and table.names[fault.seat] == name:
                return f"{fault.kind}: {fault.detail}" if fault.detail else str(fault.kind)
    return ""


def _merit(model: BenchedModel) -> tuple[bool, float, str]:
    mean = model.imps_per_board.mean
    return mean is None, -(mean or 0.0), model.name


def write_bench(bench: Bench, folder: Path) -> None:
    """Write `bench.html` and `summary.json`. Raises OSError: a file cannot be written."""
    write_json(folder / SUMMARY, summary(bench))
    replace_file(folder / PAGE, render(bench).encode())


def render(bench: Bench) -> str:
    """Return the page; the same figures give the same bytes."""
    template = templates(Path(__file__).parent).get_template("bench.html")
    return template.render(bench=bench, columns=_columns(bench))


def _columns(bench: Bench) -> list[Column[BenchedModel]]:
    def own(role: Role) -> Callable[[BenchedModel], Mean]:
        return lambda model: model.ledger.imps_per_board.own[role]

    def rank(model: BenchedModel) -> int | None:
        return bench.models.index(model) + 1 if model.boards else None

    return [
        Column("#", rank),
        Column("Model", lambda model: model.name, is_text=True, css="name"),
        Column("IMPs/board", lambda model: model.imps_per_board, mean_text),
        Column("Boards", lambda model: model.boards),
        Column("Auction", lambda model: model.ledger.imps_per_board.auction, mean_text),
        *(Column(f"Own {role.value}", own(role), mean_text) for role in Role),
        Column(
            "Promises kept",
            lambda model: model.explanations.kept,
            share_text,
            note=lambda model: (
                f"of {model.explanations.with_ranges} calls" if model.explanations.kept.n else ""
            ),
        ),
    ]


def summary(bench: Bench) -> Json:
    """Return all figures, ready for `json.dumps`, without anything about single boards."""
    figures = values(bench)
    for model in figures["models"]:
        del model["explanations"]["worst"]
    return figures

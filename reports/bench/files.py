"""The files of a bench: a page, and its figures as JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bridge_arena.base.files import replace_file
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.bench.figures import Bench, BenchedModel
from bridge_arena.reports.common.columns import Column
from bridge_arena.reports.common.page import templates
from bridge_arena.reports.common.values import Json, json_file, values
from bridge_arena.reports.common.wording import mean_text, share_text
from bridge_arena.tournaments.statistics.means import Mean

PAGE = "bench.html"
SUMMARY = "summary.json"


def write_bench(bench: Bench, folder: Path) -> None:
    """Write `bench.html` and `summary.json`.

    Args:
        bench: The figures.
        folder: The folder for the files.

    Raises:
        OSError: A file cannot be written.
    """
    replace_file(folder / SUMMARY, json_file(summary(bench)))
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

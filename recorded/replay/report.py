"""What a replay gives: a summary on the terminal, `replay.pbn`, `replay.csv` and `summary.json`.

Columns and keys are documented in docs/replaying.md and stable.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridge_arena.base.files import replacing
from bridge_arena.base.wording import plural
from bridge_arena.board_files.texts import name_of
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import write_games
from bridge_arena.recorded.replay.figures import Figures, Measure, ReplayedGame, Role
from bridge_arena.recorded.replay.runner import Setup
from bridge_arena.reports.common.columns import new_table
from bridge_arena.reports.common.values import values, write_json
from bridge_arena.reports.common.wording import mean_text

CHECKPOINT = "checkpoint.jsonl"
PBN = "replay.pbn"
TABLE = "replay.csv"
SUMMARY = "summary.json"
LOG = "log.jsonl"

COLUMNS = (
    *("game", "line", "board", "dealer", "vulnerable", "role", "contract", "declarer"),
    *("tricks", "dd_tricks", "oracle_tricks", "score"),
    *("recorded_contract", "recorded_declarer", "recorded_tricks"),
    *(measure.value for measure in Measure),
    *("faults", "left_out"),
)

LINES = {
    Measure.VS_DD: "Tricks vs DD",
    Measure.VS_RECORDED: "Tricks vs recorded",
    Measure.VS_ORACLE: "Tricks vs oracle",
    Measure.IMPS_VS_RECORDED: "IMPs vs recorded",
}


def print_figures(setup: Setup, figures: Figures, console: Console) -> None:
    """Print the summary, which fits a terminal of 80 columns."""
    taken = figures.means[Measure.VS_DD][Role.ALL]
    headline = f"{setup.bot.name}'s side: no board to compare"
    if taken.mean is not None:
        tricks, boards = mean_text(taken), plural(taken.n, "board")
        headline = f"{setup.bot.name}'s side took {tricks} tricks against double dummy on {boards}"
    console.print(Text(headline, style="bold"))
    left_out = [f"{count} {reason}" for reason, count in figures.left_out.items()]
    out = f"; left out: {', '.join(left_out)}" if left_out else ""
    console.print(Text(f"{plural(figures.games, 'game')}, {figures.counted} counted{out}"))
    if figures.unsolved:
        console.print(Text(f"{figures.unsolved} not solved in time", style="yellow"))
    if figures.faults:
        faults = ", ".join(f"{count} {kind}" for kind, count in figures.faults.items())
        console.print(Text(f"{setup.bot.name}'s faults: {faults}", style="yellow"))
    console.print()
    console.print(_means(figures))
    note = "Positive is good for the bot. Tables of one deal are one cluster of the ± errors."
    console.print(Text(note, style="dim"))


def _means(figures: Figures) -> Table:
    table = new_table("")
    table.add_column("per board")
    for role in Role:
        table.add_column("n", justify="right")
        table.add_column(role.value, justify="right", no_wrap=True)
    for measure, label in LINES.items():
        means = figures.means[measure]
        cells = [text for role in Role for text in (str(means[role].n), mean_text(means[role]))]
        table.add_row(label, *cells)
    return table


def write_files(
    folder: Path, file: Path, setup: Setup, replayed: Sequence[ReplayedGame], figures: Figures
) -> None:
    """Write the files of a replay. Raises OSError."""
    with replacing(folder / PBN) as path, path.open("wb") as stream:
        records = chain.from_iterable((played.bot, played.oracle) for played in replayed)
        write_games(stream, map(game_of, filter(None, records)))
    with replacing(folder / TABLE) as path, path.open("w", newline="", encoding="utf-8") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(map(_row, replayed))
    write_json(folder / SUMMARY, _summary(file, setup, figures))


def _row(played: ReplayedGame) -> list[str | int | None]:
    game, bot, recorded = played.game, played.bot, played.game.record
    differences = played.differences
    board: tuple[int | str | None, ...] = (None, None, None)
    if recorded is not None:
        given = recorded.board
        board = given.number, str(given.dealer), str(given.vulnerability)
    return [
        game.number,
        game.line,
        *board,
        None if played.role is None else played.role.value,
        *_contract(bot),
        None if bot is None else bot.tricks,
        played.dd_tricks,
        None if played.oracle is None else played.oracle.tricks,
        None if bot is None else bot.score,
        *_contract(recorded),
        None if recorded is None else recorded.tricks,
        *(differences.get(measure) for measure in Measure),
        "" if bot is None else "; ".join(f"{f.seat} {f.kind} {f.action}" for f in bot.faults),
        played.left_out,
    ]


def _contract(record: BoardRecord | None) -> tuple[str | None, str | None]:
    if record is None:
        return None, None
    if record.contract is None:
        return ("Pass" if record.is_finished else None), None
    return str(record.contract), str(record.contract.declarer)


def _summary(file: Path, setup: Setup, figures: Figures) -> dict[str, object]:
    return {
        "file": Path(name_of(file)).name,
        "bot": setup.bot.name,
        "seat": str(setup.seat),
        "against": setup.against.name,
        "from": setup.start.value,
        "seed": setup.seed,
        "games": figures.games,
        "counted": figures.counted,
        "left_out": figures.left_out,
        "unsolved": figures.unsolved,
        "faults": {kind.value: count for kind, count in figures.faults.items()},
        **{
            measure.value: {role.value: values(mean) for role, mean in by_role.items()}
            for measure, by_role in figures.means.items()
        },
    }

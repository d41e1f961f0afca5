"""Compare the columns of the laboratory's scoring bracket with boards that were played out.

    python -m research.lab_bracket [--games 4000] [--boards 500] [--matches 400] [--seed 7]

Played out are recorded games of WBridge5 (from ARENA_DATA), and boards of shipped bots in the
laboratory, in contracts that `natural` bids: of `fastplay` against `baseline` in both rooms, and of
four players of a kind, slow ones on a quarter of the boards. All their calls are read as `natural`
means them. The tricks that declarer took, less the double-dummy tricks of each column, say whether
the column flatters the contract. The points of declarer's side, less those of the column, without
sign, say how near it comes. A board that was played in two rooms counts once, with the mean of
both.

In matches one team bids `natural` and the other `simple`, and both play as the same bot does. The
IMPs of each board are compared with those of the columns.

First comes the cost: the processor time of a contract that differs between the rooms of an
experiment on fresh deals.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import fmean
from unittest.mock import patch

import numpy as np

from benchmarks.figures import figure, table, timed
from benchmarks.running import progress
from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.bots.library.bidding_systems import SystemName, system
from bridge_arena.bots.registry import parse
from bridge_arena.bridge.calls import FIRST_BID, Call, Contract, Risk
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import contract_score, imps
from bridge_arena.bridge.seats import Side
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab import bracket as lab_leads
from bridge_arena.lab.bidders import Bidder, parse_bidders
from bridge_arena.lab.bidding import bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.bracket import (
    COLUMNS,
    KINDS,
    LEVELS,
    PLAIN,
    READER,
    Column,
    ToLead,
    leads,
    tricks_after,
)
from bridge_arena.lab.experiment import UNKNOWN, Experiment
from bridge_arena.lab.groupings import kind_of_bid
from bridge_arena.lab.play import GivenTable, in_both_rooms, play
from bridge_arena.lab.run import solve
from bridge_arena.lab.scoring import scored
from bridge_arena.oracle.contract_tricks import tricks_here
from bridge_arena.oracle.solver import limit_threads
from bridge_arena.oracle.table_store import TableStore
from bridge_arena.pbn.read.records import read_records
from bridge_arena.reports.common.wording import mean_text
from bridge_arena.tournaments.events.boards import GivenBoard, dealt_boards, whole_auction
from bridge_arena.tournaments.play.in_process import NamedBot, explained_at_tables, named_pair
from bridge_arena.tournaments.schedule.units import team_at
from bridge_arena.tournaments.statistics.means import Mean

PAIRS = (("natural", "baseline"), ("qtable", "natural"), ("neural", "natural"))
"""The bidders whose contracts are timed."""


def costs(boards: int, key: DealKey) -> Iterator[list[str]]:
    """Yield rows of the processor time of a contract that differs between the rooms."""
    dealt = LabBoards.dealt(key, 1, boards + 1)
    nothing = TableStore(None)
    fastplay = Bidder.parse("fastplay")
    for names in PAIRS:
        arm, opponent = parse_bidders(list(names))
        experiment = Experiment((arm,), opponent, boards, 0, leader=fastplay)
        made, bidding = timed(partial(bid, dealt, arm.maker(), opponent.maker(), key))
        matches, solving = timed(partial(scored, dealt, [made], partial(tricks_here, nothing)))
        with patch.object(lab_leads, "tricks_after", lambda *_: 0):
            lab_leads.led(experiment, dealt, matches)  # reads what the bots need
            _, leading = timed(partial(lab_leads.led, experiment, dealt, matches))
        _, together = timed(partial(lab_leads.led, experiment, dealt, matches))
        number = int((matches[0].tricks != UNKNOWN).sum())
        spent = bidding, solving, leading, together - leading
        yield [
            " - ".join(f"`{name}`" for name in names),
            f"{number:,}",
            *(f"{1000 * each / number:.1f}" for each in spent),
            f"{together / solving:.2f}",
        ]


SYSTEMS: tuple[SystemName, SystemName] = ("natural", "simple")
"""The bidding systems of the two teams of a match."""


def swings(bot: str, boards: int, key: DealKey) -> list[list[str]]:
    """Return the rows of a match: the IMPs of the boards as played, and in each column."""
    home, visitors = (NamedBot(name, parse(f"{bot}:bidding={name}")[1]) for name in SYSTEMS)
    dealt = [key.board(number) for number in range(1, boards + 1)]
    bid = [each for rooms in explained_at_tables(dealt, home, visitors, key) for each in rooms]
    in_contract = [each for each in bid if each.contract is not None]
    systems = [system(name) for name in SYSTEMS]
    tables: list[ToLead] = []
    given: list[GivenTable] = []
    for record in in_contract:
        assert record.contract is not None
        assert record.room is not None
        declaring = team_at(record.contract.declarer.side, record.room)
        calls = [made.call for made in record.calls]
        sides = systems[1 - declaring], systems[declaring]
        tables.append(ToLead(record.board, calls, *sides, key))
        given.append((record.room, GivenBoard(record.board, record.calls)))
    # North-South's points as played, then in each column; a board passed out has none.
    points: dict[tuple[int, Room | None], list[int]] = {}
    played = play((home, visitors), given, key)
    for at, own, record in zip(tables, scored_in_columns(tables), played, strict=True):
        sign = 1 if at.contract.declarer.side is Side.NS else -1
        assert record.score is not None
        in_columns = [sign * score for _, score in own.values()]
        points[record.board.number, record.room] = [record.score, *in_columns]
    nothing = [0] * (1 + len(COLUMNS))
    found = np.array(
        [
            [
                imps(one - other)
                for one, other in zip(
                    *(points.get((each.number, room), nothing) for room in Room), strict=True
                )
            ]
            for each in dealt
        ]
    )
    real = found[:, 0]
    rows = [[f"`{bot}`", "as played", figure(real, 2, "+"), "", ""]]
    for name, column in zip(HEADINGS.values(), found.T[1:], strict=True):
        correlation = float(np.corrcoef(column, real)[0, 1])
        doubt = (1 - correlation**2) / len(real) ** 0.5
        behind = f"{correlation:.2f} ± {doubt:.2f}"
        less = figure(column - real, 2, "+")
        rows.append([f"`{bot}`", name, figure(column, 2, "+"), less, behind])
    return rows


def scored_in_columns(tables: Sequence[ToLead]) -> Iterator[dict[str, tuple[int, int]]]:
    """Yield the tricks and points of declarer in each column."""
    for at, lead in zip(tables, leads(tables), strict=True):
        contract, deal = at.contract, at.board.deal
        (plain,) = solve([(deal, contract.declarer, contract.denomination)])
        after = tricks_after(deal, contract, lead, plain)
        vulnerable = at.board.vulnerability.includes(contract.declarer.side)
        tricks = {name: after if each.is_led else plain for name, each in COLUMNS.items()}
        yield {
            name: (tricks[name], in_column(each, contract, tricks[name], vulnerable=vulnerable))
            for name, each in COLUMNS.items()
        }


def in_column(column: Column, contract: Contract, tricks: int, *, vulnerable: bool) -> int:
    """Return the points of declarer's side in a column."""
    is_down = tricks < contract.tricks_needed
    if column.is_doubled and is_down and contract.risk is Risk.UNDOUBLED:
        contract = replace(contract, risk=Risk.DOUBLED)
    return contract_score(contract, tricks, vulnerable=vulnerable)


HEADINGS = {
    "double_dummy": "plain",
    "lead": "lead",
    "doubler": "doubler",
    "lead_and_doubler": "both",
}
"""The headings of the columns."""


DATA = Path(os.environ.get("ARENA_DATA") or "../shared/data")
GAMES = "wbridge5/games-1-8000.pbn"

PLAYERS = (("fastplay", "baseline"), ("fastplay",), ("montecarlo:worlds=10",))
"""Two bots that play in both rooms, or one whose four players play in one."""

SLOW = "montecarlo"

MATCHES = ("fastplay", "baseline")
"""The players of the matches."""

FEWEST = 10
"""The fewest boards of a kind that are told."""

BY_LEAD = PLAIN, "lead"
"""The columns that differ in tricks."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A board that was played out, compared with the columns."""

    kinds: tuple[str, ...]  # the kinds of the contract, some of `KINDS`
    tricks: dict[str, float]  # the tricks taken less those of each column
    points: dict[str, float]  # the points of declarer's side less those of each column


Rooms = Sequence[Compared]
"""A board in one room or both, in the same contract."""


def played_out(records: Iterable[BoardRecord]) -> Iterator[BoardRecord]:
    """Yield the records with a whole auction, all cards and a result."""
    for record in records:
        is_played = record.tricks is not None and len(record.cards) == 52
        if is_played and record.contract is not None and whole_auction(record) is not None:
            yield record


def compared(records: Sequence[BoardRecord], key: DealKey) -> list[Compared]:
    """Compare boards, each with the columns."""
    reader = system(READER)
    tables = [
        ToLead(record.board, [made.call for made in record.calls], reader, reader, key)
        for record in records
    ]
    found: list[Compared] = []
    for record, points in zip(records, scored_in_columns(tables), strict=True):
        contract, taken = record.contract, record.tricks
        assert contract is not None
        assert taken is not None
        vulnerable = record.board.vulnerability.includes(contract.declarer.side)
        score = contract_score(contract, taken, vulnerable=vulnerable)
        found.append(
            Compared(
                kinds_of(contract),
                {name: taken - tricks for name, (tricks, _) in points.items()},
                {name: score - own for name, (_, own) in points.items()},
            )
        )
    return found


def kinds_of(contract: Contract) -> tuple[str, str, str]:
    bid = Call.bid(contract.level, contract.denomination)
    return (
        LEVELS[min(int(kind_of_bid()[bid - FIRST_BID]), len(LEVELS) - 1)],
        "notrump" if contract.denomination.trump is None else "suit",
        "undoubled" if contract.risk is Risk.UNDOUBLED else "doubled",
    )


def by_kind(boards: Sequence[Rooms]) -> Iterator[tuple[str, list[Rooms]]]:
    """Yield each kind of contract with its boards, all kinds first."""
    yield "all", list(boards)
    for kind in KINDS:
        some = [rooms for rooms in boards if kind in rooms[0].kinds]
        if len(some) >= FEWEST:
            yield kind, some


def flattered(source: str, boards: Sequence[Rooms]) -> Iterator[list[str]]:
    """Yield rows of what was taken less what the columns say."""
    for kind, some in by_kind(boards):
        tricks = [
            [fmean(room.tricks[name] for room in rooms) for rooms in some] for name in BY_LEAD
        ]
        points = [
            [fmean(room.points[name] for room in rooms) for rooms in some] for name in COLUMNS
        ]
        yield [
            source,
            kind,
            f"{len(some):,}",
            *(mean_text(Mean.of(each)) for each in tricks),
            *(mean_text(Mean.of(each), 0) for each in points),
        ]


def nearness(source: str, boards: Sequence[Rooms]) -> Iterator[list[str]]:
    """Yield rows of the distance in points between what was taken and the columns."""
    for kind, some in by_kind(boards):
        away = {
            name: [fmean(abs(room.points[name]) for room in rooms) for rooms in some]
            for name in COLUMNS
        }
        best, second, *_ = sorted(COLUMNS, key=lambda name: sum(away[name]))
        less = [one - other for one, other in zip(away[best], away[second], strict=True)]
        yield [
            source,
            kind,
            *(mean_text(Mean.of(each), 0).removeprefix("+") for each in away.values()),
            HEADINGS[best],
            f"{mean_text(Mean.of(less), 1)} ({HEADINGS[second]})",
        ]


def played_by(bots: Sequence[str], given: Sequence[GivenBoard], key: DealKey) -> list[Rooms]:
    """Have two bots play boards in both rooms, or one of them with itself in one."""
    if len(bots) == 1:
        some = given[: len(given) // 4] if bots[0].startswith(SLOW) else given
        records = play(named_pair(bots[0], bots[0]), [(Room.OPEN, each) for each in some], key)
        return [(each,) for each in compared(list(records), key)]
    both = compared(list(play(named_pair(bots[0], bots[1]), in_both_rooms(given), key)), key)
    return list(zip(both[::2], both[1::2], strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--games", type=int, default=4000, help="games of WBridge5; default: %(default)s"
    )
    parser.add_argument(
        "--boards", type=int, default=500, help="boards to play; default: %(default)s"
    )
    parser.add_argument(
        "--matches", type=int, default=400, help="boards of a match; default: %(default)s"
    )
    parser.add_argument("--seed", type=int, default=7, help="their seed; default: %(default)s")
    options = parser.parse_args()
    if min(options.games, options.boards // 4, options.matches) < 2:
        parser.error("2 games, 8 boards and 2 boards of a match are needed at least")
    limit_threads(1)
    try:
        games = list(islice(played_out(read_records(DATA / GAMES)), options.games))
    except (OSError, RecordedTextError) as error:
        sys.exit(str(error))
    key = DealKey.of_seed(options.seed)
    columns = [*HEADINGS.values()]
    heads = ["bidders", "contracts", "CPU ms a contract: bidding", "plain solve", "lead"]
    heads += ["solve after it", "lead and its solve / plain solve"]
    print(table(heads, list(costs(options.boards // 2, key))), end="\n\n", flush=True)
    sources: dict[str, list[Rooms]] = {"WBridge5": [(each,) for each in compared(games, key)]}
    given = list(islice(dealt_boards(key, system(READER)), options.boards))
    for bots in PLAYERS:
        progress(" against ".join(bots))
        sources[" against ".join(f"`{bot}`" for bot in bots)] = played_by(bots, given, key)
    heads = ["played by", "contract", "boards", "tricks less plain", "tricks less lead"]
    heads += [f"points less {column}" for column in columns]
    print(table(heads, [row for each in sources.items() for row in flattered(*each)]), end="\n\n")
    heads = ["played by", "contract", *(f"points from {column}" for column in columns)]
    heads += ["nearest", "points less than from the second"]
    print(table(heads, [row for each in sources.items() for row in nearness(*each)]), end="\n\n")
    heads = ["both teams play as", "scored", "IMPs a board", "less as played", "correlation"]
    print(table(heads, [row for bot in MATCHES for row in swings(bot, options.matches, key)]))


if __name__ == "__main__":
    main()

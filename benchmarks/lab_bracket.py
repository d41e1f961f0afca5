"""Compare the columns of the laboratory's scoring bracket with boards that were played out.

    python -m benchmarks.lab_bracket [--games 1500] [--boards 500] [--seed 7]

Played out are recorded games of WBridge5 (from ARENA_DATA), and boards of `fastplay` against
`baseline` in the laboratory, both rooms of each, in contracts that `natural` bids. All calls are
read as `natural` means them. The tricks that declarer took, less the double-dummy tricks of each
column, say whether the column flatters the contract. The points of declarer's side, less those of
the column, without sign, say how near it comes. A board that was played in two rooms counts once,
with the mean of both.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import fmean

from benchmarks.markdown_table import table
from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bridge.calls import FIRST_BID, Call, Contract, Risk
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.scoring import contract_score
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.bracket import COLUMNS, KINDS, PLAIN, Column
from bridge_arena.lab.facets import kind_of_bid
from bridge_arena.lab.leads import READER, ToLead, leads, tricks_after
from bridge_arena.lab.play import in_both_rooms, play
from bridge_arena.lab.run import solve
from bridge_arena.lab.wording import BRACKET
from bridge_arena.oracle.solver import limit_threads
from bridge_arena.pbn.model import PbnError
from bridge_arena.pbn.read.records import read_records
from bridge_arena.reports.common.wording import mean_text
from bridge_arena.tournaments.events.given_auctions import dealt_boards, whole_auction
from bridge_arena.tournaments.play.in_process import named_pair
from bridge_arena.tournaments.statistics.means import Mean

DATA = Path(os.environ.get("ARENA_DATA") or "../shared/data")
GAMES = "wbridge5/games-1-8000.pbn"

PLAYERS = "fastplay", "baseline"

BY_LEAD = PLAIN, "lead"
"""The columns that differ in tricks."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A board that was played out, compared with the columns.

    Attributes:
        kind: The kind of the contract, one of `KINDS`.
        tricks: The tricks taken less those of each column.
        points: The points of declarer's side less those of each column.
    """

    kind: str
    tricks: dict[str, float]
    points: dict[str, float]


Rooms = Sequence[Compared]
"""A board in one room or both, in the same contract."""


def played_out(records: Iterable[BoardRecord]) -> Iterator[BoardRecord]:
    """Yield the records with a whole auction, all cards and a result."""
    for record in records:
        is_played = record.tricks is not None and len(record.cards) == 52
        if is_played and record.contract is not None and whole_auction(record) is not None:
            yield record


def compared(records: Sequence[BoardRecord]) -> list[Compared]:
    """Compare boards, each with the columns."""
    reader = system(READER)
    tables = [
        ToLead(record.board, [made.call for made in record.calls], reader, reader)
        for record in records
    ]
    found: list[Compared] = []
    for record, at, lead in zip(records, tables, leads(tables), strict=True):
        contract, deal, taken = at.contract, record.board.deal, record.tricks
        assert taken is not None
        (plain,) = solve([(deal, contract.declarer, contract.denomination)])
        after = tricks_after(deal, contract, lead, plain)
        vulnerable = record.board.vulnerability.includes(contract.declarer.side)
        score = contract_score(contract, taken, vulnerable=vulnerable)
        tricks = {name: after if each.is_led else plain for name, each in COLUMNS.items()}
        found.append(
            Compared(
                kind_of(contract),
                {name: taken - tricks[name] for name in COLUMNS},
                {
                    name: score - in_column(each, contract, tricks[name], vulnerable=vulnerable)
                    for name, each in COLUMNS.items()
                },
            )
        )
    return found


def kind_of(contract: Contract) -> str:
    bid = Call.bid(contract.level, contract.denomination)
    return KINDS[min(int(kind_of_bid()[bid - FIRST_BID]), len(KINDS) - 1)]


def in_column(column: Column, contract: Contract, tricks: int, *, vulnerable: bool) -> int:
    """Return the points of declarer's side in a column."""
    is_down = tricks < contract.tricks_needed
    if column.is_doubled and is_down and contract.risk is Risk.UNDOUBLED:
        contract = replace(contract, risk=Risk.DOUBLED)
    return contract_score(contract, tricks, vulnerable=vulnerable)


def by_kind(boards: Sequence[Rooms]) -> Iterator[tuple[str, list[Rooms]]]:
    """Yield each kind of contract with its boards, all kinds first."""
    yield "all", list(boards)
    for kind in KINDS:
        yield kind, [rooms for rooms in boards if rooms[0].kind == kind]


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
            BRACKET[best].lower(),
            f"{mean_text(Mean.of(less), 1)} ({BRACKET[second].lower()})",
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--games", type=int, default=1500, help="games of WBridge5; default: %(default)s"
    )
    parser.add_argument(
        "--boards", type=int, default=500, help="boards to play; default: %(default)s"
    )
    parser.add_argument("--seed", type=int, default=7, help="their seed; default: %(default)s")
    options = parser.parse_args()
    limit_threads(1)
    try:
        games = list(islice(played_out(read_records(DATA / GAMES)), options.games))
    except (OSError, PbnError) as error:
        sys.exit(str(error))
    key = DealKey.of_seed(options.seed)
    given = list(islice(dealt_boards(key, system(READER)), options.boards))
    both = compared(list(play(named_pair(*PLAYERS), in_both_rooms(given), key)))
    sources: dict[str, list[Rooms]] = {
        "WBridge5": [(each,) for each in compared(games)],
        " against ".join(f"`{player}`" for player in PLAYERS): list(
            zip(both[::2], both[1::2], strict=True)
        ),
    }
    columns = [heading.lower() for heading in BRACKET.values()]
    heads = ["played by", "contract", "boards", "tricks less plain", "tricks less lead"]
    heads += [f"points less {column}" for column in columns]
    print(table(heads, [row for each in sources.items() for row in flattered(*each)]), end="\n\n")
    heads = ["played by", "contract", *(f"points from {column}" for column in columns)]
    heads += ["nearest", "points less than from the second"]
    print(table(heads, [row for each in sources.items() for row in nearness(*each)]))


if __name__ == "__main__":
    main()

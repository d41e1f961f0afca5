"""What the stand-ins of two entries make of deals, which tells the luck of a match's deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.play import in_both_rooms, play
from bridge_arena.tournaments import GivenBoard, swing
from bridge_arena.tournaments.events.deal_control import Pair
from bridge_arena.tournaments.play.in_process import named_pair

PART = 64
"""The boards of a part: in both rooms they fill the laboratory's tables."""


@dataclass(frozen=True, slots=True)
class Part:
    pair: Pair  # the stand-ins
    key: DealKey
    start: int  # the number of the first board
    stop: int  # the number after that of the last
    plays: int  # how often each board is played


def parts(pair: Pair, key: DealKey, numbers: Sequence[int], plays: int) -> Iterator[Part]:
    """Yield deals in parts of at most `PART` boards that follow each other."""
    start = 0
    for place, (number, following) in enumerate(pairwise([*numbers, 0]), start=1):
        if following != number + 1 or place - start == PART:
            yield Part(pair, key, numbers[start], number + 1, plays)
            start = place


def deal_values(part: Part) -> dict[int, float]:
    """Return the mean IMPs of the first stand-in by the number of the board.

    They bid and play each board as in a match, and may play the same contracts again.
    """
    teams = named_pair(part.pair.first, part.pair.second)
    boards = [part.key.board(number) for number in range(part.start, part.stop)]
    tables = [*in_both_rooms(GivenBoard(board, ()) for board in boards)]
    totals = dict.fromkeys(range(part.start, part.stop), 0)
    for again in range(part.plays):
        seeds = part.key.another("play", again) if again else part.key
        records = list(play(teams, tables, seeds))
        for rooms in zip(records[::2], records[1::2], strict=True):
            worth = swing(rooms)
            totals[rooms[0].board.number] += 0 if worth is None else worth.imps
        tables = [
            (room, GivenBoard(record.board, record.calls))
            for record, (room, _) in zip(records, tables, strict=True)
        ]
    return {number: total / part.plays for number, total in totals.items()}

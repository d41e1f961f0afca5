"""The games of a file as boards to be replayed, or the reasons why they are not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from bridge_arena.board_files.games import ReadGame, read_games
from bridge_arena.board_files.problems import Report
from bridge_arena.bridge.deviations import Kind
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seats import Seat
from bridge_arena.recorded.replay import Start
from bridge_arena.tournaments.events.boards import auction_to_contract, whole_auction


class LeftOut(StrEnum):
    """The reasons why a board is not counted."""

    ERROR = "the game has errors"
    NO_DEAL = "no deal"
    NO_CONTRACT = "no contract"
    NO_AUCTION = "no complete auction"
    PASSED_OUT = "passed out"
    DUMMY = "the bot is dummy"


@dataclass(frozen=True, slots=True)
class RecordedGame:
    number: int  # its number in the file, from 1
    line: int  # its line in the file
    record: BoardRecord | None
    auction: tuple[MadeCall, ...] = ()  # the calls that the recorded seats make
    left_out: LeftOut | None = None  # why it is not replayed; None if it is


def read_recorded(path: Path, seat: Seat, start: Start, report: Report) -> list[RecordedGame]:
    """Read every game of a file, for a bot in `seat`. Raises BoardFileError."""
    return [_recorded(game, seat, start, report) for game in read_games(path, report)]


_WITHOUT_DEAL = (Kind.NO_DEAL, Kind.HIDDEN_HANDS)


def _recorded(read: ReadGame, seat: Seat, start: Start, report: Report) -> RecordedGame:
    record = read.record
    recorded = partial(RecordedGame, read.game.number, read.game.line, record)
    if record is not None and not read.is_pbn:
        for deviation in read.deviations:
            if deviation.is_error:
                report(deviation.problem)
    if record is None:
        assert read.error is not None
        # A game that was cut off before its deal counts as one with errors.
        if read.error.kind in _WITHOUT_DEAL and not read.game.problems:
            return recorded(left_out=LeftOut.NO_DEAL)
        report(read.error.problem)
        return recorded(left_out=LeftOut.ERROR)
    contract = record.contract
    if contract is None:
        why = LeftOut.PASSED_OUT if record.is_finished else LeftOut.NO_CONTRACT
        return recorded(left_out=why)
    if start is Start.PLAY:
        if contract.declarer.partner == seat:
            return recorded(left_out=LeftOut.DUMMY)
        return recorded(auction_to_contract(record))
    calls = whole_auction(record)
    return recorded(left_out=LeftOut.NO_AUCTION) if calls is None else recorded(calls)

"""Questions and faults in PBN: the standard's verifier takes them."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALLS, PASS
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, MadeCall, Question
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.read.records import record_of
from bridge_arena.pbn.strict.verdict import game_verdicts
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_game, write_games
from tests.pbn.strategies import records


def found(record: BoardRecord) -> list[str]:
    """Return what the verifier has to say of a record."""
    stream = BytesIO()
    write_games(stream, [game_of(record)])
    stream.seek(0)
    (verdict,) = game_verdicts(stream)
    return [finding.reason for finding in verdict.findings]


@settings(deadline=None, max_examples=60)
@given(records())
def test_questions_change_nothing_in_the_verdict(record: BoardRecord) -> None:
    asked = Question(Seat.NORTH, 0, 7)
    bare = replace(record, questions=())
    assert found(replace(record, questions=(asked, asked))) == found(bare)


@settings(deadline=None, max_examples=60)
@given(record=records(), asked=st.booleans())
def test_faults_change_nothing_in_the_verdict(record: BoardRecord, *, asked: bool) -> None:
    faults = (
        Fault(Seat.NORTH, FaultKind.ILLEGAL, 1, 'played "SA" \\ {twice} ; ]'),
        Fault(Seat.EAST, FaultKind.CRASH, 2, ""),
        Fault(Seat.WEST, FaultKind.TIMEOUT, 3, "late, " * 100),
    )
    questions = (Question(Seat.NORTH, 0, 7),) if asked else ()
    bare = replace(record, questions=(), faults=())
    assert found(replace(record, questions=questions, faults=faults)) == found(bare)


def test_the_table_that_faults_had_of_their_own_is_read() -> None:
    record = BoardRecord(Board.dealt(1, 1), ("n", "e", "s", "w"))
    earlier = """[ArenaFaults "Seat;Kind;Action;Detail"]
N illegal 1 "played \\"SA\\""
- - - " twice"
E crash 2 ""
"""
    text = format_game(game_of(record)).rstrip() + "\n" + earlier
    read = record_of(next(read_games(BytesIO(text.encode("latin-1")), "test.pbn")))
    assert read.faults == (
        Fault(Seat.NORTH, FaultKind.ILLEGAL, 1, 'played "SA" twice'),
        Fault(Seat.EAST, FaultKind.CRASH, 2, ""),
    )


def test_questions_are_rows_of_who_when_and_what() -> None:
    asked = (Question(Seat.EAST, 0, 1), Question(Seat.WEST, 2, 3))
    calls = (MadeCall(CALLS[3]), *[MadeCall(PASS)] * 3)
    record = BoardRecord(Board.dealt(1, 1), ("n", "e", "s", "w"), calls, questions=asked)
    lines = format_game(game_of(record)).splitlines()
    at = lines.index('[ActionTable "Asker;Action;AskedCall"]')
    assert lines[at + 1 : at + 3] == ["E 1 0", "W 3 2"]

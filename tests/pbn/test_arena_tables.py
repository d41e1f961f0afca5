"""Questions and faults in PBN: the standard's verifier takes them."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALLS, PASS, Call, Contract
from bridge_arena.bridge.deviations import Kind, NoRecordError
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, MadeCall, Mode, Question
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.arena_tables import AUCTION, PLAY
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.read.records import record_of
from bridge_arena.pbn.strict.verdict import Severity, game_verdicts, verdict_of
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import HEADER, format_game, write_games
from tests.pbn.strategies import records


def found(record: BoardRecord) -> list[str]:
    """Return what the verifier has to say of a record."""
    stream = BytesIO()
    write_games(stream, [game_of(record)])
    stream.seek(0)
    (verdict,) = game_verdicts(stream)
    return [finding.reason for finding in verdict.findings]


@given(records())
def test_questions_change_nothing_in_the_verdict(record: BoardRecord) -> None:
    asked = Question(Seat.NORTH, 0, 7)
    bare = replace(record, questions=())
    assert found(replace(record, questions=(asked, asked))) == found(bare)


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


def played(cards: int) -> BoardRecord:
    """1NT by North, and the first legal cards."""
    board = Board.dealt(1, 1)
    contract = Contract.parse("1NT", Seat.NORTH)
    play = Play(contract)
    hands = list(board.deal.hands)
    for _ in range(cards):
        turn = play.turn
        card = next(iter(play.legal_cards(hands[turn])))
        hands[turn] = hands[turn].without(card)
        play.push(card)
    calls = tuple(map(MadeCall, (Call("1NT"), PASS, PASS, PASS)))
    return BoardRecord(
        board, ("n", "e", "s", "w"), calls=calls, contract=contract, cards=tuple(play.cards)
    )


# East leads, and North plays for South.
RECORD = replace(played(6), times=((1.0, 2.5, 7.0), (3.0, 4.0), (5.0,), (6.0, 8.1)))


def read(text: str) -> Game:
    (game,) = read_games(BytesIO(text.encode("latin-1")))
    return game


def written(record: BoardRecord) -> str:
    return HEADER + format_game(game_of(record))


@settings(deadline=None)
@given(records())
def test_times_come_back_as_they_were_written(record: BoardRecord) -> None:
    assert record_of(read(written(record))).times == record.times


def test_each_call_and_card_has_its_row_of_times() -> None:
    game = game_of(RECORD)
    auction, play = game.section(AUCTION), game.section(PLAY)
    assert auction is not None
    assert play is not None
    assert auction.value == play.value == "Milliseconds"
    assert auction.tokens == ["1.0", "3.0", "5.0", "6.0"]
    # The columns of the Play section: East, South, West, North.
    assert len(play.tokens) == 8
    assert play.tokens[:4] == ["4.0", "2.5", "8.1", "7.0"]
    assert set(play.tokens[4:]) == {"-"}


def test_of_a_given_auction_nothing_was_measured() -> None:
    record = replace(RECORD, mode=Mode.PLAY, times=((1.0, 2.0), (3.0,), (), (4.0,)))
    assert AUCTION not in written(record)
    assert record_of(read(written(record))).times == record.times


def test_a_record_without_times_has_no_table_of_times() -> None:
    for times in ((), ((), (), (), ())):
        text = written(replace(RECORD, times=times))
        assert "TimeTable" not in text
        assert record_of(read(text)).times == ()


def test_a_game_with_times_is_clean_by_the_standard() -> None:
    found = verdict_of(BytesIO(written(RECORD).encode("latin-1")))
    assert found.severity is Severity.CLEAN, found.findings


def test_times_of_other_programs_are_left_alone() -> None:
    text = written(RECORD).replace("Milliseconds", "Time")
    assert record_of(read(text)).times == ()


@pytest.mark.parametrize("cell", ["soon", "1,5", "nan", "inf", "-3.0", "1e9", "--", "\xb2", ".5"])
def test_text_that_is_no_time_is_refused(cell: str) -> None:
    with pytest.raises(NoRecordError, match="not a table of times") as caught:
        record_of(read(written(RECORD).replace("2.5", cell)))
    assert caught.value.kind is Kind.TIMES


@pytest.mark.parametrize(("value", "rows"), [("1.0", "3 rows for 4"), ("2.5", "7 rows for 8")])
def test_a_table_of_times_with_a_missing_row_is_refused(value: str, rows: str) -> None:
    text = written(RECORD).replace(f"\r\n{value}\r\n", "\r\n", 1)
    with pytest.raises(NoRecordError, match=f"not a table of times: {rows} actions"):
        record_of(read(text))

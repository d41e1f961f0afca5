"""Tests that every record of the arena reads back as the same record."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALLS, PASS, Contract
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, MadeCall, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.model import LONGEST_LINE, Game
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.read.records import read_records, record_of
from bridge_arena.pbn.write.compose import NOTES, game_of
from bridge_arena.pbn.write.writer import HEADER, format_canonical, format_game, write_games
from tests.pbn.strategies import records

PLAYERS = ("Ann", "Bob", "Cy", "Dee")


def written(*several: BoardRecord) -> bytes:
    stream = BytesIO()
    assert write_games(stream, map(game_of, several)) == len(several)
    return stream.getvalue()


def read_one(text: bytes) -> Game:
    (game,) = games = read_games(BytesIO(text))
    assert not games.problems
    assert not game.problems
    return game


@given(records())
def test_a_record_reads_back_the_same(record: BoardRecord) -> None:
    text = written(record)
    game = read_one(text)
    assert record_of(game) == record
    assert format_game(game) == text.decode("latin-1").removeprefix(HEADER)


@given(records())
def test_the_game_of_a_record_is_canonical(record: BoardRecord) -> None:
    game = game_of(record)
    assert format_canonical(game) == format_game(game)


@given(records())
def test_lines_are_short_latin_and_end_in_crlf(record: BoardRecord) -> None:
    *lines, last = written(record).split(b"\r\n")
    assert last == b""
    for line in lines:
        assert len(line) <= LONGEST_LINE
        assert all(32 <= byte <= 126 or byte >= 160 for byte in line)


@settings(deadline=None, max_examples=10)
@given(st.lists(records(), min_size=1, max_size=5))
def test_a_file_of_records_reads_back_the_same(several: list[BoardRecord]) -> None:
    assert list(read_records(BytesIO(written(*several)))) == several


@given(st.text(max_size=300))
def test_text_outside_latin_1_stays_readable(text: str) -> None:
    made = MadeCall(PASS, alert=True, explanation=Explanation(text))
    record = BoardRecord(Board.dealt(1, 1), (text, "", "", ""), (made,), home=text)
    (again,) = read_records(BytesIO(written(record)))
    assert list(read_records(BytesIO(written(again)))) == [again]


def test_what_latin_1_does_not_have_becomes_a_question_mark() -> None:
    record = BoardRecord(Board.dealt(1, 1), ("Łukasz", "a\tb\nc", "", ""))
    (again,) = read_records(BytesIO(written(record)))
    assert again.players == ("?ukasz", "a b c", "", "")


def test_more_meanings_than_notes_go_into_comments() -> None:
    bids = [MadeCall(call, explanation=Explanation(f"bid {call}")) for call in CALLS[3:]]
    auction = Auction(Seat.NORTH, CALLS[3:])
    calls = (*bids, *[MadeCall(PASS)] * 3)
    record = BoardRecord(
        Board.dealt(1, 1), PLAYERS, calls, Contract.parse("7NT", Seat.SOUTH), tricks=13, score=1520
    )
    assert auction.contract is not None
    record = replace(record, contract=auction.contract)
    game = game_of(record)
    assert len(game.notes("Auction")) == NOTES
    assert "{Note: bid 7NT}" in format_game(game)
    assert record_of(read_one(written(record))) == record


def test_the_same_meaning_shares_a_note() -> None:
    alerted = MadeCall(PASS, alert=True)
    record = BoardRecord(Board.dealt(1, 1), PLAYERS, (alerted, alerted))
    text = format_game(game_of(record))
    assert 'Pass =1= Pass =1= *\r\n[Note "1:Alert"]\r\n' in text


@pytest.mark.parametrize("score", [None, 0, -150])
def test_an_adjusted_or_open_score_stays(score: int | None) -> None:
    calls = (MadeCall(PASS),) * 2
    record = BoardRecord(Board.dealt(1, 1), PLAYERS, calls, score=score)
    assert record_of(read_one(written(record))) == record


def test_a_contract_without_an_auction_reads_back_the_same() -> None:
    contract = Contract.parse("4SX", Seat.EAST)
    record = BoardRecord(
        Board.dealt(1, 1), PLAYERS, contract=contract, tricks=10, score=-590, room=Room.CLOSED
    )
    assert record_of(read_one(written(record))) == record


def test_a_record_has_this_text() -> None:
    calls = (
        MadeCall(CALLS[3], alert=True, explanation=Explanation("strong", hcp=(16, 37))),
        *[MadeCall(PASS)] * 3,
    )
    board = Board.dealt(1, 1)
    lead = next(iter(board.deal[Seat.EAST]))
    record = BoardRecord(
        board,
        PLAYERS,
        calls,
        Contract.parse("1C", Seat.NORTH),
        (lead,),
        faults=(Fault(Seat.SOUTH, FaultKind.TIMEOUT, 5, 'no "card"'),),
        event="Cup",
        date="2026.01.31",
        room=Room.OPEN,
        home="Reds",
        visitors="Blues",
    )
    assert HEADER + format_game(game_of(record)) == "\r\n".join(
        [
            "% PBN 2.1",
            "% EXPORT",
            "%",
            '[Event "Cup"]',
            '[Site "?"]',
            '[Date "2026.01.31"]',
            '[Board "1"]',
            '[West "Dee"]',
            '[North "Ann"]',
            '[East "Bob"]',
            '[South "Cy"]',
            '[Dealer "N"]',
            '[Vulnerable "None"]',
            f'[Deal "{board.deal}"]',
            '[Scoring "?"]',
            '[Declarer "N"]',
            '[Contract "1C"]',
            '[Result "?"]',
            '[HomeTeam "Reds"]',
            '[Room "Open"]',
            '[Score "?"]',
            '[VisitTeam "Blues"]',
            '[Auction "N"]',
            "1C =1= Pass Pass Pass",
            '[Note "1:Alert: strong [hcp 16-37]"]',
            '[Play "E"]',
            f"{lead} - - -",
            "*",
            '[ActionTable "Seat;Action;AskedCall;Fault;Detail"]',
            'S 5 - timeout "no \\"card\\""',
            "",
            "",
        ]
    )

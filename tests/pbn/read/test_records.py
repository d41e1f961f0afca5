"""Games to boards and records."""

from __future__ import annotations

from io import BytesIO

import pytest

from bridge_arena.base.recorded_text import Problem, RecordedTextError
from bridge_arena.bridge.calls import Call, Contract
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, MadeCall, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.read.records import board_of, read_boards, read_records, record_of

DEAL = '[Deal "E:AT872.QJ.T432.87 J.K98.KJ87.QT962 K9654.63.Q965.43 Q3.AT7542.A.AKJ5"]'
BOARD = f'[Board "6"]\n[Dealer "E"]\n[Vulnerable "EW"]\n{DEAL}\n'
ASKED = '[ActionTable "Asker;Action;AskedCall"]'
FAULTS = '[ActionTable "Seat;Action;AskedCall;Fault;Detail"]'
AUCTION = '[Auction "E"]\nPass Pass Pass 1C\nPass 1H Pass 2H\nPass 6H AP\n'


def game(text: str) -> Game:
    (only,) = read_games(BytesIO(text.encode()), "test.pbn")
    return only


def record(text: str) -> BoardRecord:
    return record_of(game(BOARD + text))


def calls(text: str) -> list[str]:
    return [str(made.call) for made in record(text).calls]


def refused(text: str) -> str:
    with pytest.raises(RecordedTextError) as caught:
        record_of(game(text))
    return str(caught.value)


def test_tags_after_the_play_belong_to_the_record() -> None:
    played = record(
        AUCTION + '[Play "W"]\nD6 DA D2 D7\n- HA - -\n*\n'
        '[Declarer "S"]\n[Contract "6H"]\n[Result "NS 13"]\n[Score "NS 1010"]\n[Room "closed"]\n'
    )
    assert played.contract == Contract.parse("6H", Seat.SOUTH)
    assert played.cards == tuple(map(Card, "D6 DA D2 D7 HA".split()))
    assert (played.tricks, played.score, played.room) == (13, 1010, Room.CLOSED)


def test_cards_come_in_playing_order() -> None:
    played = record(AUCTION + '[Play "W"]\nH3 HA HJ H8\nD5 DA D2 D7\n- S3 - -\n*\n')
    assert played.cards == tuple(map(Card, "H3 HA HJ H8 DA D2 D7 D5 S3".split()))
    assert (played.tricks, played.score) == (None, None)


def test_rows_end_before_a_card_not_known() -> None:
    assert len(record(AUCTION + '[Play "W"]\nH3 HA -- H8\n').cards) == 2
    assert len(record(AUCTION + '[Play "W"]\nh3 ha hj + *\n').cards) == 3


def test_a_score_that_is_not_given_is_computed() -> None:
    assert record(AUCTION + '[Result "12"]').score == 980
    assert record(AUCTION + '[Result "11"]\n[Score "?"]').score == -50
    assert record('[Contract "Pass"]').score == 0


@pytest.mark.parametrize(
    ("auction", "expected"),
    [
        ('[Auction "E"]\nP PASS pass 1n d r AP', "Pass Pass Pass 1NT X XX Pass Pass Pass"),
        ('[Auction "E"]\nAP', "Pass Pass Pass Pass"),
        ('[Auction "N"]\n- Pass 1C Dbl\n*', "Pass 1C X"),
        ('[Auction "E"]\n1C! $3 {nice} 1D?? +', "1C 1D"),
        ('[Auction "E"]\n1H P 4H* P\nP', "1H Pass 4H Pass Pass Pass"),
        ('[Auction "E"]\n1C ^I 1C Pass', "1C"),
        ('[Auction ""]\n*', ""),
    ],
)
def test_calls_are_read_in_every_form(auction: str, expected: str) -> None:
    assert calls(auction) == expected.split()


def test_notes_explain_calls() -> None:
    first, second, third = record(
        '[Auction "E"]\n1C=1= 1D =2= 1H =3=\n*\n[Note "1:Alert: strong"]\n[Note "2:5 cards"]'
    ).calls
    assert first == MadeCall(Call("1C"), alert=True, explanation=Explanation("strong"))
    assert second == MadeCall(Call("1D"), explanation=Explanation("5 cards"))
    assert third == MadeCall(Call("1H"))


def test_a_swapped_declarer_is_believed() -> None:
    contract = record(AUCTION + '[Declarer "^N"]\n[Contract "6H"]').contract
    assert contract == Contract.parse("6H", Seat.NORTH)


def test_play_ends_before_an_accepted_irregularity() -> None:
    text = AUCTION + '[Play "W"]\nH3 HA ^R D2 H8\nD5 DA D2 D7\n*'
    assert record(text).cards == (Card("H3"), Card("HA"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[Event "a"]', "test.pbn:1: game 1: Deal: the deal is missing"),
        (BOARD.replace("AKJ5", "AKJ"), "test.pbn:4: game 1: Deal: N has 12 cards, not 13"),
        (BOARD.replace("AKJ5", "AKJ2"), "Deal: C2 is dealt twice, the second time to S"),
        (BOARD + '[Auction "E"]\nPass\n2C 1D', "test.pbn:7: game 1: Auction: 1D by W is illegal"),
        (BOARD + '[Auction "E"]\nPass AC', "Auction: 'AC' is not a call"),
        (BOARD + '[Auction "Q"]\nPass', "Auction: 'Q' is not a seat"),
        (BOARD + AUCTION + '[Play "W"]\nHA', "test.pbn:10: game 1: Play: HA is illegal: W"),
        (BOARD + AUCTION + '[Play "W"]\nH3 HA D2', "E can follow suit to H3"),
        (BOARD + AUCTION + '[Play "W"]\nZ3', "Play: 'Z3' is not a card"),
        (BOARD + AUCTION + '[Play "Z"]\nH3', "Play: 'Z' is not a seat"),
        (BOARD + '[Play "W"]\nH3', "Play: cards are played without a contract"),
        (BOARD + AUCTION + '[Declarer "N"]\n[Contract "6H"]', "it says 6H by N"),
        (BOARD + AUCTION + '[Contract "Pass"]', "it says passed out"),
        (BOARD + '[Contract "4S"]', "Contract: '4S' has no declarer"),
        (BOARD + '[ArenaFaults "x"]\nN late 1 ""', "ArenaFaults: not a table of faults"),
        (BOARD + '[ArenaFaults "x"]\nN', "ArenaFaults: not a table of faults"),
        (BOARD + '[ArenaFaults "x"]\n- - - ""', "ArenaFaults: not a table of faults"),
        (BOARD + f'{FAULTS}\nN 1 - late ""', "ActionTable: not a table of faults"),
        (BOARD + f"{FAULTS}\nN 1 -", "ActionTable: not a table of faults"),
        (BOARD + f'{FAULTS}\n- - - - ""', "ActionTable: not a table of faults"),
        (
            BOARD + AUCTION + f"{FAULTS}\nN 1 99 - -",
            "not a table of questions: there is no call 99",
        ),
        (BOARD + AUCTION + f"{ASKED}\nN 1", "not a table of questions: 2 cells in 3 columns"),
        (BOARD + AUCTION + f"{ASKED}\nQ 1 0", "ActionTable: not a table of questions: 'Q' is not"),
        (BOARD + AUCTION + f"{ASKED}\nN -1 0", "not a table of questions: '-1' is not a number"),
        (BOARD + AUCTION + f"{ASKED}\nN 1 99", "not a table of questions: there is no call 99"),
    ],
)
def test_games_that_are_no_records_are_refused_with_the_reason(text: str, reason: str) -> None:
    assert reason in refused(text)


@pytest.mark.parametrize("number", ["0", "?", "", "1a", "-3"])
def test_an_odd_board_number_is_read_as_1(number: str) -> None:
    text = BOARD.replace('"6"', f'"{number}"')
    assert board_of(game(text)).number == 1


def file(*games: str) -> BytesIO:
    return BytesIO("\n".join(games).encode())


def test_boards_come_once_and_are_counted_where_they_have_no_number() -> None:
    second = BOARD.replace("E:AT872", "S:AT872").replace('[Board "6"]\n', "")
    third = second.replace('"EW"', '"None"')
    both = second, third, second, third
    assert [board.number for board in read_boards(file(*both))] == [1, 2]
    assert [record.board.number for record in read_records(file(*both))] == [1, 2, 1, 2]
    assert len(read_boards(file(BOARD, BOARD))) == 1
    assert len(read_boards(file(BOARD, BOARD.replace("6", "7", 1)))) == 2


def test_a_bad_game_is_reported_or_raised() -> None:
    bad = BOARD.replace("AKJ5", "AKJ")
    problems: list[Problem] = []
    assert len(read_boards(file(bad, BOARD), problems)) == 1
    assert len(list(read_records(file(bad, BOARD), problems))) == 1
    assert [(problem.number, problem.field) for problem in problems] == [(1, "Deal")] * 2
    with pytest.raises(RecordedTextError, match="12 cards"):
        read_boards(file(BOARD, bad))
    with pytest.raises(RecordedTextError, match="12 cards") as caught:
        list(read_records(file(BOARD, bad)))
    error = caught.value
    problem = error.problem
    assert (problem.file, problem.line, problem.number) == ("<stream>", 9, 2)
    assert problem.field == "Deal"


def test_files_without_games_are_refused() -> None:
    with pytest.raises(
        RecordedTextError, match=r"^<stream>:1: this is not a PBN file: it has no game$"
    ):
        read_boards(file("Dear Sir,\n"))
    with pytest.raises(RecordedTextError, match="not a PBN file"):
        list(read_records(BytesIO(bytes(range(256)))))
    with pytest.raises(RecordedTextError, match="it has no game"):
        read_boards(file(""))
    assert list(read_records(file("% PBN 2.1\n"))) == []

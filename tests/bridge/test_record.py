"""Records of boards that were played."""

import pickle

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call, Contract
from bridge_arena.bridge.cards import Card, Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import FORFEITING, BoardRecord, Fault, FaultKind, MadeCall, Room
from bridge_arena.bridge.seats import Seat

BOARD = Board.dealt(1, 1)
PLAYERS = ("Ann", "Bob", "Cy", "Dee")

RECORD = BoardRecord(
    BOARD,
    PLAYERS,
    calls=(
        MadeCall(
            Call("1H"), alert=True, explanation=Explanation("", lengths={Suit.HEARTS: (4, 13)})
        ),
        *[MadeCall(Call("Pass"))] * 3,
    ),
    contract=Contract.parse("1H", Seat.NORTH),
    cards=tuple(map(Card, "SK S4 SA S2 SQ".split())),
    tricks=7,
    score=80,
    faults=(Fault(Seat.EAST, FaultKind.ILLEGAL, 4, "SA"),),
    room=Room.OPEN,
)


def test_a_record_with_a_score_is_finished() -> None:
    assert RECORD.is_finished
    assert not BoardRecord(BOARD, PLAYERS).is_finished


def test_a_passed_out_board_is_finished_with_zero() -> None:
    assert BoardRecord(BOARD, PLAYERS, score=0).is_finished


def test_the_play_is_replayed() -> None:
    play = RECORD.play()
    assert tuple(play.cards) == RECORD.cards
    assert play.tricks[0].winner is Seat.WEST
    assert play.turn is Seat.NORTH


def test_a_record_without_a_contract_has_no_play() -> None:
    with pytest.raises(ValueError, match="board 1 has no contract to play"):
        BoardRecord(BOARD, PLAYERS, score=0).play()


def test_records_are_values() -> None:
    twin: BoardRecord = pickle.loads(pickle.dumps(RECORD))
    assert twin == RECORD
    assert hash(twin) == hash(RECORD)


def test_rooms_and_faults_are_their_words() -> None:
    assert [str(room) for room in Room] == ["Open", "Closed"]
    assert [str(kind) for kind in FaultKind] == (
        "illegal malformed timeout stall disconnect crash refused undo".split()
    )


def test_these_faults_end_the_play_of_a_side() -> None:
    assert sorted(FORFEITING) == ["crash", "disconnect", "refused", "stall"]

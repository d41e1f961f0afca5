"""Tests of board records written as LIN."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import Seat
from bridge_arena.lin.records import read_records
from bridge_arena.lin.writer import format_record, format_records, left_out, write_records
from tests.lin.tables import AUCTION, START, record

ONE = record(START + AUCTION.replace("2N|an|minors", "2N!|an|5-5 !C and !D") + "pc|H4|pc|H2|mc|8|")


assert ONE.contract is not None
CONTRACT = ONE.contract


def written(several: list[BoardRecord]) -> str:
    return "".join(format_records(several))


def in_room(number: int, room: Room, tricks: int | None) -> BoardRecord:
    score = None if tricks is None else score_ns(ONE.contract, tricks, ONE.board.vulnerability)
    board = replace(ONE.board, number=number)
    return replace(
        ONE, board=board, room=room, tricks=tricks, score=score, event="Cup, Final",
        home="Reds", visitors="Blues, too", scoring="MatchPoints",
    )  # fmt: skip


def test_a_board_is_written() -> None:
    assert format_record(ONE) == (
        "qx|o15|pn|Sue,Will,Nora,Ed|st||"
        "md|1S289QH28QD367QKCT,S346JH3567JKDC4QA,S5KHAD25TJACJ2679,S7TAH49TD489C358K|".replace(
            "CJ2679", "C2679J"
        )
        + "rh||ah|Board 15|sv|n|mb|p|mb|1H|mb|2N!|an|5-5 !C and !D|mb|p|mb|3N|mb|p|mb|p|mb|p|"
        "pg||pc|H4|pc|H2|pg||mc|8|pg||"
    )


def test_a_match_of_two_rooms_is_written() -> None:
    rooms = [
        in_room(15, Room.OPEN, 9),
        in_room(15, Room.CLOSED, 7),
        in_room(17, Room.CLOSED, None),
    ]
    text = written(rooms)
    heading, results, page, *tables = text.splitlines()
    assert heading == "vg|Cup,Final,P,15,17,Reds,0,Blues; too,0|"
    assert results == "rs|3NN=,3NN-2,,,,3NN|"
    assert page == "pg||"
    assert tables[0].startswith("qx|o15|pn|Sue,Will,Nora,Ed,,,,|")
    assert tables[1].startswith("qx|c15|pn|,,,,Sue,Will,Nora,Ed|")
    assert len(tables) == 3


def test_tables_of_one_place_have_headings_of_their_own() -> None:
    rooms = [in_room(1, Room.OPEN, 9), in_room(1, Room.OPEN, 8), in_room(1, Room.CLOSED, 7)]
    first, second = format_records(rooms)
    assert "rs|3NN=,|" in first
    assert "rs|3NN-1,3NN-2|" in second
    assert [text.count("|md|") for text in (first, second)] == [1, 2]


def test_boards_that_lie_far_apart_have_headings_of_their_own() -> None:
    far = [in_room(1, Room.OPEN, 9), in_room(999_999_999, Room.OPEN, 9)]
    texts = list(format_records(far))
    assert [text.count("rs|3NN=,|") for text in texts] == [1, 1]
    assert len("".join(texts)) < 1000


def test_a_score_without_a_contract_does_not_pass_the_board_out() -> None:
    bare = replace(ONE, calls=(), contract=None, cards=(), tricks=None)
    assert "rs|,|" in written([replace(bare, score=450)])
    assert "rs|PASS,|" in written([replace(bare, score=0)])


@pytest.mark.parametrize(
    ("changes", "in_file", "in_link"),
    [
        ({}, "", ""),
        ({"calls": ()}, "", "contract and result"),
        ({"calls": ONE.calls[:3]}, "", "contract and result"),
        ({"contract": replace(CONTRACT, declarer=Seat.SOUTH)}, "", "contract and result"),
        ({"score": 100}, "score", "score"),
        ({"tricks": None}, "score", "score"),
        ({"tricks": None, "score": None}, "", ""),
        ({"calls": (), "contract": None, "tricks": None, "score": None}, "", ""),
        ({"calls": (), "contract": None, "tricks": None, "score": 0}, "", "contract and result"),
        ({"calls": (), "contract": None, "tricks": None, "score": 50}, "score", "score"),
    ],
)
def test_what_has_no_place_is_named(changes: dict[str, Any], in_file: str, in_link: str) -> None:
    record = replace(ONE, **changes)
    assert left_out(record, has_heading=True) == in_file
    assert left_out(record, has_heading=False) == in_link


def test_what_lin_cannot_hold_is_replaced() -> None:
    text = format_record(replace(ONE, players=("a|b", "c,d", "e\nf", " ♥ ")))
    assert "pn|e f, ,a/b,c;d|".replace(", ,", ",!H,") in text


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    def failing() -> Iterator[BoardRecord]:
        yield ONE
        raise RuntimeError("no more")

    path = tmp_path / "x.lin"
    with pytest.raises(RuntimeError):
        write_records(path, failing())
    assert list(tmp_path.iterdir()) == []
    assert write_records(path, [ONE]) == 1
    assert list(tmp_path.iterdir()) == [path]
    assert list(read_records(path)) == [ONE]

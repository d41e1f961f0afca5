"""Replays of files: which tables belong together, and what they are called."""

from __future__ import annotations

from dataclasses import replace

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.web.replays.of_files import (
    FileRecord,
    replays_of_files,
    replays_of_records,
)

ONE, TWO = Board.dealt(1, 1), Board.dealt(1, 2)
BLANK = BoardRecord(ONE, ("", "", "", ""), score=0)


def names(*records: BoardRecord) -> list[str]:
    (replay,) = replays_of_records(records)
    return [table.name for table in replay.tables]


def test_each_deal_is_one_replay() -> None:
    other = replace(Board.dealt(2, 1), dealer=ONE.dealer)
    records = [BLANK, replace(BLANK, board=TWO), replace(BLANK, board=other), BLANK]
    replays = list(replays_of_records(records))
    assert [replay.name for replay in replays] == ["board-1", "board-2", "board-1-2"]
    assert [len(replay.tables) for replay in replays] == [2, 1, 1]


def test_two_rooms_are_compared() -> None:
    in_open = replace(BLANK, room=Room.OPEN, score=420, home="A", visitors="B")
    in_closed = replace(BLANK, room=Room.CLOSED, score=-50, home="A", visitors="B")
    (replay,) = replays_of_records([in_closed, in_open])
    assert [(table.name, table.imps) for table in replay.tables] == [
        ("Closed room", -10),
        ("Open room", 10),
    ]
    assert replay.title == "A – B"
    (replay,) = replays_of_records([replace(in_closed, score=None), in_open])
    assert [table.imps for table in replay.tables] == [None, None]


def test_several_matches_of_a_board_have_their_own_swings() -> None:
    in_open = replace(BLANK, room=Room.OPEN, score=420, home="A", visitors="B")
    in_closed = replace(BLANK, room=Room.CLOSED, score=-50, home="A", visitors="B")
    others = [replace(in_open, home="C"), replace(in_closed, home="C", score=400)]
    (replay,) = replays_of_records([in_open, in_closed, *others, replace(in_open, home="D")])
    assert [table.imps for table in replay.tables] == [10, -10, 1, -1, None]


def test_names_tell_tables_apart() -> None:
    assert names(BLANK) == ["The table"]
    assert names(BLANK, BLANK) == ["Table 1", "Table 2"]
    table = replace(BLANK, round=2, table=5)
    assert names(table, replace(table, table=6)) == ["table 5", "table 6"]
    team = replace(BLANK, home="A", visitors="B", room=Room.OPEN)
    assert names(team, replace(team, home="C"), team) == [
        "A – B, Open room",
        "C – B, Open room",
        "A – B, Open room (2)",
    ]


def test_a_replay_of_several_files_names_the_file_of_each_table() -> None:
    told = replace(BLANK, event="Cup", home="A", visitors="B")
    records = [
        FileRecord(told, "one.pbn"),
        FileRecord(told, "two.lin"),
        FileRecord(replace(BLANK, board=TWO), "two.lin"),
    ]
    both, alone = replays_of_files(records)
    assert both.title == "one.pbn, two.lin: Cup: A – B"
    assert len(both.tables) == 2
    assert alone.title == "two.lin"
    (nameless,) = replays_of_files([FileRecord(told)])
    assert nameless.title == "Cup: A – B"

"""Tests of whole LIN files that are read."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.base.recorded_text import Problem, RecordedTextError
from bridge_arena.bridge.deviations import Kind
from bridge_arena.bridge.record import Room
from bridge_arena.bridge.seats import Vulnerability
from bridge_arena.lin.reader import TableReader
from bridge_arena.lin.records import meaning_of, read_boards, read_records
from tests.lin.tables import AUCTION, HANDS, START, record, tables

BARE = f"md|1{HANDS}|"
DEAL = f"{BARE}sv|n|"
PLAYED = f"{AUCTION}mc|9|pg||"


def test_downloads_put_together_are_tables_of_their_own() -> None:
    first, second = tables(START + AUCTION + START.replace("Sue", "Sam") + AUCTION)
    assert (first.number, second.number) == (1, 2)
    assert [item.value for item in second.all("pn")] == ["Sam,Will,Nora,Ed"]


def test_players_may_stand_after_the_deal() -> None:
    (table,) = tables(f"{DEAL}pn|a,b,c,d|ah|Board 3|{AUCTION}")
    assert table.last("pn") is not None


@pytest.mark.parametrize(
    "text",
    [
        f"ah|Board 5|sv|n|{BARE}{PLAYED}ah|Board 6|sv|e|{BARE}{PLAYED}",
        f"ah|Board 5|sv|n|{BARE}pg||ah|Board 6|sv|e|{BARE}",
        f"ah|Board 5|{BARE}sv|n|{PLAYED}ah|Board 6|{BARE}sv|e|{PLAYED}",
        f"ah|Board 5|{BARE}sv|n|ah|Board 6|{BARE}sv|e|",
        f"{BARE}ah|Board 5|sv|n|{PLAYED}sv|e|ah|Board 6|{BARE}{PLAYED}",
        f"{BARE}ah|Board 5|sv|n|{BARE}ah|Board 6|sv|e|",
        f"ah|Board 5|sv|n|pn|a,b,c,d|{BARE}{PLAYED}ah|Board 6|sv|e|pn|a,b,c,d|{BARE}{PLAYED}",
        f"ah|Board 5|sv|n|pn|a,b,c,d|{BARE}ah|Board 6|sv|e|pn|a,b,c,d|{BARE}",
        f"st||{BARE}rh||ah|Board 5|sv|n|st||{PLAYED}st||{BARE}rh||ah|Board 6|sv|e|st||{PLAYED}",
        f"st||{BARE}rh||ah|Board 5|sv|n|st||{BARE}rh||ah|Board 6|sv|e|st||",
    ],
)
def test_number_and_vulnerability_stand_before_or_after_the_deal(text: str) -> None:
    boards = [one.board for one in read_records(BytesIO(text.encode()))]
    assert [(board.number, board.vulnerability) for board in boards] == [
        (5, Vulnerability.NS),
        (6, Vulnerability.EW),
    ]


def test_tags_repeated_during_the_play_begin_no_table() -> None:
    (table,) = tables(f"ah|Board 5|sv|n|{BARE}{AUCTION}ah|Board 5|sv|n|st||pc|H4|")
    assert [item.tag for item in table.items][-1] == "pc"


def test_boards_stand_in_any_order_and_may_be_unfinished() -> None:
    text = f"qx|o3|{DEAL}mb|p|qx|c1|{DEAL}{AUCTION}qx|o1|{DEAL}qx|c3|{DEAL}"
    records = list(read_records(BytesIO(text.encode())))
    assert [one.board.number for one in records] == [3, 1, 1, 3]
    assert [len(one.calls) for one in records] == [1, 8, 0, 0]


def test_labels_without_a_table_are_passed_over() -> None:
    assert len(tables(f"qx|o1|pg||qx|c1|st||qx|o2|{DEAL}")) == 1


def test_a_table_without_deal_has_that_of_the_other_room() -> None:
    text = f"vg|T,S,I,4,4,A,0,B,0|qx|o4|{DEAL}{AUCTION}qx|o5|{DEAL}qx|c4|{AUCTION}qx|c6|mb|p|"
    problems: list[Problem] = []
    records = list(read_records(BytesIO(text.encode()), problems))
    assert [(one.board.number, one.room) for one in records] == [
        (4, Room.OPEN),
        (5, Room.OPEN),
        (4, Room.CLOSED),
    ]
    assert records[2].board == records[0].board
    assert [str(problem) for problem in problems] == ["<stream>:1: table 4: it has no deal"]


@pytest.mark.parametrize("first", [f"sv|b|{BARE}", f"{BARE}sv|b|"])
@pytest.mark.parametrize(
    ("own", "expected"), [("", Vulnerability.ALL), ("sv|e|", Vulnerability.EW)]
)
def test_vulnerability_and_deal_of_the_other_room_come_in_any_order(
    first: str, own: str, expected: Vulnerability
) -> None:
    text = f"qx|o1|{first}{AUCTION}qx|c1|{own}{AUCTION}"
    open_room, closed_room = read_records(BytesIO(text.encode()))
    assert open_room.board.vulnerability is Vulnerability.ALL
    assert closed_room.board == replace(open_room.board, vulnerability=expected)


@pytest.mark.parametrize("before", ["", "vg|Cup|pg||nt|welcome|pg||"])
def test_eight_names_are_of_two_rooms(before: str) -> None:
    text = f"{before}pn|s,w,n,e,S,W,N,E|pg||qx|o1|{DEAL}qx|c1|{DEAL}"
    first, second = read_records(BytesIO(text.encode()))
    assert (first.players, first.room) == (("n", "e", "s", "w"), Room.OPEN)
    assert (second.players, second.room) == (("N", "E", "S", "W"), Room.CLOSED)


def test_a_table_may_have_other_players_than_the_heading() -> None:
    text = f"pn|s,w,n,e,S,W,N,E|pg||qx|o1|{DEAL}qx|c2|pn|a,b,c,d|{DEAL}qx|c3|{DEAL}"
    records = list(read_records(BytesIO(text.encode())))
    assert [one.players[2] for one in records] == ["s", "a", "S"]


@pytest.mark.parametrize(
    "text",
    [
        f"pn|a,b,c,d|st||{DEAL}{PLAYED}{DEAL}{PLAYED}pn|A,B,C,D|{DEAL}{PLAYED}",
        f"{DEAL}pn|a,b,c,d|{PLAYED}{DEAL}{PLAYED}{DEAL}pn|A,B,C,D|{PLAYED}",
        f"qx|o1|pn|a,b,c,d|{DEAL}{PLAYED}qx|o2|{DEAL}{PLAYED}qx|o3|pn|A,B,C,D|{DEAL}",
        f"pn|a,b,c,d|qx|o1|{DEAL}{PLAYED}qx|o2|{DEAL}{PLAYED}pn|A,B,C,D|qx|o3|{DEAL}",
        f"vg|Cup|pg||pn|a,b,c,d|st||{DEAL}{PLAYED}{DEAL}{PLAYED}pn|A,B,C,D|st||{DEAL}{PLAYED}",
        f"pn|a,b,c,d,s,w,n,e|{DEAL}{PLAYED}{DEAL}{PLAYED}pn|A,B,C,D,s,w,n,e|{DEAL}{PLAYED}",
    ],
)
def test_a_table_without_names_has_not_those_of_another(text: str) -> None:
    records = read_records(BytesIO(text.encode()))
    assert [one.players[2] for one in records] == ["a", "", "A"]


def test_names_and_results_may_stand_above_the_title() -> None:
    text = f"rs|3NN=,|pn|s,w,n,e,S,W,N,E|vg|Cup,,I,1,1,A,0,B,0|pg||qx|o1|{BARE}sv|n|"
    one = record(text)
    assert (one.event, one.players[2], one.tricks) == ("Cup", "s", 9)


def test_a_table_without_deal_has_none_of_another_match() -> None:
    text = f"vg|A|pg||qx|o1|{DEAL}{AUCTION}vg|B|pg||qx|c1|{AUCTION}"
    assert [bool(table.implied) for table in tables(text)] == [False, False]


def test_a_title_ends_what_was_said_above_other_tables() -> None:
    text = f"vg|A,,I,1,1|rs|3NN=|pn|s,w,n,e|pg||qx|o1|{DEAL}vg|B,,I,1,1|pg||qx|o1|{DEAL}"
    first, second = read_records(BytesIO(text.encode()))
    assert (first.players[2], first.tricks) == ("s", 9)
    assert (second.players[2], second.tricks) == ("", None)


LINES = (
    "vg|Cup,Final,I,1,2,X,0,Y,0|\nrs|3NN=,3NN-1|\npn|s,w,n,e,S,W,N,E|\npg||\n"
    f"qx|o1|st||\n{DEAL}\nmb|p|\nmb|1H|an|a major|\nmb|p|mb|p|\nmb|p|pg||\nmc|9|\n"
    f"qx|c1|\npn|a,b,c,d|\n{DEAL}\n{AUCTION}\npc|H4|\npc|H2|\nmc|8|\npg||\nnt|bye|\n"
).splitlines()
"""Two tables, in lines that each begin with a tag."""

WORDS = st.text(st.sampled_from("abQX09 %<>!\"'é[]{}.,;:"), max_size=30)
COMMENTS = st.lists(WORDS, max_size=4).map(lambda parts: f"%{' | '.join(parts)}")


@given(st.lists(st.tuples(st.integers(0, len(LINES)), WORDS | COMMENTS), max_size=6), st.data())
def test_lines_of_text_between_tags_change_no_record(
    texts: list[tuple[int, str]], data: st.DataObject
) -> None:
    lines = LINES.copy()
    for at, text in sorted(texts, reverse=True):
        lines.insert(at, text)
    text = data.draw(st.sampled_from(["\n", "\r\n", "\r"])).join(lines)
    encoding = data.draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]))
    tables = TableReader(BytesIO(text.encode(encoding)))
    found = [meaning_of(table) for table in tables]
    expected = list(read_records(BytesIO("".join(LINES).encode())))
    assert [meaning.record for meaning in found] == expected
    told = len(tables.problems) + sum(
        deviation.kind is Kind.NOT_LIN for meaning in found for deviation in meaning.deviations
    )
    words = [text.strip() for _, text in texts]
    assert told == sum(bool(word) and not word.startswith("%") for word in words)


def test_the_label_of_a_single_table_tells_no_room() -> None:
    assert record(f"qx|o1|pn|a,b,c,d|{DEAL}").room is None


def test_a_heading_holds_until_the_next() -> None:
    text = (
        f"vg|Cup,Final,P,1,1,X,,Y,|rs|3NN=,|pg||qx|o1|{DEAL}vg|League,,B,1,1,,,,|pg||qx|o1|{DEAL}"
    )
    first, second = read_records(BytesIO(text.encode()))
    assert (first.event, first.scoring, first.home, first.visitors) == (
        "Cup, Final",
        "MP",
        "X",
        "Y",
    )
    assert (first.tricks, first.score) == (9, 600)
    assert (second.event, second.scoring, second.home) == ("League", "BAM", "")
    assert second.tricks is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vg|A,B,I,1,16,X,12.5,Y,-3|", (12.5, -3)),
        ("vg|A,B,I,1,16,X,nan,Y,1e999|", (0, 0)),
        ("vg|A,B,I,1,16,X,99999999999999999999,Y|", (0, 0)),
        ("vg|A|", (0, 0)),
        (f"vg|{',' * 5000}|", (0, 0)),
    ],
)
def test_scores_that_are_carried_over_are_read_from_the_heading(
    text: str, expected: tuple[float, float]
) -> None:
    (table,) = tables(text + DEAL)
    assert table.heading.carried == expected


def test_a_board_cannot_grow_without_end() -> None:
    talk = "nt|" + "x" * 1000 + "|"
    (table,) = tables(DEAL + talk * 3000 + "mb|p|")
    assert sum(len(item.value) for item in table.items) < 1 << 20
    (problem,) = table.problems
    assert "more text than a board can have" in str(problem)


def test_comments_are_kept_with_the_table() -> None:
    (table,) = tables(f"{DEAL}nt|ann: hello|pg||mb|p|nt|bob: hi|")
    assert table.comments == ["ann: hello", "bob: hi"]


def test_one_bad_board_does_not_lose_the_others() -> None:
    bad = START.replace("SQ982", "SQQ82")
    problems: list[Problem] = []
    text = (START + AUCTION + "\n" + bad + AUCTION + "\n" + START + AUCTION).encode()
    assert len(list(read_records(BytesIO(text), problems))) == 2
    expected = "<stream>:2: table 2: md: SQ is dealt twice, the second time to S"
    assert [str(problem) for problem in problems] == [expected]
    with pytest.raises(RecordedTextError, match="dealt twice"):
        list(read_records(BytesIO(text)))


def test_boards_without_number_are_counted() -> None:
    other = START.replace("md|1", "md|2")
    text = (START + other + START).replace("ah|Board 15|", "").encode()
    assert [one.board.number for one in read_records(BytesIO(text))] == [1, 2, 1]
    assert [board.number for board in read_boards(BytesIO(text))] == [1, 2]


@pytest.mark.parametrize("text", ["", '[Event ""]\n[Deal "N:"]\n', "hello | world", "pg||pg||"])
def test_what_is_no_lin_file_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.lin"
    path.write_text(text)
    with pytest.raises(
        RecordedTextError, match=r"x\.lin.*: this is not a LIN file: it has no board$"
    ):
        list(read_records(path, []))


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(RecordedTextError, match="cannot be read: No such file"):
        next(TableReader(tmp_path / "none.lin"))

"""Lines to games."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.pbn.model import Comment, Game, Section
from bridge_arena.pbn.read.reader import read_games


def games(text: str) -> list[Game]:
    return list(read_games(BytesIO(text.encode()), "test.pbn"))


def test_games_are_divided_by_semi_empty_lines() -> None:
    first, second = games('% PBN 2.1\n\n[Event "a"]\n \n\t\n\n[Event "b"]')
    assert (first.number, first.line, first.get("Event")) == (1, 3, "a")
    assert (second.number, second.line, second.get("Event")) == (2, 7, "b")
    assert [escape.text for escape in first.escapes] == ["% PBN 2.1"]


def test_games_without_a_line_between_them_are_divided() -> None:
    first, second = games('[Event "a"]\n[Board "1"]\n[Event "b"]\n[Board "2"]\n')
    assert (first.get("Board"), second.get("Board")) == ("1", "2")
    assert [str(problem) for problem in second.problems] == [
        "test.pbn:3: game 2: no empty line before this game"
    ]


def test_the_first_of_duplicate_tags_counts_and_all_are_kept() -> None:
    (game,) = games('[Room "Open"]\n[Room "IMP"]\n')
    assert game.get("Room") == "Open"
    assert [tag.value for tag in game.tags] == ["Open", "IMP"]


def test_sections_keep_tokens_and_lines() -> None:
    (game,) = games(
        '[Auction "N"]\n1C!=1= {why} Pass\n% note\n*\n[Note "1:weak"]\n'
        '[Play "E"]\nSA =1= - - -\n[Note "1:low"]\n[Extra "A;B"]\n"x y" 4SX*\n'
    )
    auction = game.section("Auction")
    assert auction is not None
    assert auction.tokens == ["1C", "!", "=1=", "{why}", "Pass", "*"]
    assert auction.lines == [2, 2, 2, 2, 2, 4]
    assert game.notes("Auction")[1].value == "1:weak"
    assert game.notes("Play")[1].value == "1:low"
    extra = game.section("Extra")
    assert extra is not None
    assert extra.tokens == ['"x y"', "4SX*"]
    assert [section.name for section in game.sections()] == ["Auction", "Play", "Extra"]


def test_comments_stay_where_they_were() -> None:
    (game,) = games('{head}\n[Event "a"] {event}\n;more\n[Auction "N"]{auction}\nPass')
    assert game.comments == [Comment("{head}", 1)]
    assert game.tags[0].comments == ("{event}", ";more")
    assert game.tags[1].comments == ("{auction}",)
    assert isinstance(game.tags[1], Section)


def test_games_inherit_tags_of_the_games_before() -> None:
    first, second, third, fourth = games(
        '[Event "a"]\n[Site "##here"]\n\n[Event "#"]\n\n[Event "#"]\n[Site "#"]\n'
        '[Dealer "#"]\n[Stage "#"]\n\n[Event "b"]\n[Site "##"]\n'
    )
    assert first.values == {"Event": "a", "Site": "here"}
    assert second.values == {"Event": "a", "Site": "here"}
    assert third.values == {"Event": "a", "Site": "here", "Dealer": "#", "Stage": ""}
    assert fourth.values == {"Event": "b", "Site": ""}
    assert [tag.value for tag in third.tags] == ["#", "#", "#", "#"]


def test_the_source_of_all_games_and_the_tail_are_the_file() -> None:
    data = '\ufeff% PBN\r\n{x}\r[Event "a"]\n\n\n[Event "é"]\n\njunk\n\x1a'.encode()
    reader = read_games(BytesIO(data))
    assert b"".join(game.source for game in reader) + reader.tail == data


def test_text_outside_of_games_is_reported_once() -> None:
    reader = read_games(BytesIO(b'some\ntext\n\n[Event "a"]\n\nmore\n\ntext\n'), "test.pbn")
    assert len(list(reader)) == 1
    assert [str(problem) for problem in reader.problems] == [
        "test.pbn:1: text outside of a section: 'some'",
        "test.pbn:6: text outside of a section: 'more'",
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "% PBN 2.1\n", "{comment}\n;comment\n"])
def test_a_text_without_games_has_none(text: str) -> None:
    reader = read_games(BytesIO(text.encode()))
    assert list(reader) == []
    assert reader.problems == []


def test_an_unreadable_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordedTextError, match=r"none\.pbn: cannot be read: No such file"):
        next(read_games(tmp_path / "none.pbn"))
    with pytest.raises(RecordedTextError, match="cannot be read"):
        next(read_games(tmp_path))


def test_an_abandoned_reader_closes_its_file(tmp_path: Path) -> None:
    path = tmp_path / "two.pbn"
    path.write_text('[Event "a"]\n\n[Event "b"]\n')
    assert next(read_games(path)).file == str(path)  # a leak would be a warning, an error


@given(st.binary(max_size=300))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    reader = read_games(BytesIO(data))
    for game in reader:
        assert game.tags


@given(st.lists(st.sampled_from('[ ] { } ; % " \n \\ A 1C = * [A"b"] \r'.split(" "))))
def test_no_marks_make_it_raise(parts: list[str]) -> None:
    data = "".join(parts).encode()
    reader = read_games(BytesIO(data))
    assert b"".join(game.source for game in reader) + reader.tail == data


def test_another_board_begins_a_game_without_an_empty_line() -> None:
    first, second = games('[Board "1"]\n[Dealer "N"]\n[Board "2"]\n[Dealer "E"]\n')
    assert (first.get("Dealer"), second.get("Dealer")) == ("N", "E")
    (only,) = games('[Board "1"]\n[Dealer "N"]\n[Board "1"]\n')
    assert len(only.tags) == 3


@pytest.mark.parametrize("blank", ["", "\n"])
def test_a_comment_never_closed_costs_no_tag(blank: str) -> None:
    (first, second) = games(f'[Board "1"] {{open\n{blank}[Board "2"]\n; {{ more\n[Dealer "E"]\n')
    assert (first.get("Board"), second.get("Board")) == ("1", "2")
    assert second.get("Dealer") == "E"
    assert "comment is not closed" in str(first.problems[0])


def test_inheritance_goes_over_many_games() -> None:
    *_, last = games(
        '[Event "a"]\n[Stage "##1"]\n\n[Event "#"]\n\n[Site "x"]\n\n[Event "#"]\n[Stage "#"]\n'
    )
    assert last.values == {"Event": "a", "Stage": "1"} | {"Event": "a", "Stage": "1"}


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16", "utf-16-le", "utf-16-be"]
)
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r", "\r\r\n", "\r\r\r\n"])
def test_every_encoding_and_line_end_is_read(encoding: str, end: str) -> None:
    mark = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
    text = f'{mark}[Event "Müller"]{end}[Site "é"]{end}{end}[Event "b"]{end}'
    first, second = read_games(BytesIO(text.encode(encoding)))
    assert (first.get("Event"), first.get("Site"), second.get("Event")) == ("Müller", "é", "b")
    assert first.problems == second.problems == []


def test_line_ends_are_whole_wherever_a_file_is_cut() -> None:
    """CR CR LF is the line end of a CRLF text that was written again as text of Windows."""
    game = '[Event "{}"]\r\r\n[Auction "N"]\r\r\n' + "1C Pass\r\r\n" * 60 + "\r\r\n"
    for shift in range(6):
        data = (" " * shift + "\r\r\n" + "".join(map(game.format, range(300)))).encode()
        assert len(data) > 2 << 16
        reader = read_games(BytesIO(data))
        found = list(reader)
        assert [each.get("Event") for each in found] == list(map(str, range(300)))
        assert found[-1].line == 2 + 299 * 63
        assert b"".join(each.source for each in found) + reader.tail == data


def test_the_end_sign_of_old_editors_is_no_game() -> None:
    reader = read_games(BytesIO(b'[Event "a"]\r\n\r\n\x1a'))
    assert [game.get("Event") for game in reader] == ["a"]
    assert reader.problems == []

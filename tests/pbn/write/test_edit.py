"""An unedited game keeps its bytes, an edited one changes only where it was edited."""

from __future__ import annotations

import csv
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.model import Game, Section
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.read.records import game_of
from bridge_arena.pbn.tables import PbnTable
from bridge_arena.pbn.write.edit import (
    resolved,
    rewrite,
    with_comments,
    with_table,
    with_tag,
    with_tags,
)
from bridge_arena.pbn.write.writer import format_game
from tests.data import data_path
from tests.pbn.import_games import import_texts

ODD = ('% note\r\n\r\n  [ Event"Cup" ]\t{c}  [Site  "é"]\r\n[Auction "N"] ;x\r\n1C! ap ;y\r\n'
       '[Score "NS 1"]  \r\n')  # fmt: skip


def one(source: bytes) -> Game:
    (game,) = read_games(BytesIO(source))
    return game


def written_again(data: bytes) -> bytes:
    stream = BytesIO()
    rewrite(BytesIO(data), stream)
    return stream.getvalue()


def test_real_files_are_written_again_byte_for_byte() -> None:
    corpus = data_path("pbn", "corpus")
    with (corpus / "MANIFEST.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    # All that are odd in encoding or line ends, and every tenth of the others.
    odd = [row for row in rows if row["encoding"] != "ascii" or row["eol"] not in ("CRLF", "LF")]
    paths = [corpus / row["path"] for row in [*odd, *rows[::10]]]
    paths += sorted(data_path("pbn", "smoke").iterdir())
    for path in paths:
        copy = BytesIO()
        rewrite(path, copy)
        assert copy.getvalue() == path.read_bytes(), path


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r", "\r\r\n"])
def test_every_encoding_and_line_end_is_written_again(codec: str, end: str) -> None:
    data = (ODD * 2).replace("\r\n", end).encode(codec)
    assert written_again(data) == data


@given(st.binary(max_size=200).filter(lambda data: data[:2] not in (b"\xff\xfe", b"\xfe\xff")))
def test_any_bytes_are_written_again(data: bytes) -> None:
    assert written_again(data) == data


@given(import_texts(), st.sampled_from(["\n", "\r\n", "\r", "\r\r\n"]), st.data())
def test_a_new_value_changes_nothing_else(
    given_: tuple[BoardRecord, str], end: str, data: st.DataObject
) -> None:
    source = given_[1].replace("\n", end).encode("latin-1")
    game = one(source)
    tag = data.draw(st.sampled_from([tag for tag in game.tags if tag.name != "Note"]))
    value = 'a "new" \\ value'
    edited = with_tag(game, tag.name, value)
    assert edited.get(tag.name) == value
    before, _, after = edited.source.partition(b'a \\"new\\" \\\\ value')
    assert source.startswith(before)
    assert source.endswith(after)
    assert [each for each in edited.tags if each.name != tag.name] == [
        each for each in game.tags if each.name != tag.name
    ]


def test_a_tag_has_a_new_value() -> None:
    game = one(ODD.encode("latin-1"))
    assert with_tag(game, "Site", "ü").source == ODD.replace("é", "ü").encode("latin-1")
    assert with_tag(game, "Site", "é") is game
    both = with_tags(game, {"Site": "Ł", "Event": ""})
    assert (both.get("Site"), both.get("Event")) == ("Ł", "")


def test_a_new_tag_stands_before_the_sections() -> None:
    game = one(ODD.encode("latin-1"))
    expected = ODD.replace('[Auction "N"]', '[Room "Open"]\r\n[Auction "N"]').encode("latin-1")
    assert with_tag(game, "Room", "Open").source == expected
    assert with_tag(one(b'[Event "a"] ;x'), "Room", "Open").source == (
        b'[Event "a"] ;x\r\n[Room "Open"]'
    )


def test_a_table_of_a_game_is_replaced() -> None:
    game = one(b'[Event "a"]\n[A "X;Y"] {c}\n1 2\n3 4\n[B "Z"]\n5\n')
    table = PbnTable.of("X;\\2RZ".replace("\\2RZ", "Z\\2R"), ["7", "8"])
    assert with_table(game, "A", table).source == (
        b'[Event "a"]\n[A "X;Z\\2R"] {c}\n7  8\n[B "Z"]\n5\n'
    )
    assert with_table(game, "C", table).source == game.source[:-1] + b'\n[C "X;Z\\2R"]\n7  8\n'


def test_comments_are_added_where_they_belong() -> None:
    game = one(b'[Event "a"]\n[Play "E"]\nSA S2 ;x\nS3! -\n')
    edited = with_comments(game, {("Play", 0): "why}", ("Play", 2): "y", ("Play", -1): "z"})
    assert edited.source == b'[Event "a"]\n[Play "E"] {z}\nSA {why)} S2 ;x\n{y}\nS3! -\n'
    play = edited.section("Play")
    assert isinstance(play, Section)
    assert play.tokens == ["SA", "{why)}", "S2", ";x", "{y}", "S3", "!", "-"]


def test_a_game_without_source_is_taken_in_export_form() -> None:
    game = game_of(BoardRecord(Board.dealt(1, 1), ("", "", "", "")))
    edited = with_tag(game, "Event", "Cup")
    assert edited.source.decode() == format_game(edited).removesuffix("\r\n")


def test_text_that_had_to_be_repaired_cannot_be_edited() -> None:
    with pytest.raises(RecordedTextError, match="export form before it can be edited"):
        with_tag(one(b"[Event Cup]\n"), "Event", "x")


def test_what_is_known_of_the_games_before_stays_known() -> None:
    _, game = read_games(BytesIO(b'[Event "##a"]\n[Site "s"]\n\n[Site "#"]\n[Board "2"]\n'))
    edited = with_tag(game, "Board", "3")
    assert edited.values == {"Event": "a", "Site": "s", "Board": "3"}
    assert (edited.number, edited.line, edited.tags[1].line) == (2, 4, 5)
    assert [(tag.name, tag.value) for tag in resolved(edited).tags] == [
        ("Site", "s"),
        ("Board", "3"),
        ("Event", "a"),
    ]


def test_all_games_of_a_file_are_edited() -> None:
    stream = BytesIO()
    data = b'% x\n\n[Event "a"]\n\n\n[Event "b"]\n\x1a'
    assert rewrite(BytesIO(data), stream, lambda game: with_tag(game, "Event", "c")) == 2
    assert stream.getvalue() == data.replace(b'"a"', b'"c"').replace(b'"b"', b'"c"')

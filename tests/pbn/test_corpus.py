"""Files of other programs: every one is read, and the good ones agree with `bridge`."""

from __future__ import annotations

import csv
from dataclasses import replace
from io import BytesIO
from itertools import islice
from pathlib import Path

import pytest

from bridge_arena.base.recorded_text import Problem, RecordedTextError
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.meaning import meaning_of
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.read.records import read_boards, read_records, record_of
from bridge_arena.pbn.write.edit import resolved
from bridge_arena.pbn.write.export_values import date
from bridge_arena.pbn.write.succession import Succession
from bridge_arena.pbn.write.writer import HEADER, format_canonical, format_game
from tests.data import data_path

# How many more games there are in a file than the manifest counts: it takes games that run together
# as one, and the sign of the end of a file as one more.
MORE_GAMES = {
    "T1BMODRU.PBN": 1,
    "f2us1bra.pbn": 1,
    "3PART1.PBN": 1,
    "ben/src/alphamju/test.pbn": 34,
    "06iceswi.pbn": -1,
    "32itapol.pbn": -1,
    "35frabul.pbn": -1,
}

LIAO = ("A1A10101.PBN", "A1A10202.PBN", "EU99_A1A10101.PBN", "EU99_A1A10202.PBN")


def test_the_corpus_is_read_whole() -> None:
    folder = data_path("pbn", "corpus")
    with (folder / "MANIFEST.csv").open(newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            path = folder / row["path"]
            games = read_games(path)
            source = b"".join(game.source for game in games) + games.tail
            more = sum(
                count for end, count in MORE_GAMES.items() if path.as_posix().endswith(f"/{end}")
            )
            assert games.count == int(row["games"]) + more, path
            assert row["encoding"] == "utf-16" or source == path.read_bytes(), path


@pytest.mark.slow
def test_the_corpus_means_the_same_after_its_export() -> None:
    folder = data_path("pbn", "corpus")
    for path in sorted(folder.rglob("*.[Pp][Bb][Nn]")):
        succession = Succession()
        kept: list[tuple[Board | None, BoardRecord | None]] = []
        texts = [HEADER]
        for game in read_games(path):
            try:
                texts.append(format_canonical(succession.form(game)))
            except RecordedTextError:
                continue  # it has no export form
            kept.append(_meant(game))
        again = read_games(BytesIO("".join(texts).encode("latin-1")))
        for number, (expected, game) in enumerate(zip(kept, again, strict=True), 1):
            assert _meant(game) == expected, f"{path}, game {number} of its export"


def _meant(game: Game) -> tuple[Board | None, BoardRecord | None]:
    """Board and record of a game, its date in the form that an export has."""
    meaning = meaning_of(game)
    record = meaning.record
    return meaning.board, record and replace(record, date=date(record.date))


def smoke_files() -> list[Path]:
    return sorted(data_path("pbn", "smoke").iterdir())


def test_smoke_files_never_fail_but_by_a_pbn_error() -> None:
    for path in smoke_files():
        problems: list[Problem] = []
        try:
            boards = read_boards(path, problems)
        except RecordedTextError as error:
            assert path.name in str(error)  # noqa: PT017 - a file without any game
            continue
        assert boards or problems, path
        for problem in problems:
            assert str(problem).startswith(f"{path}:{problem.line}: game {problem.number}: ")
        list(read_records(path, problems))


def test_exported_smoke_files_read_back_the_same(tmp_path: Path) -> None:
    for path in smoke_files():
        for game in islice(read_games(path), 20):
            if game.implied:
                continue  # the export has only what the game itself says
            try:
                record = record_of(game)
            except RecordedTextError:
                continue
            copy = tmp_path / "copy.pbn"
            copy.write_bytes(format_game(resolved(game)).encode("latin-1"))
            (again,) = read_records(copy)
            assert again.board == record.board
            assert [made.call for made in again.calls] == [made.call for made in record.calls]
            assert (again.contract, again.cards) == (record.contract, record.cards)
            assert (again.tricks, again.score) == (record.tricks, record.score)


@pytest.mark.parametrize("name", LIAO)
def test_championship_files_are_read(name: str) -> None:
    path = data_path("liao", name)
    records = list(read_records(path))
    boards = read_boards(path)
    assert (len(records), len(boards)) == (40, 20)
    assert [board.number for board in boards] == [*range(1, 21)]
    for record in records:
        assert record.board in boards
        assert record.score == score_ns(record.contract, record.tricks, record.board.vulnerability)


def test_self_play_agrees_with_the_rules() -> None:
    path = data_path("wbridge5", "games-1-8000.pbn")
    for game in islice(read_games(path), 300):
        record = record_of(game)
        if record.contract is None:
            assert record.score == 0
            continue
        assert len(record.cards) == 52
        assert record.tricks == record.play().declarer_tricks == int(game.get("Result"))
        assert record.score == score_ns(record.contract, record.tricks, record.board.vulnerability)

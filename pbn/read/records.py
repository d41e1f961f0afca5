"""Games to boards and board records, with `bridge` as the judge; and back.

What it reads is what the arena writes (`game_of`), and other people's files as far
as they tell a board, or a record, beyond doubt. Score is taken as official, and Result where
not all cards were played; `pbn.read.meaning` says where they do not agree with the play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.pbn.model import Game, PbnError, Problem
from bridge_arena.pbn.read.boards import board_of, number_of
from bridge_arena.pbn.read.meaning import meaning_of
from bridge_arena.pbn.read.reader import GameReader, Source, read_games
from bridge_arena.pbn.write.compose import game_of

__all__ = ["board_of", "game_of", "read_boards", "read_records", "record_of"]

_Triple = tuple[Seat, Vulnerability, Deal]


def read_boards(source: Source, problems: list[Problem] | None = None) -> list[Board]:
    """The distinct boards of a file in file order, each once however many tables
    played it. A board without a number gets the running count.

    Raises PbnError for a file that cannot be read or has no game, and for the first
    game without a possible deal of 52 cards, dealer and vulnerability; or adds each
    such game to `problems`, where given, and goes on.
    """
    games = read_games(source)
    # The boards in order, as keys.
    boards: dict[Board, None] = {}
    numbers: dict[_Triple, int] = {}
    for game in games:
        try:
            board = board_of(game)
        except PbnError as error:
            if problems is None:
                raise
            problems.append(error.problem)
            continue
        boards.setdefault(_numbered(game, board, numbers))
    _check_is_pbn(games, empty_is_fine=False)
    return list(boards)


def read_records(source: Source, problems: list[Problem] | None = None) -> Iterator[BoardRecord]:
    """The records of a file, one at a time.

    Raises PbnError for a file that cannot be read or is not PBN, and for the first
    game that is no record; or adds each such game to `problems`, where given, and
    goes on. A PBN file without games has no records.
    """
    games = read_games(source)
    numbers: dict[_Triple, int] = {}
    for game in games:
        try:
            record = record_of(game)
        except PbnError as error:
            if problems is None:
                raise
            problems.append(error.problem)
            continue
        board = _numbered(game, record.board, numbers)
        yield record if board is record.board else replace(record, board=board)
    _check_is_pbn(games, empty_is_fine=True)


def record_of(game: Game) -> BoardRecord:
    """The record of a game.

    The contract is that of a finished auction, else the tags'. Tricks are those of 52 cards
    played, else the tags'; the score is the tags', else it follows from the tricks.
    Raises PbnError, naming the field, where there is no board, the auction or play is
    illegal, or auction and tags contradict each other.
    """
    meaning = meaning_of(game)
    if meaning.error is not None:
        raise meaning.error
    assert meaning.record is not None
    return meaning.record


def _numbered(game: Game, board: Board, numbers: dict[_Triple, int]) -> Board:
    """The board, with the running count as its number if the game gives none."""
    if number_of(game) is not None:
        return board
    triple = board.dealer, board.vulnerability, board.deal
    return replace(board, number=numbers.setdefault(triple, len(numbers) + 1))


def _check_is_pbn(games: GameReader, *, empty_is_fine: bool) -> None:
    """Raises PbnError where a file, read to its end, held no game but other text."""
    if games.count:
        return
    if games.problems:
        line = games.problems[0].line
        raise PbnError(Problem(games.name, line, 0, "this is not a PBN file: it has no game"))
    if not empty_is_fine:
        raise PbnError(Problem(games.name, 0, 0, "it has no game"))

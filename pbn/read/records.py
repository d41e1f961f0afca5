"""Boards and board records of PBN files, which `bridge` judges.

It reads what the arena writes (`game_of`), and other files as far as they give a board or a record
beyond doubt. Score is taken as official, and so is Result if not all cards were played;
`pbn.read.meaning` notes where they do not agree with the play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bridge_arena.base.recorded_text import Problem, RecordedTextError, Source
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.deviations import Meaning, records_in
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.meaning import Count, board_of, meaning_of
from bridge_arena.pbn.read.reader import GameReader, read_games
from bridge_arena.pbn.write.compose import game_of

__all__ = ["board_of", "game_of", "meanings_of", "read_boards", "read_records", "record_of"]


def read_boards(source: Source, problems: list[Problem] | None = None) -> list[Board]:
    """Read the distinct boards of a file, in file order.

    A board that several tables played comes once. A board without a number gets the running count.

    Args:
        source: A path or a binary stream.
        problems: Receives a problem for each game without a possible deal of 52 cards.

    Raises:
        RecordedTextError: The file cannot be read or has no game; or a game has no board and
            `problems` is None.
    """
    games = read_games(source)
    # The boards in order, as keys.
    boards: dict[Board, None] = {}
    count: Count = {}
    for game in games:
        try:
            board = board_of(game, count)
        except RecordedTextError as error:
            if problems is None:
                raise
            problems.append(error.problem)
            continue
        boards.setdefault(board)
    _check_is_pbn(games, empty_is_fine=False)
    return list(boards)


def read_records(source: Source, problems: list[Problem] | None = None) -> Iterator[BoardRecord]:
    """Yield the records of a file, one at a time, in file order; none for a PBN file without games.

    A board without a number gets the running count.

    Args:
        source: A path or a binary stream.
        problems: Receives a problem for each game that is no record.

    Raises:
        RecordedTextError: The file cannot be read or is not PBN; or a game is no record and
            `problems` is None.
    """
    games = read_games(source)
    yield from records_in(meanings_of(games), problems)
    _check_is_pbn(games, empty_is_fine=True)


def meanings_of(games: Iterable[Game]) -> Iterator[tuple[Game, Meaning]]:
    """Yield the games of a file with their meanings, in order.

    A board without a number gets the running count, whether or not it has a record.
    """
    count: Count = {}
    for game in games:
        yield game, meaning_of(game, count)


def record_of(game: Game) -> BoardRecord:
    """Return the record of a game.

    The contract is that of a finished auction, else that of the tags. The tricks are those played
    if all 52 cards were played, else those of the tags. The score is that of the tags, else it
    follows from the tricks.

    Raises:
        NoRecordError: There is no board, the auction or play is illegal, or auction and tags
            contradict each other. The error names the field.
    """
    meaning = meaning_of(game)
    if meaning.error is not None:
        raise meaning.error
    assert meaning.record is not None
    return meaning.record


def _check_is_pbn(games: GameReader, *, empty_is_fine: bool) -> None:
    """Raise RecordedTextError if a file, read to its end, held no game but other text."""
    if games.count:
        return
    if games.problems:
        line = games.problems[0].line
        raise RecordedTextError(
            Problem(games.name, line, 0, "this is not a PBN file: it has no game")
        )
    if not empty_is_fine:
        raise RecordedTextError(Problem(games.name, 0, 0, "it has no game"))

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
    RecordedTextError is raised if the file cannot be read or has no game. A game without a possible
    deal of 52 cards raises it too, unless there is a list `problems`, which receives its problem.
    """
    games = read_games(source)
    boards: dict[Board, None] = {}  # in order, as keys
    count: Count = {}
    for game in games:
        try:
            boards.setdefault(board_of(game, count))
        except RecordedTextError as error:
            if problems is None:
                raise
            problems.append(error.problem)
    _check_is_pbn(games, empty_is_fine=False)
    return list(boards)


def read_records(source: Source, problems: list[Problem] | None = None) -> Iterator[BoardRecord]:
    """Yield the records of a file, one at a time, in file order; none for a PBN file without games.

    A board without a number gets the running count. RecordedTextError is raised if the file cannot
    be read or is not PBN. A game that is no record raises it too, unless there is a list
    `problems`, which receives its problem.
    """
    games = read_games(source)
    yield from records_in(meanings_of(games), problems)
    _check_is_pbn(games, empty_is_fine=True)


def meanings_of(games: Iterable[Game]) -> Iterator[tuple[Game, Meaning]]:
    """Yield games with their meanings; boards without a number get the running count."""
    count: Count = {}
    for game in games:
        yield game, meaning_of(game, count)


def record_of(game: Game) -> BoardRecord:
    """Return the record of a game.

    The contract is that of a finished auction, else that of the tags. The tricks are those played
    if all 52 cards were played, else those of the tags. The score is that of the tags, else it
    follows from the tricks. NoRecordError, which names the field, is raised if there is no board,
    the auction or play is illegal, or auction and tags contradict each other.
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
        reason = "this is not a PBN file: it has no game"
        raise RecordedTextError(Problem(games.name, games.problems[0].line, 0, reason))
    if not empty_is_fine:
        raise RecordedTextError(Problem(games.name, 0, 0, "it has no game"))

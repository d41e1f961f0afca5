"""A survey of files of boards: counts over any number of them in little memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields

from bridge_arena.base.recorded_text import Problem
from bridge_arena.board_files.formats import TRAITS
from bridge_arena.board_files.games import GamesOfText, ReadGame
from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.board_files.texts import Source, texts_in
from bridge_arena.bridge.deviations import Kind
from bridge_arena.pbn.values import text_of

_PLAYERS = ("North", "East", "South", "West")


@dataclass(slots=True)
class Survey:
    """Counts over files of boards."""

    files: int = 0  # the number of texts; each member of an archive is one
    games: int = 0
    records: int = 0  # the number of games of which a board record can be made
    auctions: int = 0  # the number of games with at least one call that was understood
    plays: int = 0  # the number of games with at least one card that was understood
    # The number of games in which something is wrong, and of texts with problems outside of any
    # game.
    errors: int = 0
    # The problems of texts that could not be read, or not to their end.
    broken: list[Problem] = field(default_factory=list)
    deals: set[int] = field(default_factory=set)  # the hashes of the distinct deals
    events: set[str] = field(default_factory=set)  # the names of the events
    players: set[str] = field(default_factory=set)  # the names of the players
    problems: Counter[str] = field(default_factory=Counter)  # the number of problems of each kind

    def add(self, other: Survey) -> None:
        """Add the counts of a survey of other files."""
        for part in fields(self):
            ours, theirs = getattr(self, part.name), getattr(other, part.name)
            if isinstance(ours, set):
                ours |= theirs
            else:
                ours += theirs
            setattr(self, part.name, ours)

    def add_file(
        self, source: Source, on_game: Callable[[], None] | None = None
    ) -> Iterator[Problem]:
        """Count a file, and yield its problems as they are found, in games and between them.

        `on_game` is called after each game. BoardFileError is raised if nothing of the file can be
        read.
        """
        bad: list[Problem] = []
        files = self.files
        for text in texts_in(source, bad.append):
            games = GamesOfText(text)
            kind = TRAITS[text.format].odd_text
            try:
                for game in games:
                    yield from self._add_game(game)
                    if on_game is not None:
                        on_game()
            except BoardFileError as error:
                bad.append(error.problem)
                if not games.count:
                    continue
            self.files += 1
            self.errors += bool(games.problems)
            self.problems[kind] += len(games.problems)
            yield from games.problems
        if self.files == files:
            raise BoardFileError(bad[0])
        self.broken += bad

    def _add_game(self, read: ReadGame) -> Iterator[Problem]:
        self.games += 1
        game, record = read.game, read.record
        if read.board is not None:
            self.deals.add(hash(read.board.deal))
        if record is not None:
            self.records += 1
            self.auctions += bool(record.calls)
            self.plays += bool(record.cards)
        event = text_of(game.get("Event"))
        if event:
            self.events.add(event)
        self.players.update(filter(None, (text_of(game.get(seat)) for seat in _PLAYERS)))
        wrong = bool(game.problems)
        self.problems[Kind.NOT_PBN] += len(game.problems)
        yield from game.problems
        yield from (deviation.problem for deviation in read.to_print)
        for deviation in read.deviations:
            self.problems[deviation.kind] += 1
            wrong = wrong or deviation.is_error
        self.errors += wrong

    def by_kind(self) -> list[tuple[str, int]]:
        """Return the number of problems of each kind that occurs, those of the text first."""
        return [(str(kind), self.problems[kind]) for kind in Kind if self.problems[kind]]

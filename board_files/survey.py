"""What is in files of boards, summed up over any number of them in little memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from bridge_arena.board_files.formats import Format
from bridge_arena.board_files.games import GamesOfText, ReadGame
from bridge_arena.board_files.problems import BoardFileError, Problem
from bridge_arena.board_files.texts import Source, texts_in
from bridge_arena.lin.deviations import Kind as LinKind
from bridge_arena.pbn.deviations import Kind
from bridge_arena.pbn.values import text_of

NOT_PBN = "text that is not PBN"
"""The kind of a problem with the text of a PBN file, not with the bridge."""

_PLAYERS = ("North", "East", "South", "West")
_KINDS = tuple(dict.fromkeys(map(str, (NOT_PBN, LinKind.TEXT, *Kind, *LinKind))))


@dataclass(slots=True)
class Survey:
    """Counts. `files`: texts, each member of an archive for itself. `records`: games of which a
    board record can be made. `auctions` and `plays`: games with at least one call, or card,
    understood. `problems`: by kind; those in `errors` count games in which something is wrong.
    `broken`: of what could not be read, or not to its end, beside other texts or games.
    """

    files: int = 0
    games: int = 0
    records: int = 0
    auctions: int = 0
    plays: int = 0
    errors: int = 0
    broken: list[Problem] = field(default_factory=list)
    deals: set[int] = field(default_factory=set)
    events: set[str] = field(default_factory=set)
    players: set[str] = field(default_factory=set)
    problems: Counter[str] = field(default_factory=Counter)

    def add(self, other: Survey) -> None:
        """Count in what another survey found in other files."""
        self.files += other.files
        self.games += other.games
        self.records += other.records
        self.auctions += other.auctions
        self.plays += other.plays
        self.errors += other.errors
        self.broken += other.broken
        self.deals |= other.deals
        self.events |= other.events
        self.players |= other.players
        self.problems.update(other.problems)

    def add_file(
        self, source: Source, on_game: Callable[[], None] | None = None
    ) -> Iterator[Problem]:
        """Count a file in; yields its problems as they are found. `on_game` is called after
        each game.

        Raises BoardFileError for a file of which nothing can be read.
        """
        bad: list[Problem] = []
        files = self.files
        for text in texts_in(source, bad.append):
            games = GamesOfText(text)
            kind = NOT_PBN if text.format is Format.PBN else LinKind.TEXT
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
        self.problems[NOT_PBN] += len(game.problems)
        yield from game.problems
        for deviation in read.deviations:
            self.problems[deviation.kind] += 1
            wrong = wrong or deviation.is_error
            if deviation.is_error:
                yield deviation.problem
        self.errors += wrong

    def by_kind(self) -> list[tuple[str, int]]:
        """Problems by kind, those of the text first."""
        return [(kind, self.problems[kind]) for kind in _KINDS if self.problems[kind]]

"""What is in PBN files, summed up over any number of them in little memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from bridge_arena.pbn.deviations import Kind
from bridge_arena.pbn.model import Game, PbnError, Problem
from bridge_arena.pbn.read.meaning import meaning_of
from bridge_arena.pbn.read.reader import Source, read_games
from bridge_arena.pbn.values import text_of

NOT_PBN = "text that is not PBN"
"""The kind of a problem with the text, not with the bridge."""

_PLAYERS = ("North", "East", "South", "West")


@dataclass(slots=True)
class Survey:
    """Counts. `records`: games of which a board record can be made. `auctions` and
    `plays`: games with at least one call, or card, understood. `problems`: by kind;
    those in `errors` count games in which something is wrong."""

    files: int = 0
    games: int = 0
    records: int = 0
    auctions: int = 0
    plays: int = 0
    errors: int = 0
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
        self.deals |= other.deals
        self.events |= other.events
        self.players |= other.players
        self.problems.update(other.problems)

    def add_file(
        self, source: Source, advance: Callable[[int], None] | None = None
    ) -> Iterator[Problem]:
        """Count a file in; yields its problems as they are found. `advance` is told
        the bytes read, game after game.

        Raises PbnError for a file that cannot be read or is not PBN.
        """
        games = read_games(source)
        for game in games:
            yield from self._add_game(game)
            if advance is not None:
                advance(len(game.source))
        if not games.count and games.problems:
            line = games.problems[0].line
            reason = "this is not a PBN file: it has no game"
            raise PbnError(Problem(games.name, line, 0, reason))
        self.files += 1
        self.errors += bool(games.problems)
        self.problems[NOT_PBN] += len(games.problems)
        yield from games.problems

    def _add_game(self, game: Game) -> Iterator[Problem]:
        self.games += 1
        meaning = meaning_of(game)
        if meaning.board is not None:
            self.deals.add(hash(meaning.board.deal))
        if meaning.record is not None:
            self.records += 1
            self.auctions += bool(meaning.record.calls)
            self.plays += bool(meaning.record.cards)
        event = text_of(game.get("Event"))
        if event:
            self.events.add(event)
        self.players.update(filter(None, (text_of(game.get(seat)) for seat in _PLAYERS)))
        wrong = bool(game.problems)
        self.problems[NOT_PBN] += len(game.problems)
        yield from game.problems
        for deviation in meaning.deviations:
            self.problems[deviation.kind] += 1
            wrong = wrong or deviation.is_error
            if deviation.is_error:
                yield deviation.problem
        self.errors += wrong

    def by_kind(self) -> list[tuple[str, int]]:
        """Problems by kind, in the order of `Kind`, those of the text first."""
        return [(kind, self.problems[kind]) for kind in (NOT_PBN, *Kind) if self.problems[kind]]

"""The leaderboard of a ladder, from the sums in its store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bridge_arena.tournaments.ladder.players import Player, Version
from bridge_arena.tournaments.ladder.store.ladder_store import LadderMatch, LadderStore
from bridge_arena.tournaments.ladder.strength.causes import causes_of_ratings
from bridge_arena.tournaments.ladder.strength.ranks import Orders
from bridge_arena.tournaments.ladder.strength.scores import Figures, Margin, Rating, Scores
from bridge_arena.tournaments.ladder.strength.sequential_tests import LadderTest
from bridge_arena.tournaments.ladder.strength.weeks import History


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A player on the leaderboard, by the version that was there last."""

    player: Player
    version: Version
    # The best and the worst rank that it may have, by statements that all hold together and for
    # ever; None for who does not come back.
    rank: tuple[int, int] | None
    rating: Rating | None  # None if no chain of boards connects it with the anchor
    figures: Figures
    history: History
    # What its rating comes from, in IMPs a board by `CAUSES`; None if that is not known.
    causes: Mapping[str, float] | None

    @property
    def rank_text(self) -> str:
        """The ranks that it may have, as `2-4`."""
        if self.rank is None:
            return "-"
        best, worst = self.rank
        return f"{best}" if best == worst else f"{best}-{worst}"

    def rating_text(self, *, with_error: bool = True) -> str:
        """Return its rating, with the error of its ordinary interval if wished."""
        return rating_text(self.rating, with_error=with_error)

    @property
    def state_text(self) -> str:
        """Whether it is there, or why it does not play."""
        return self.player.state_text


@dataclass(frozen=True, slots=True)
class Circle:
    """Versions who beat each other so that no strengths explain it; none is ahead of another."""

    players: tuple[str, ...]  # earlier versions of a player by its name and what identifies them
    wins: tuple[tuple[str, str], ...]  # who surely beats whom of them

    @property
    def text(self) -> str:
        """What is to be said of it."""
        *others, last = self.players
        wins = ", ".join(f"{one} beats {other}" for one, other in self.wins)
        return (
            f"{', '.join(others)} and {last} beat each other in a circle, so that none of them is "
            f"ahead of another: {wins}"
        )


@dataclass(frozen=True, slots=True)
class AdjournedMatch:
    """A match that goes on when all its players are there again."""

    number: int
    teams: tuple[str, str]  # the home team first
    gone: tuple[str, ...]  # who of them is not there

    @property
    def text(self) -> str:
        """What is to be said of it."""
        gone, verb = " and ".join(self.gone), "is" if len(self.gone) == 1 else "are"
        return f"match {self.number}, {' - '.join(self.teams)}, is adjourned: {gone} {verb} gone"


@dataclass(frozen=True, slots=True)
class ShownTest:
    """A sequential test with the names of its players."""

    test: LadderTest
    new: str
    base: str

    @property
    def text(self) -> str:
        """How it stands, or what came of it."""
        return self.test.text(self.new, self.base)

    @property
    def verdict(self) -> str:
        """What it says so far, or in the end."""
        return self.test.verdict(self.new, self.base)


@dataclass(frozen=True, slots=True)
class LadderBoard:
    """The leaderboard of a ladder."""

    name: str
    anchor: str  # the player whose rating is 0; "" if nobody has played
    ranked: tuple[RankedPlayer, ...]  # the best first, those who do not come back last
    waiting: tuple[Player, ...]  # who has no version yet
    adjourned: tuple[AdjournedMatch, ...]
    circles: tuple[Circle, ...]
    tests: tuple[ShownTest, ...]  # in the order in which they were asked for
    matches: int  # the matches that are over
    margin: Margin | None  # of the subject against the anchor; None without a subject
    scores: Scores
    ratings: Sequence[Rating | None]  # of all versions, by number
    players: Mapping[int, Player]
    versions: Mapping[int, Version]

    def name_of(self, version: int) -> str:
        """Return the name of a version's player; an earlier version has what identifies it."""
        return _name(version, self.players, self.versions)

    def is_stronger(self, version: int, other: int) -> bool | None:
        """Return whether a version is surely ahead of another; None if it is not known."""
        ahead = self.scores.ahead
        if ahead[version - 1, other - 1]:
            return True
        return False if ahead[other - 1, version - 1] else None

    def knows(self, versions: Iterable[int]) -> bool:
        """Return whether it has some versions; one that came since is not among them."""
        return all(version in self.versions for version in versions)

    @property
    def weeks(self) -> list[str]:
        """The latest weeks in which any of them played, the last one first."""
        return sorted({week for row in self.ranked for week in row.history.weeks}, reverse=True)


def rating_text(rating: Rating | None, *, with_error: bool = True) -> str:
    """Return a rating, with the error of its ordinary interval if wished and known."""
    if rating is None:
        return "-"
    is_known = with_error and rating.error is not None
    return f"{rating.value:+z.2f}" + (f" ± {rating.error:.2f}" if is_known else "")


def leaderboard(store: LadderStore, subject: str = "") -> LadderBoard:
    """Return the leaderboard of a ladder, with the margin of one player. Raises StoreError."""
    # In this order, as the ladder may be played: what is read later knows all versions of these.
    tests, matches, sums, orders, players = (
        store.tests.every(),
        store.open_matches(),
        store.sums(),
        store.orders(),
        store.players(),
    )
    definition, versions = store.definition(), store.versions()
    histories = store.weeks.histories()
    scores = Scores(len(versions), sums, orders)
    shown = [player for player in players.values() if player.version is not None]
    anchor = _anchor(definition.anchors, shown)
    zero = anchor.version if anchor else None
    ratings = [None] * len(versions) if zero is None else scores.ratings(zero)
    causes = {} if zero is None else causes_of_ratings(sums, store.weeks.causes(), zero)
    ranks = ranks_by(scores.ahead, [player for player in shown if player.stays])
    rows = []
    for player in shown:
        assert player.version is not None
        rows.append(
            RankedPlayer(
                player,
                versions[player.version],
                ranks.get(player.number),
                ratings[player.version - 1],
                scores.figures(player.version),
                histories.get(player.version, History()),
                causes.get(player.version),
            )
        )
    rows.sort(key=_order)
    own = next((player.version for player in shown if player.name == subject), None)
    return LadderBoard(
        definition.name,
        anchor.name if anchor else "",
        tuple(rows),
        tuple(player for player in players.values() if player.version is None),
        tuple(_adjourned(matches, players, versions)),
        tuple(_circles(scores, players, versions)),
        tuple(
            ShownTest(test, *(_name(one, players, versions) for one in test.versions))
            for test in tests
        ),
        scores.matches,
        scores.margin(own, zero) if own is not None and zero is not None else None,
        scores,
        ratings,
        players,
        versions,
    )


def _adjourned(
    matches: Iterable[LadderMatch], players: Mapping[int, Player], versions: Mapping[int, Version]
) -> Iterator[AdjournedMatch]:
    for match in matches:
        home, visitors = (players[versions[one].player] for one in match.versions)
        gone = tuple(player.name for player in (home, visitors) if not player.is_there)
        if gone:
            yield AdjournedMatch(match.number, (home.name, visitors.name), gone)


def _circles(
    scores: Scores, players: Mapping[int, Player], versions: Mapping[int, Version]
) -> Iterator[Circle]:
    for members, wins in scores.circles():
        names = {one: _name(one, players, versions) for one in members}
        yield Circle(tuple(names.values()), tuple((names[one], names[two]) for one, two in wins))


def _name(number: int, players: Mapping[int, Player], versions: Mapping[int, Version]) -> str:
    """Return the name of a version's player; an earlier version has what identifies it."""
    version = versions[number]
    player = players[version.player]
    earlier = "" if player.version == number else f" ({version.identity})"
    return f"{player.name}{earlier}"


def _anchor(anchors: tuple[str, ...], shown: list[Player]) -> Player | None:
    """Return the first anchor that has played; without anchors, who came first."""
    by_name = {player.name: player for player in shown}
    named = [by_name[name] for name in anchors if name in by_name]
    return next(iter([*named, *shown]), None)


def ranks_by(ahead: Orders, players: list[Player]) -> dict[int, tuple[int, int]]:
    """Return the ranks that players may have among themselves, by the player's number.

    Args:
        ahead: Which versions are ahead of which, of shape (n, n).
        players: The players, who have all come.
    """
    index = [player.version - 1 for player in players if player.version is not None]
    ahead = ahead[np.ix_(index, index)]
    best = 1 + ahead.sum(axis=0)
    worst = len(index) - ahead.sum(axis=1)
    return {
        player.number: (int(low), int(high))
        for player, low, high in zip(players, best, worst, strict=True)
    }


def _order(row: RankedPlayer) -> tuple[bool, bool, float, int]:
    rating = row.rating
    value = -rating.value if rating is not None else 0.0
    return row.rank is None, rating is None, value, row.player.number

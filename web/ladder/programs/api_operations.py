"""What programs may ask about a ladder, and what they are answered.

An operation is an address below `/api/v1` that is read by GET. Its answer is made of what was known
at the last look at the ladder. No board of a match in play is among it, no program and no folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from bridge_arena.lin.writer import format_records
from bridge_arena.recorded.match_tables import (
    MATCH_TABLE_COLUMNS,
    MATCH_TABLE_MEANINGS,
    match_records,
    match_table_rows,
)
from bridge_arena.tournaments import EventResults
from bridge_arena.tournaments.ladder.leaderboard import LadderBoard
from bridge_arena.tournaments.ladder.player_record import player_record
from bridge_arena.tournaments.ladder.store.ladder_store import LadderMatch, LadderStore
from bridge_arena.tournaments.ladder.values import (
    LadderValues,
    MarginValues,
    MatchValues,
    PairValues,
    PlayerValues,
    TestValues,
    Values,
    VersionValues,
    ladder_values,
    margin_values,
    match_values,
    pair_values,
    player_values,
    sequential_test_values,
    version_values,
)

MOST = 200
"""The most items on a page of an answer."""

LARGEST = 10**9 - 1
"""The largest number that an address may have."""

_DIGITS = re.compile("[0-9]{1,9}")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a ladder at a look at it."""

    store: LadderStore
    board: LadderBoard
    begun: Sequence[LadderMatch]  # the matches that are not over
    is_played: bool


# The parameters of queries.


def _whole(largest: int, value: object) -> object:
    """Check that a text is a whole number from 1. Raises ValueError."""
    if isinstance(value, str) and not (_DIGITS.fullmatch(value) and 1 <= int(value) <= largest):
        raise ValueError(f"expected a whole number from 1 to {largest}")
    return value


Number = Annotated[int, Field(ge=1, le=LARGEST), BeforeValidator(partial(_whole, LARGEST))]
Limit = Annotated[int, Field(ge=1, le=MOST), BeforeValidator(partial(_whole, MOST))]


class Query(BaseModel):
    """The parameters of an operation that has none."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class PageQuery(Query):
    """Which items a page has."""

    limit: Limit = 50
    """The most items on the page."""
    before: Number | None = Field(None, examples=[1000])
    """Only items whose numbers are smaller, as the latest come first."""


class MatchesQuery(PageQuery):
    """Which matches a page has."""

    player: Number | None = Field(None, examples=[1])
    """Only matches of the player of this number."""


# The answers that have several values.


class Players(Values):
    """The players on the leaderboard."""

    players: list[PlayerValues]
    """The highest rating first, and last those who do not come back."""


class Player(PlayerValues):
    """A player with its versions."""

    versions: list[VersionValues]
    """The latest first."""


class Opponents(Values):
    """What a player gains against whom it has met."""

    opponents: list[MarginValues]
    """The highest rating first."""


class _Page(Values):
    next: str | None
    """The address of the next page, relative to that of this one; null if this is the last."""


class Versions(_Page):
    """Versions of all players."""

    versions: list[VersionValues]
    """The latest first."""


class Matches(_Page):
    """Matches that are over."""

    matches: list[MatchValues]
    """The last to begin first."""


class Tests(_Page):
    """Sequential tests."""

    __test__ = False  # it is none of pytest

    tests: list[TestValues]
    """The latest first."""


_TABLE_FIELDS: dict[str, Any] = {
    name: (kind | None, Field(description=MATCH_TABLE_MEANINGS[name]))
    for name, kind in MATCH_TABLE_COLUMNS.items()
}

_TableValues: type[Values] = create_model(
    "TableValues",
    __base__=Values,
    __doc__="A board as it was played in one room.",
    **_TABLE_FIELDS,
)


class MatchTables(Values):
    """A match that is over, with its boards as they were played."""

    match: MatchValues
    tables: list[_TableValues]  # type: ignore[valid-type]
    """Board by board, the open room first."""


# The operations.


@dataclass(frozen=True, slots=True)
class Operation:
    """An address that is read.

    Attributes:
        path: The address below `/api/v1`, with the names of numbers in braces.
        name: What programs call it.
        summary: What it answers with, in a line.
        make: Returns the answer to numbers and a query; None if there is nothing of these numbers.
            Raises StoreError and OSError.
        answer: The kind of the answer; or the media type of a text.
        query: The kind of the query.
        stays: Whether the answer stays as it is, once there is one.
    """

    path: str
    name: str
    summary: str
    make: Callable[..., Values | bytes | None]
    answer: type[Values] | str
    query: type[Query] = Query
    stays: bool = False

    @property
    def numbers(self) -> list[str]:
        """The names of the numbers in its address."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def media_type(self) -> str:
        """The media type of its answer."""
        return self.answer if isinstance(self.answer, str) else "application/json"

    @property
    def can_be_missing(self) -> bool:
        """Whether there may be nothing of the numbers that it is given."""
        return bool(self.numbers) or self.query is MatchesQuery


def _ladder(known: Known, _: Query) -> LadderValues:
    return ladder_values(known.board, known.begun, is_played=known.is_played)


def _players(known: Known, _: Query) -> Players:
    return Players(players=[player_values(row) for row in known.board.ranked])


def _player(known: Known, _: Query, number: int) -> Player | None:
    record = player_record(known.board, number)
    if record is None:
        return None
    versions = [version_values(known.board, own.version.number) for own in record.versions]
    return Player(**dict(player_values(record.row)), versions=versions)


def _opponents(known: Known, _: Query, number: int) -> Opponents | None:
    record = player_record(known.board, number)
    return None if record is None else Opponents(opponents=margin_values(known.board, record))


def _versions(known: Known, query: PageQuery) -> Versions:
    numbers = sorted(known.board.versions, reverse=True)
    shown, following = _page(numbers, query, lambda number: number)
    return Versions(versions=[version_values(known.board, one) for one in shown], next=following)


def _pair(known: Known, _: Query, player: int, other: int) -> PairValues | None:
    players = known.board.players
    if player == other or player not in players or other not in players:
        return None
    own, opponent = players[player].version, players[other].version
    if own is None or opponent is None:
        return None
    return pair_values(known.board, own, opponent)


def _matches(known: Known, query: MatchesQuery) -> Matches | None:
    store, count, before = known.store, query.limit + 1, query.before
    if query.player is None:
        matches = store.archive.latest(count, before=before)
    elif query.player in known.board.players:
        every = known.board.versions.values()
        own = [version.number for version in every if version.player == query.player]
        matches = store.archive.latest(count, own, before=before)
    else:
        return None
    shown, following = _page(matches, query, lambda match: match.number)
    # One whose versions came since the last look is told after the next.
    values = [match_values(known.board, one) for one in shown if known.board.knows(one.versions)]
    return Matches(matches=values, next=following)


def _match(known: Known, _: Query, number: int) -> MatchValues | None:
    match = known.store.archive.ended(number)
    if match is None or not known.board.knows(match.versions):
        return None
    return match_values(known.board, match)


def _tables(known: Known, query: Query, number: int) -> MatchTables | None:
    match, results = _match(known, query, number), _results(known, number)
    if match is None or results is None:
        return None
    rows = map(_TableValues.model_validate, match_table_rows(results))
    return MatchTables(match=match, tables=list(rows))


def _pbn(known: Known, query: Query, number: int) -> bytes | None:
    if _match(known, query, number) is None:
        return None
    return known.store.archive.pbn([number]).encode("latin-1", "replace")


def _lin(known: Known, _: Query, number: int) -> bytes | None:
    results = _results(known, number)
    return None if results is None else "".join(format_records(match_records(results))).encode()


def _tests(known: Known, query: PageQuery) -> Tests:
    tests = list(reversed(known.board.tests))
    shown, following = _page(tests, query, lambda shown: shown.test.number)
    return Tests(tests=list(map(sequential_test_values, shown)), next=following)


def _results(known: Known, number: int) -> EventResults | None:
    """Return the boards of a match; None unless it is over."""
    return known.store.archive.results(number)


def _page(
    items: Iterable[T], query: PageQuery, number: Callable[[T], int]
) -> tuple[list[T], str | None]:
    """Return the items on a page, and the address of the next one.

    Args:
        items: The items, the latest first; at least one more than the page has, if there are such.
        query: The query.
        number: Returns the number of an item.
    """
    before = query.before or LARGEST + 1
    wanted = [item for item in items if number(item) < before]
    shown = wanted[: query.limit]
    if len(wanted) <= query.limit:
        return shown, None
    parameters: dict[str, Any] = query.model_dump(exclude_none=True) | {"before": number(shown[-1])}
    return shown, "?" + "&".join(f"{name}={value}" for name, value in parameters.items())


PBN = "application/x-pbn"
LIN = "application/x-lin"

OPERATIONS = (
    Operation("/ladder", "ladder", "The ladder as a whole", _ladder, LadderValues),
    Operation("/players", "players", "The leaderboard", _players, Players),
    Operation("/players/{number}", "player", "A player, with its versions", _player, Player),
    Operation(
        "/players/{number}/opponents",
        "opponents",
        "What a player gains against each version that it has met",
        _opponents,
        Opponents,
    ),
    Operation(
        "/versions", "versions", "The versions of all players", _versions, Versions, PageQuery
    ),
    Operation(
        "/pairs/{player}/{other}",
        "pair",
        "What a player gains against another, by their present versions",
        _pair,
        PairValues,
    ),
    Operation("/matches", "matches", "The matches that are over", _matches, Matches, MatchesQuery),
    Operation(
        "/matches/{number}", "match", "A match that is over", _match, MatchValues, stays=True
    ),
    Operation(
        "/matches/{number}/boards",
        "boards",
        "The boards of a match that is over",
        _tables,
        MatchTables,
        stays=True,
    ),
    Operation(
        "/matches/{number}/boards.pbn", "boards_pbn", "These boards as PBN", _pbn, PBN, stays=True
    ),
    Operation(
        "/matches/{number}/boards.lin", "boards_lin", "These boards as LIN", _lin, LIN, stays=True
    ),
    Operation("/tests", "tests", "The sequential tests", _tests, Tests, PageQuery),
)

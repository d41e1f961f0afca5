"""A ladder that shows its pages, read from Python as tables."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from email.message import Message
from http import HTTPStatus
from http.client import HTTPException
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin
from urllib.error import HTTPError
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

from bridge_arena.base.wording import one_line
from bridge_arena.recorded.match_tables import MATCH_TABLE_COLUMNS
from bridge_arena.tournaments.ladder.values import (
    MatchValues,
    PairValues,
    PlayerValues,
    TestValues,
    Values,
    VersionValues,
)

if TYPE_CHECKING:
    import pyarrow

_PATIENCE = 60.0
"""The seconds in which an answer has to come."""

_LONGEST_WAIT = 120
"""The most seconds before a request is made again."""

_MOST_TRIES = 10

_LONGEST_ANSWER = 1 << 26
"""The most bytes of an answer."""

_PAGE = 200
"""The items that are asked for at once."""

Columns = Mapping[str, type]


class Ladder:
    """A ladder on the web, read as tables of pyarrow (the extra `parquet`).

    A column has the name of a field; one of a part has the names of both, as `home_name`, and the
    two ends of an interval are `_low` and `_high`. `to_pandas()` of a table makes a frame of
    pandas, and `polars.from_arrow(table)` one of polars. When the ladder asks for it, a method
    waits and asks again.

    Args:
        address: The address of its pages, as `https://ladder.example.org`.

    Raises:
        ValueError: The address is none of the web.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{address}: expected an address as https://ladder.example.org")
        self._address = urljoin(f"{address.rstrip('/')}/", "api/v1/")

    def __repr__(self) -> str:
        return f"Ladder({self._address.removesuffix('/api/v1/')!r})"

    def players(self) -> pyarrow.Table:
        """Read the leaderboard.

        Returns:
            A row for each player that has come, the highest rating first.

        Raises:
            OSError: The ladder does not answer.
        """
        return _table(_columns(PlayerValues), self._read("players")["players"])

    def versions(self) -> pyarrow.Table:
        """Read the versions of all players.

        Returns:
            A row for each version, the latest first.

        Raises:
            OSError: The ladder does not answer.
        """
        return _table(_columns(VersionValues), self._pages("versions", "versions"))

    def pairs(self) -> pyarrow.Table:
        """Read what each player gains against each version that it has met.

        It takes a request for each player.

        Returns:
            A row for each player and version of another.

        Raises:
            OSError: The ladder does not answer.
        """
        return _table(_columns(PairValues), self._pairs())

    def matches(self, player: int | None = None) -> pyarrow.Table:
        """Read the matches that are over.

        Args:
            player: The number of the player whose matches are wanted; None for all.

        Returns:
            A row for each match, the last to begin first.

        Raises:
            OSError: The ladder does not answer, or has no such player.
        """
        query = "" if player is None else f"&player={player}"
        return _table(_columns(MatchValues), self._pages("matches", "matches", query))

    def boards(self, matches: Iterable[int]) -> pyarrow.Table:
        """Read the boards of matches that are over.

        It takes a request for each match.

        Args:
            matches: The numbers of the matches.

        Returns:
            A row for each board and room, with the number of its match.

        Raises:
            OSError: The ladder does not answer, or one of the matches is not over.
        """
        columns = {"match": int, **MATCH_TABLE_COLUMNS}
        return _table(columns, (row for number in matches for row in self._boards(number)))

    def tests(self) -> pyarrow.Table:
        """Read the sequential tests.

        Returns:
            A row for each test, the latest first.

        Raises:
            OSError: The ladder does not answer.
        """
        return _table(_columns(TestValues), self._pages("tests", "tests"))

    # Private methods.

    def _pairs(self) -> Iterator[Mapping[str, Any]]:
        for player in self._read("players")["players"]:
            own = {name: player[name] for name in ("number", "name", "version")}
            for margin in self._read(f"players/{player['number']}/opponents")["opponents"]:
                yield {"player": own, **margin}

    def _boards(self, number: int) -> Iterator[Mapping[str, Any]]:
        for row in self._read(f"matches/{number}/boards")["tables"]:
            yield {"match": number, **row}

    def _pages(self, path: str, key: str, query: str = "") -> Iterator[Mapping[str, Any]]:
        """Yield the items of all pages of an answer."""
        following: str | None = f"?limit={_PAGE}{query}"
        while following is not None:
            page = self._read(path + following)
            yield from page[key]
            following = page["next"]

    def _read(self, path: str) -> Any:
        """Return an answer, when it comes. Raises OSError."""
        address = self._address + path
        for _ in range(_MOST_TRIES):
            try:
                with urlopen(address, timeout=_PATIENCE) as answer:
                    return json.loads(answer.read(_LONGEST_ANSWER))
            except HTTPError as error:
                with error:
                    if error.code not in (
                        HTTPStatus.TOO_MANY_REQUESTS,
                        HTTPStatus.SERVICE_UNAVAILABLE,
                    ):
                        raise OSError(f"{address}: {_why(error)}") from None
                    time.sleep(_seconds(error.headers))
            except (HTTPException, ValueError) as error:
                raise OSError(f"{address} does not answer as a ladder: {error!r}") from None
        raise OSError(f"{address}: the ladder is busy")


def _seconds(headers: Message) -> float:
    """Return after how many seconds a request may be made again."""
    wait = headers.get("retry-after", "")
    return min(int(wait), _LONGEST_WAIT) if wait.isascii() and wait.isdecimal() else 1


def _why(error: HTTPError) -> str:
    """Return in a line why a request was refused."""
    try:
        return one_line(json.loads(error.read(_LONGEST_ANSWER))["error"], 200)
    except (ValueError, KeyError, TypeError):
        return f"status {error.code}"


def _table(columns: Columns, items: Iterable[Mapping[str, Any]]) -> pyarrow.Table:
    """Return objects as a table."""
    import pyarrow  # noqa: PLC0415  an extra

    kinds = {
        str: pyarrow.string(),
        int: pyarrow.int64(),
        float: pyarrow.float64(),
        bool: pyarrow.bool_(),
    }
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in columns.items()])
    rows = (dict(_cells(item)) for item in items)
    cells = [{name: row.get(name) for name in columns} for row in rows]
    return pyarrow.Table.from_pylist(cells, schema)


def _cells(item: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the cells of an object by the names of their columns."""
    for name, value in item.items():
        column = prefix + name
        match value:
            case dict():
                yield from _cells(value, f"{column}_")
            case [low, high]:
                yield f"{column}_low", low
                yield f"{column}_high", high
            case _:
                yield column, value


def _columns(kind: Any, name: str = "") -> dict[str, type]:
    """Return the columns of a kind of values, which may be part of another of a name."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _columns(parts[0], name)
    if origin in (Union, UnionType):
        (known,) = (part for part in parts if part is not NoneType)
        return _columns(known, name)
    if origin is tuple:
        return {**_columns(parts[0], f"{name}_low"), **_columns(parts[1], f"{name}_high")}
    if origin is not None:  # maps and lists have no columns of their own
        return {}
    if issubclass(kind, Values):
        prefix = f"{name}_" if name else ""
        fields = kind.model_fields.items()
        return {
            column: known
            for field, facts in fields
            for column, known in _columns(facts.annotation, prefix + field).items()
        }
    return {name: str if issubclass(kind, str) else kind}

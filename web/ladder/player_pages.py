"""The pages of players and of pairs of players, and the boards of a player as a PBN file.

/players/N/              a player: its versions, opponents, style, boards and matches
/players/N/boards.pbn    the boards of the matches that are on that page
/pairs/A/B/              a player against another: their versions, boards and matches

The pages, and the file, may begin with matches below a number: `?before=NUMBER`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import ceil
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bridge_arena.tournaments import StoreError
from bridge_arena.tournaments.ladder.board_gains import BoardGain, best_and_costliest, imps_of
from bridge_arena.tournaments.ladder.leaderboard import LadderBoard, rating_text
from bridge_arena.tournaments.ladder.pair_record import pair_record
from bridge_arena.tournaments.ladder.people.people_tables import opponents_of_people
from bridge_arena.tournaments.ladder.player_record import player_record
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.match_archive import EndedMatch
from bridge_arena.tournaments.ladder.strength.scores import Rating
from bridge_arena.tournaments.ladder.strength.style import MEASURES
from bridge_arena.tournaments.ladder.strength.weeks import CAUSES
from bridge_arena.web.common.kept_pages import KeptPages
from bridge_arena.web.common.serving import Page
from bridge_arena.web.ladder.charts import total_chart, version_chart
from bridge_arena.web.ladder.lists import AnswerWith, Make
from bridge_arena.web.ladder.pages import LATEST, STAY_SECONDS, ladder_page, match_lines
from bridge_arena.web.ladder.reading import number_in_path, numbers_in_query

_FOLDER = Path(__file__).parent

SEARCHED = 500
"""The latest matches of which the total is drawn, and the best and costliest boards are found."""

TELLING = 10
"""The most boards that are shown as the best, and as the costliest."""

KEPT_FILES = 4
"""The most files of boards that are kept: each may have some megabytes."""

MOST_BOARDS = 640
"""The most boards in a file, unless its first match has more."""


def player_routes(answer_with: AnswerWith) -> list[Route]:
    """Return the routes of the pages of players and pairs."""

    async def player(request: Request) -> Response:
        number = number_in_path(request)
        (before,) = numbers_in_query(request, "before")
        make: Make = partial(page_of_player, number=number)
        if before is not None:
            make = partial(page_of_earlier_matches, players=(number,), before=before)
        return await answer_with(request, ("player", number, before), make)

    async def pair(request: Request) -> Response:
        first, second = (number_in_path(request, name) for name in ("first", "second"))
        (before,) = numbers_in_query(request, "before")
        make: Make = partial(page_of_pair, first=first, second=second)
        if before is not None:
            make = partial(page_of_earlier_matches, players=(first, second), before=before)
        return await answer_with(request, ("pair", first, second, before), make)

    return [Route("/players/{number}/", player), Route("/pairs/{first}/{second}/", pair)]


class BoardFiles:
    """The boards of players as PBN files, which are made when somebody asks.

    Args:
        store: The store of the ladder.
        board: Returns the leaderboard; None as long as nothing could be read.
        has_looked: Set once somebody has tried to read it.
    """

    def __init__(
        self,
        store: LadderStore,
        board: Callable[[], LadderBoard | None],
        has_looked: asyncio.Event,
    ) -> None:
        self._store = store
        self._board = board
        self._has_looked = has_looked
        self._files = KeptPages[Page | None](KEPT_FILES, STAY_SECONDS)

    def route(self) -> Route:
        """Return the route of the files."""
        return Route("/players/{number}/boards.pbn", self.boards)

    async def boards(self, request: Request) -> Response:
        """Answer with the boards of a player's latest matches, or of those below a number."""
        (before,) = numbers_in_query(request, "before")
        key = number_in_path(request), before
        await self._has_looked.wait()
        self._files.note_change()
        try:
            file = await self._files.page(key, partial(asyncio.to_thread, self._made, *key))
        except (StoreError, OSError, asyncio.QueueFull):
            raise HTTPException(503, headers={"retry-after": "5"}) from None
        if file is None:
            raise HTTPException(404)
        return file.answer(request)

    def _made(self, number: int, before: int | None) -> Page | None:
        board = self._board()
        if board is None:
            raise StoreError("nothing could be read yet")
        versions = _versions(board, number)
        if not versions:
            return None
        matches = self._store.archive.latest(LATEST, versions, before=before)
        numbers = list(_as_many_as_fit(matches))
        pbn = self._store.archive.pbn(numbers).encode("latin-1", "replace")
        name = f"player-{number}" + (f"-before-{before}" if before else "")
        disposition = f'attachment; filename="{name}.pbn"'
        headers = {"cache-control": "no-cache", "content-disposition": disposition}
        return Page(pbn, "application/x-pbn", headers)


def _as_many_as_fit(matches: Sequence[EndedMatch]) -> Iterator[int]:
    """Yield the numbers of the first matches that have no more than `MOST_BOARDS` together."""
    boards = 0
    for one in matches:
        boards += one.boards
        if boards > MOST_BOARDS and one is not matches[0]:
            return
        yield one.number


def page_of_player(
    store: LadderStore,
    board: LadderBoard,
    *,
    number: int,
    is_live: bool = True,
) -> str | None:
    """Return the page of a player; None if there is none of this number that has come.

    Raises StoreError.

    Args:
        store: The store of the ladder.
        board: Its leaderboard.
        number: The number of the player.
        is_live: Whether the page is served.
    """
    record = player_record(board, number)
    if record is None:
        return None
    versions = _versions(board, number)
    latest = _known(board, store.archive.latest(SEARCHED, versions))
    accused = store.audits.accused()
    own = record.row.version.number
    return ladder_page(
        _FOLDER / "player.html",
        f"{record.row.player.name}: {board.name}",
        home="../../",
        is_live=is_live,
        stay=STAY_SECONDS,
        board=board,
        record=record,
        chart=version_chart(record.versions, _end_of(latest) or record.row.version.since),
        widest=1 + ceil(max((abs(one.margin.mean) for one in record.opponents), default=0)),
        measures=MEASURES,
        style=store.styles.of([own]),
        everybody=store.styles.of(),
        news=store.authors.news(),
        accused=[accused[version] for version in versions if version in accused],
        audited=store.archive.count_audited(versions),
        may_be_played=is_live and number in opponents_of_people(store, store.definition()),
        **_telling_boards(board, latest, versions),
        **_matches(board, latest),
    )


def page_of_pair(
    store: LadderStore,
    board: LadderBoard,
    *,
    first: int,
    second: int,
    is_live: bool = True,
) -> str | None:
    """Return the page of a player against another; None unless both have come.

    Raises StoreError.

    Args:
        store: The store of the ladder.
        board: Its leaderboard.
        first: The number of the player from whom all is seen.
        second: The number of the other one.
        is_live: Whether the page is served.
    """
    record = pair_record(board, first, second)
    if record is None:
        return None
    own, other = _versions(board, first), _versions(board, second)
    latest = _known(board, store.archive.latest(SEARCHED, own, other))
    one, two = record.rows
    return ladder_page(
        _FOLDER / "pair.html",
        f"{one.player.name} – {two.player.name}: {board.name}",
        home="../../../",
        is_live=is_live,
        stay=STAY_SECONDS,
        board=board,
        record=record,
        canonical=f"../../{min(first, second)}/{max(first, second)}/",
        chart=total_chart([imps_of(one, own) for one in reversed(latest)]),
        total=sum(imps_of(one, own) for one in latest),
        parts=_parts(one.causes, two.causes),
        **_telling_boards(board, latest, own),
        **_matches(board, latest),
    )


def page_of_earlier_matches(
    store: LadderStore, board: LadderBoard, *, players: Sequence[int], before: int
) -> str | None:
    """Return a page of the matches of a player, or of two, below a number; None without them.

    Raises StoreError.

    Args:
        store: The store of the ladder.
        board: Its leaderboard.
        players: The numbers of one player, or of two who have met.
        before: The number below which the matches begin.
    """
    versions = [_versions(board, number) for number in players]
    if not all(versions) or len({*players}) < len(players):
        return None
    own, other = versions[0], versions[1] if len(versions) > 1 else None
    matches = _known(board, store.archive.latest(LATEST + 1, own, other, before))
    names = [board.players[number].name for number in players]
    return ladder_page(
        _FOLDER / "earlier_matches.html",
        f"{' – '.join(names)}: {board.name}",
        home="../" * (1 + len(players)),
        is_live=True,
        stay=STAY_SECONDS,
        names=names,
        before=before,
        **_matches(board, matches),
    )


def _versions(board: LadderBoard, number: int) -> list[int]:
    """Return the versions of a player, by its number."""
    return [version.number for version in board.versions.values() if version.player == number]


def _known(board: LadderBoard, matches: Sequence[EndedMatch]) -> list[EndedMatch]:
    """Return the matches of versions that a leaderboard has; others came after it was made."""
    return [one for one in matches if board.knows(one.versions)]


def _end_of(latest: Sequence[EndedMatch]) -> str:
    """Return when the latest match ended; empty if that is not known."""
    return latest[0].ended if latest else ""


def _telling_boards(
    board: LadderBoard, latest: Sequence[EndedMatch], versions: Sequence[int]
) -> dict[str, object]:
    """Return what pages show of the boards of the latest matches, seen from some versions."""
    best, costliest = best_and_costliest(latest, versions, TELLING)

    def named(gains: Sequence[BoardGain]) -> list[tuple[BoardGain, str]]:
        return [(gain, board.name_of(gain.opponent)) for gain in gains]

    return {
        "searched": len(latest),
        "has_swings": any(len(one.swings) for one in latest),
        "best": named(best),
        "costliest": named(costliest),
        "signed": _signed,
        "rating": _rating,
    }


def _matches(board: LadderBoard, matches: Sequence[EndedMatch]) -> dict[str, object]:
    """Return what pages show of matches: the first of them, and whether there are more."""
    shown = matches[:LATEST]
    return {
        "matches": match_lines(board, shown),
        "earlier": shown[-1].number if len(matches) > LATEST else None,
    }


def _parts(
    first: Mapping[str, float] | None, second: Mapping[str, float] | None
) -> dict[str, float] | None:
    """Return what a first player is expected to gain by cause; None if that is not known."""
    if first is None or second is None:
        return None
    return {cause: first[cause] - second[cause] for cause in CAUSES}


def _signed(imps: float) -> str:
    return f"{imps:+z.2f}".replace("-", "−")


def _rating(rating: Rating | None) -> str:
    return rating_text(rating).replace("-", "−")

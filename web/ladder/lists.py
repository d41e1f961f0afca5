"""The lists of a ladder's pages: who meets next, the tests, the matches that are over."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bridge_arena.tournaments.ladder.leaderboard import LadderBoard, ShownTest
from bridge_arena.tournaments.ladder.queue import NextMatch, queue_of
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.pairing import Meeting
from bridge_arena.tournaments.ladder.strength.sequential_tests import LadderTest, Outcome
from bridge_arena.web.common.doors import FORM_POLICY
from bridge_arena.web.ladder.pages import ladder_page, match_lines
from bridge_arena.web.ladder.reading import numbers_in_query

_FOLDER = Path(__file__).parent

Make = Callable[[LadderStore, LadderBoard], str | None]
"""Makes a page; None if there is none. Raises StoreError and OSError."""

AnswerWith = Callable[[Request, Hashable, Make], Awaitable[Response]]
"""Answers a request with a page that is made by a function, and known by its key."""

ON_PAGE = 50
"""The most matches or tests of a list on a page."""


def list_routes(answer_with: AnswerWith) -> list[Route]:
    """Return the routes of the lists."""

    async def queue(request: Request) -> Response:
        return await answer_with(request, "queue", page_of_queue)

    async def tests(request: Request) -> Response:
        (before,) = numbers_in_query(request, "before")
        return await answer_with(request, ("tests", before), partial(page_of_tests, before=before))

    async def matches(request: Request) -> Response:
        names = ("before", "player", "against")
        before, player, against = numbers_in_query(request, *names)
        make = partial(page_of_matches, before=before, player=player, against=against)
        answer = await answer_with(request, ("matches", before, player, against), make)
        answer.headers["content-security-policy"] = f"{FORM_POLICY}; frame-ancestors 'none'"
        return answer

    return [Route("/queue", queue), Route("/tests", tests), Route("/matches/", matches)]


def page_of_queue(store: LadderStore, board: LadderBoard) -> str:
    """Return the page of who meets next, and why. Raises StoreError."""
    queue = queue_of(store, board)
    there = {player.version for player in board.players.values() if player.is_there}
    return ladder_page(
        _FOLDER / "queue.html",
        f"Who meets next: {board.name}",
        board=board,
        queue=queue,
        matches=_grouped(queue.matches),
        halted=[one for one in queue.tests if not there.issuperset(one.test.versions)],
        stronger=_stronger,
    )


def _grouped(matches: Sequence[NextMatch]) -> list[tuple[int, NextMatch, list[int]]]:
    """Return the matches of a queue with their places, from 1.

    One of the same pair for the same reason as before is none of its own: its place stands with the
    first one.
    """
    groups: dict[Hashable, tuple[int, NextMatch, list[int]]] = {}
    for place, match in enumerate(matches, start=1):
        key = frozenset(match.meeting.teams), match.meeting.reason, match.test and match.test.number
        if key in groups:
            groups[key][2].append(place)
        else:
            groups[key] = place, match, []
    return list(groups.values())


def _stronger(match: NextMatch) -> int:
    """Return the version of a match that is likely to gain."""
    meeting: Meeting = match.meeting
    return meeting.home if match.likely[0] >= 0 else meeting.visitors


@dataclass(frozen=True, slots=True)
class DrawnTest:
    """A test as it is drawn."""

    test: LadderTest
    verdict: str  # how it stands in words, or what came of it
    boards: int
    ratio: float  # the log-likelihood ratio
    zero: float  # where a ratio of 0 is between the bounds, in per cent
    place: float  # where the ratio is between them

    @classmethod
    def of(cls, shown: ShownTest) -> DrawnTest:
        """Draw a test."""
        test, progress = shown.test, shown.test.progress
        low, high = test.sprt.bounds
        ratio = progress.llr
        at = 100 * (min(max(ratio, low), high) - low) / (high - low)
        zero = -100 * low / (high - low)
        return cls(test, shown.verdict, progress.boards, ratio, round(zero, 1), round(at, 1))

    @property
    def is_open(self) -> bool:
        """Whether it goes on."""
        return self.test.outcome is Outcome.OPEN


def page_of_tests(
    store: LadderStore, board: LadderBoard, *, before: int | None = None, is_live: bool = True
) -> str:
    """Return a page of the tests, the latest first, from those below a number on."""
    del store
    tests = [one for one in reversed(board.tests) if before is None or one.test.number < before]
    return ladder_page(
        _FOLDER / "tests.html",
        f"Tests: {board.name}",
        is_live=is_live,
        before=before,
        tests=list(map(DrawnTest.of, tests[:ON_PAGE])),
        earlier=tests[ON_PAGE - 1].test.number if len(tests) > ON_PAGE else None,
        number=lambda value: f"{value:z.2f}".replace("-", "−"),
    )


def page_of_matches(
    store: LadderStore,
    board: LadderBoard,
    *,
    before: int | None = None,
    player: int | None = None,
    against: int | None = None,
    is_live: bool = True,
) -> str | None:
    """Return a page of the matches that are over, the latest first; None without such a player.

    Args:
        store: The store of the ladder.
        board: Its leaderboard.
        before: The number below which they begin; None for the latest ones.
        player: The number of a player who has played them; None for anybody.
        against: The number of another one; None for anybody.
        is_live: Whether the page is served, so that matches can be found by their players.
    """
    wanted = [number for number in (player, against) if number is not None]
    if not all(number in board.players for number in wanted):
        return None
    teams = [
        [version.number for version in board.versions.values() if version.player == number]
        for number in wanted
    ]
    one, other, *_ = (*teams, None, None)
    matches = store.archive.latest(ON_PAGE + 1, one, other, before)
    return ladder_page(
        _FOLDER / "matches.html",
        f"Matches: {board.name}",
        home="../",
        policy=FORM_POLICY,
        is_live=is_live,
        board=board,
        before=before,
        player=player,
        against=against,
        players=sorted(board.ranked, key=lambda row: row.player.name.casefold()),
        matches=match_lines(board, matches[:ON_PAGE]),
        earlier=matches[ON_PAGE - 1].number if len(matches) > ON_PAGE else None,
    )

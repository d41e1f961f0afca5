"""Tests of the lobby: how far an event is, what came of it, and what it may not tell."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import SEATS
from bridge_arena.server.pace import Pace
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.rules import Deals, Format, Scoring
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.rulings import (
    Adjust,
    Annul,
    GoOn,
    Pause,
    Penalty,
    Replay,
    Ruling,
)
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.store import StoreError
from bridge_arena.web.common import kept_pages
from bridge_arena.web.live import arena as arena_module
from bridge_arena.web.live import lists as lists_module
from bridge_arena.web.live import lobby as lobby_module
from bridge_arena.web.live.lists import MatchLists
from bridge_arena.web.live.lobby import Lobby
from bridge_arena.web.live.rooms import TableRoom
from tests.server.lobby import until
from tests.server.tables import Lowly
from tests.tournaments.ruled import ruling, rulings
from tests.tournaments.scores import event, record, units_of
from tests.web.live.halls import Hall, units

ROBIN = event(Format.ROUND_ROBIN, 4, boards=2, deals=Deals.FRESH)


def state(hall: Hall) -> Any:
    return json.loads(json.dumps(hall.arena.lobby.state()))


def results(
    event: Event, played: Iterable[Unit], points: int = 0
) -> list[tuple[Unit, BoardRecord]]:
    """Units that ended with so many points to the home team."""
    return [(unit, record(event, unit, points if unit.room is Room.OPEN else 0)) for unit in played]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_standings_are_those_by_the_rulings_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Ruling] = []
    lobby = Lobby(ROBIN, {}, {}, lambda: made, (), "")
    lobby.count()
    before: Any = lobby.state()["standings"]
    assert {row["score"] for row in before["rows"]} == {0}
    made += rulings([Penalty(entry=2, amount=5)])
    lobby.count()
    assert score_of_e2(lobby) == -5
    # Also when the database does not answer.
    monkeypatch.setattr(lobby, "_read_rulings", unanswered)
    lobby.count()
    assert score_of_e2(lobby) == -5


def score_of_e2(lobby: Lobby) -> float:
    standings: Any = lobby.state()["standings"]
    (score,) = (row["score"] for row in standings["rows"] if row["name"] == "e2")
    return float(score)


def unanswered() -> list[Ruling]:
    raise StoreError("no answer")


ADJUSTED = rulings([Adjust(match="1/1", board=1, room=Room.OPEN, ns="-600", ew="-600")])
ANNULLED = rulings([Annul(match="1/1", board=1)])


async def test_the_score_the_swing_and_the_list_of_a_match_are_those_by_the_rulings() -> None:
    made: list[Ruling] = []
    of_match = [unit for unit in units(ROBIN) if unit.match.id == "1/1"]
    hall = Hall(ROBIN, played=results(ROBIN, of_match[:2], 600), rulings=lambda: made)
    lists = MatchLists(hall.arena)
    home, visitors = of_match[0].match.entries
    for made[:], score, winner, worth in (
        ([], f"After 1 board: e{home} is ahead of e{visitors} by 12 IMPs.", home, "+12"),
        (ADJUSTED, f"After 1 board: e{visitors} is ahead of e{home} by 12 IMPs.", visitors, "−12"),
        (ANNULLED, "", None, ""),
    ):
        hall.arena.lobby.count()
        assert hall.arena.lobby.score(of_match[0].match) == score
        swing = state(hall)["swing"]
        assert (swing and swing["entries"][0]) == winner
        assert (swing and swing["isRuled"]) == (None if winner is None else bool(made))
        page = await lists.page("1/1", {})
        assert all((one in page) == (one == worth) for one in ("+12", "−12"))


@pytest.mark.parametrize("of_pairs", [False, True])
async def test_a_match_with_a_board_to_be_played_again_is_not_over(*, of_pairs: bool) -> None:
    cup = event(Format.PAIRS, 6, boards=2, scoring=Scoring.MATCHPOINTS) if of_pairs else ROBIN
    made: list[Ruling] = []
    of_match = [unit for unit in units(cup) if unit.match.id == "1/1"]
    hall = Hall(cup, played=results(cup, of_match, 600), rulings=lambda: made)
    tables = len(units(cup))
    board = of_match[0].board
    for made[:], counted, more in (([], 2, 0), (rulings([Replay(match="1/1", board=board)]), 1, 1)):
        hall.arena.lobby.count()
        match = state(hall)["rounds"][0]["matches"][0]
        assert (match["boards"], match["of"], match["isOver"]) == (counted, 2, not made)
        # Of pairs, two tables had not begun the old board.
        added = 1 if of_pairs else 2
        assert f" of {tables + more * added} tables" in hall.arena.lobby._progress()


async def test_the_page_of_a_board_says_what_was_ruled_on_it_once_its_result_may_be_known() -> None:
    made = rulings([Annul(match="1/1", board=1)])
    hall = Hall(broadcast="board", rulings=lambda: made)
    open_room, closed_room, *_ = units()
    for unit in (open_room, closed_room):
        await hall.play(unit)
    hall.feeds[0].release({1})
    await hall.settle()
    game = hall.arena.games["1-1-1"]
    known = dict(hall.arena.played)
    for kept, ruled in (
        (known, [1, 1]),
        ({open_room.id: known[open_room.id]}, [1, 0]),
        ({}, [0, 0]),
    ):
        hall.arena.played.clear()
        hall.arena.played |= kept
        tables = hall.arena.document(game)["tables"]
        assert [len(table.get("remarks", [])) for table in tables] == ruled
        assert all(("imps" in table) == (not kept) for table in tables)
    assert [table["imps"] for table in game.document["tables"]] == [0, 0]


async def test_a_ruling_alone_has_the_lobby_count_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_module, "RULING_SECONDS", 0.01)
    monkeypatch.setattr(lobby_module, "LEAST_SECONDS", 0.01)
    made: list[Ruling] = []
    hall = Hall(ROBIN, rulings=lambda: made)
    made += rulings([Penalty(entry=2, amount=5), Pause()])
    await until(lambda: {row["score"] for row in state(hall)["standings"]["rows"]} == {0, -5})
    played = f"0 of {len(units(ROBIN))} tables played"
    assert state(hall)["progress"] == f"{played}, paused by the director"
    made.append(ruling(3, GoOn()))
    await until(lambda: state(hall)["progress"] == played)
    await hall.end()


@pytest.mark.parametrize(
    ("scoring", "score"),
    [
        (Scoring.BOARD_A_MATCH, "After 1 board: e{} 1 – 0 e{} (boards)."),
        (Scoring.TOTAL_POINTS, "After 1 board: e{} is ahead of e{} by 600 points."),
    ],
)
async def test_scores_are_in_the_unit_of_the_event(scoring: Scoring, score: str) -> None:
    league = event(Format.ROUND_ROBIN, 4, boards=2, scoring=scoring)
    first = units(league)[0]
    hall = Hall(league, played=results(league, units(league)[:2], 600))
    assert hall.arena.lobby.score(first.match) == score.format(*first.match.entries)


async def test_the_time_left_is_said_once_each_table_has_played_a_board() -> None:
    clock, played = Clock(), dict[str, BoardRecord]()
    planned = {unit.id: unit for unit in units(ROBIN)}
    lobby = Lobby(ROBIN, played, planned, None, (), "", clock)
    lobby.open([TableRoom(number, Pace()) for number in (1, 2)])
    lobby.begin()
    told = []
    for unit, ended in results(ROBIN, units(ROBIN)[:3]):
        clock.now += 30
        played[unit.id] = ended
        told.append(lobby.state()["progress"])
    assert told == [
        "1 of 24 tables played",
        "2 of 24 tables played, about 11 min left",
        "3 of 24 tables played, about 10 min left",
    ]
    lobby.close()
    assert lobby.state()["progress"] == "3 tables played"


async def test_a_sequential_test_says_where_it_stands_and_what_that_means() -> None:
    match = event(Format.MATCH, 2, boards=8, sprt="imp0=0 imp1=2 alpha=0.4 beta=0.4")
    halls = [
        Hall(match, played=results(match, units(match)[:count], 600)) for count in (0, 2, None)
    ]
    before, so_far, after = map(state, halls)
    assert before["test"]["llr"] == pytest.approx(0, abs=1e-3)
    assert so_far["progress"] == "2 of at most 16 tables played"
    test = so_far["test"]
    assert test["lower"] < test["llr"] < test["upper"] == pytest.approx(0.4055, abs=1e-4)
    assert test["text"] == (
        "Not decided yet whether e0's gain against e1 is nearer +0 (H0) or +2 IMPs/board (H1)."
    )
    decided = after["test"]
    assert decided["llr"] >= decided["upper"]
    assert decided["text"] == (
        "The sequential test accepted H1: e0's gain against e1 is nearer +2 than +0 IMPs/board, "
        "or higher."
    )


async def test_matches_have_their_scores_once_both_rooms_are_known() -> None:
    of_match = [unit for unit in units(ROBIN) if unit.match.id == "1/1"]
    hall = Hall(ROBIN, played=results(ROBIN, of_match[:3], 600))
    first, *others = state(hall)["rounds"][0]["matches"]
    assert first == {
        "key": "1-1",
        "entries": list(of_match[0].match.entries),
        "boards": 1,
        "of": 2,
        "isOver": False,
        "scores": [12.0, -12.0],
    }
    assert "scores" not in others[0], "nothing of it is over"
    assert [known["title"] for known in state(hall)["rounds"]] == ["Round 1", "Round 2", "Round 3"]
    assert state(hall)["hasCrosstable"]


async def test_a_knock_out_has_its_bracket_with_the_reasons() -> None:
    cup = event(Format.KNOCK_OUT, 3, boards=1, deals=Deals.BAROMETER)
    hall = Hall(cup, played=results(cup, units(cup), 600))
    known = state(hall)
    first, final = known["rounds"]
    bye, played = first["matches"]
    assert (bye["entries"], bye["reason"], "key" in bye) == ([0], "bye", False)
    assert (played["entries"], played["winner"], played["reason"]) == ([1, 2], 0, "by 12 IMPs")
    assert final["title"] == "Final"
    assert final["matches"][0]["entries"] == [0, 1]
    assert known["progress"] == "2 of 4 tables played"


async def test_extra_boards_count_with_those_to_come() -> None:
    cup = event(Format.KNOCK_OUT, 2, boards=1)
    hall = Hall(cup, played=results(cup, units(cup)))
    assert state(hall)["progress"] == "2 of 10 tables played"


async def test_pairs_have_rounds_and_no_scores_of_matches() -> None:
    pairs = event(Format.PAIRS, 4, boards=1, scoring=Scoring.MATCHPOINTS)
    hall = Hall(pairs, played=results(pairs, units(pairs)[:1]))
    known = state(hall)
    first = known["rounds"][0]["matches"][0]
    assert (first["boards"], first["of"], first["isOver"]) == (1, 1, True)
    assert "scores" not in first
    assert not known["hasCrosstable"]
    assert known["swing"] is None


async def test_the_latest_large_swing_leads_to_its_board() -> None:
    hall = Hall(ROBIN, played=results(ROBIN, units(ROBIN)[:2], 600))
    swing = state(hall)["swing"]
    home, visitors = units(ROBIN)[0].match.entries
    assert (swing["imps"], swing["entries"], swing["key"]) == (12, [home, visitors], "1-1-1")
    game = hall.arena.board(swing["key"])
    assert game is not None
    assert [table["room"] for table in game.document["tables"]] == ["Open", "Closed"]
    small = Hall(ROBIN, played=results(ROBIN, units(ROBIN)[:2], 100))
    assert state(small)["swing"] is None


async def test_a_match_lists_its_boards_and_has_nothing_before_the_first() -> None:
    hall = Hall(ROBIN, played=results(ROBIN, units(ROBIN)[:4], 600))
    page = await MatchLists(hall.arena).page("1/1", {})
    assert [f"../boards/1-1-{position}.html" in page for position in (1, 2, 3)] == [
        True,
        True,
        False,
    ]
    assert "+24" in page, "the running total"
    assert not any(hall.arena.known_of(unknown) for unknown in ("2/1", "1", "", "1/1/1"))
    assert not any(map(hall.arena.board, ("2-1-1", "1-1", "1-1-3", "", "x")))


async def test_a_list_is_made_once_as_long_as_nothing_changes_and_few_wait_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []

    def make(title: str, *_: object) -> str:
        made.append(title)
        return title

    monkeypatch.setattr(lists_module, "match_page", make)
    monkeypatch.setattr(kept_pages, "MOST_WAITING", 5)
    hall = Hall(ROBIN, played=results(ROBIN, units(ROBIN)[:2]))
    lists = MatchLists(hall.arena)
    pages = await asyncio.gather(*(lists.page("1/1", {}) for _ in range(8)), return_exceptions=True)
    assert [type(page) for page in pages] == [str] * 5 + [asyncio.QueueFull] * 3
    await lists.page("1/1", {"from": "1"})
    assert len(made) == 1
    hall.arena.lobby.count()
    await lists.page("1/1", {})
    assert len(made) == 2


async def test_boards_that_are_kept_no_longer_are_shown_from_their_records(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(arena_module, "KEPT", 0)
    hall = Hall()
    for unit in units():
        await hall.play(unit)
    assert "1-1-1" not in hall.arena.games
    game = hall.arena.board("1-1-1")
    assert game is not None
    assert [len(table["cards"]) for table in game.document["tables"]] == [52, 52]


# What the lobby may not tell.


async def test_a_result_that_may_not_be_known_changes_nothing_in_the_lobby() -> None:
    """The open room is over, and the closed room has the board still to play."""
    lobbies = []
    for bid in ("1NT", "7NT"):
        hall = Hall(broadcast="board", tables=2)
        bots = {seat: Lowly({0: bid}) for seat in SEATS}
        open_room, closed_room, *_ = units()
        hall.arena.begun(1, closed_room, Board.dealt(1, closed_room.board))
        await hall.play(open_room, bots=bots)
        hall.arena.lobby.count()
        lobbies.append(state(hall))
        assert hall.arena.board("1-1-1") is None
        assert not hall.arena.known_of("1/1")
        await hall.end()
    one, other = lobbies
    assert one == other
    assert one["progress"] == "1 of 4 tables played"
    assert one["rounds"][0]["matches"][0]["boards"] == 0
    assert [table["shown"] for table in one["tables"]] == [None, None]


async def test_how_far_a_knock_out_is_does_not_tell_that_a_match_was_tied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cup = event(Format.KNOCK_OUT, 4, boards=1, deals=Deals.SAME)
    told = set()
    for points in (0, 600):
        held = results(cup, units(cup), points)
        hall = Hall(cup, broadcast="board", held=held)
        told.add(state(hall)["progress"])
        extra = units_after(cup, held)
        sent: list[Any] = []
        with monkeypatch.context() as patched:
            patched.setattr(hall.arena.lobby.channel, "change", sent.append)
            await hall.play(extra)
        assert not sent, "nor does it tell when a board of another draw begins and ends"
        told.add(state(hall)["progress"])
        await hall.end()
    assert told == {"4 of 6 tables played"}


def units_after(event: Event, played: Iterable[tuple[Unit, BoardRecord]]) -> Unit:
    """The first unit that is planned when these are played."""
    before = {unit.id: ended for unit, ended in played}
    planned = units_of(plan(event, before.values()))
    return next(unit for unit in planned if unit.id not in before)


# Tables.


async def test_a_felt_shows_who_sits_the_contract_and_the_tricks() -> None:
    hall = Hall()
    unit = units()[0]
    await hall.play(unit)
    (row,) = state(hall)["tables"]
    assert row["shown"] == {
        "board": 1,
        "round": 1,
        "lineup": [0, 1, 0, 1],
        "score": "",
        "isOver": True,
        "contract": "1NT",
        "declarer": "N",
        "result": row["shown"]["result"],
        "won": row["shown"]["won"],
        "trick": row["shown"]["trick"],
    }
    assert sum(row["shown"]["won"]) == 13
    assert len(row["shown"]["trick"]) == 4


async def test_felts_are_sent_at_a_bounded_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many tables play, and however quickly."""
    sent: list[Any] = []
    waited: list[float] = []
    sleep = asyncio.sleep

    async def note(seconds: float) -> None:
        waited.append(seconds)
        await sleep(0)

    hall = Hall(ROBIN, tables=24)
    monkeypatch.setattr(hall.arena.lobby.channel, "change", sent.append)
    monkeypatch.setattr(asyncio, "sleep", note)
    await asyncio.gather(*(hall.play(unit, table) for table, unit in enumerate(units(ROBIN))))
    felts = [row for change in sent for row in change.get("tables", []) if "shown" in row]
    seconds = waited.count(24 / lobby_module.FELTS_A_SECOND) * 24 / lobby_module.FELTS_A_SECOND
    assert 24 <= len(felts) <= lobby_module.FELTS_A_SECOND * seconds
    await hall.end()


async def test_whoever_comes_between_two_felts_sees_the_latest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lobby_module, "FELT_SECONDS", 600.0)
    hall = Hall()
    for unit in units():
        await hall.play(unit)
    assert state(hall)["tables"][0]["shown"]["board"] == 2
    await hall.end()


async def test_the_lobby_follows_the_closest_match_but_leaves_no_board() -> None:
    first, second = (
        next(unit for unit in units(ROBIN) if unit.match.number == number) for number in (1, 2)
    )
    played = results(ROBIN, [first, next(u for u in units(ROBIN) if u.id == "1/1/1/closed")], 600)
    hall = Hall(ROBIN, tables=2, played=played)
    assert state(hall)["featured"] == 0
    await hall.play(next(u for u in units(ROBIN) if u.id == "1/1/2/open"), 0)
    assert state(hall)["featured"] == 1, "the only one"
    await hall.play(second, 1)
    assert state(hall)["featured"] == 2, "nobody is ahead there"
    await hall.play(next(u for u in units(ROBIN) if u.id == "1/1/2/closed"), 0)
    assert state(hall)["featured"] == 2


async def test_the_lobby_follows_the_best_entry_to_another_table() -> None:
    """Although the table where it sat is still there, and finished."""
    club = event(Format.PAIRS, 6, boards=2)
    planned = units(club)
    first = next(unit for unit in planned if 0 in unit.lineup)
    second = next(unit for unit in planned if 0 in unit.lineup and unit.match != first.match)
    hall = Hall(club, tables=2)
    await hall.play(first, 0)
    assert state(hall)["featured"] == 1
    await hall.play(second, 1)
    assert state(hall)["featured"] == 2
    await hall.end()


@pytest.mark.parametrize(("scoring", "closest"), [(Scoring.IMPS, 1), (Scoring.TOTAL_POINTS, 2)])
async def test_the_closest_match_is_that_by_the_scoring_of_the_event(
    scoring: Scoring, closest: int
) -> None:
    """Ahead by 110 points on one board, 3 IMPs, or by 100 on two boards, 4 IMPs."""
    league = event(Format.ROUND_ROBIN, 4, boards=3, scoring=scoring)
    planned = {unit.id: unit for unit in units(league)}

    def both(match: str, position: int, points: int) -> list[tuple[Unit, BoardRecord]]:
        rooms = [planned[f"{match}/{position}/{room}"] for room in ("open", "closed")]
        return results(league, rooms, points)

    played = both("1/1", 1, 110) + both("1/2", 1, 50) + both("1/2", 2, 50)
    hall = Hall(league, tables=2, played=played)
    await hall.play(planned["1/1/2/open"], 0)
    await hall.play(planned["1/2/3/open"], 1)
    assert state(hall)["featured"] == closest
    await hall.end()

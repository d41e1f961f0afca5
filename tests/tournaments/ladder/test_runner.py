"""Tests of the run of a ladder: what is kept, whatever ends it, and who meets whom."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random

import pytest

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.ladder import attendance
from bridge_arena.tournaments.ladder.ladder_file import Registration
from bridge_arena.tournaments.ladder.leaderboard import leaderboard
from bridge_arena.tournaments.ladder.players import State
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.registration_store import Answer
from bridge_arena.tournaments.play.seating.seats import SeatingError
from bridge_arena.tournaments.play.venue import EventInPlay, VenueOptions
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.store import Store, StoreError
from tests.tournaments.ladder.ladders import (
    QuickVenue,
    Result,
    check_sums,
    ladder_file,
    matches_in,
    opened,
    play,
    venues,
)
from tests.tournaments.scores import lost, record

BOTS = "random", "baseline", "natural", "neural"


def drawn(event: Event, unit: Unit) -> BoardRecord:
    """A result that is the same whenever the unit is played; now and then a player is lost."""
    rng = Random(f"{event.name} {unit.id}")
    if rng.random() < 0.1:
        return lost(event, unit, rng.randrange(2))
    return record(event, unit, rng.randrange(-2000, 2000, 10))


def level(event: Event, unit: Unit) -> BoardRecord:
    return record(event, unit, 0)


def meetings(path: Path) -> list[tuple[str, str]]:
    """The matches that are over, by the names of their teams."""
    matches = dict(matches_in(path.parent))
    return [(matches[number][0].home, matches[number][0].visitors) for number in sorted(matches)]


BOARDS = 4


@pytest.mark.slow
def test_what_is_kept_is_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file(*BOTS, boards=BOARDS)).close()
    play(path, venues(drawn), 30 * BOARDS)
    assert len(meetings(path)) == 30
    assert {frozenset(pair) for pair in meetings(path)} >= {
        frozenset(("random", other)) for other in BOTS[1:]
    }
    check_sums(path, BOARDS)


class KilledError(Exception):
    """The end of a ladder in the middle of its play."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_lost_or_twice_whenever_it_ends(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file(*BOTS, boards=BOARDS)).close()
    rng = Random(seed)

    def dying() -> Result:
        left = count(rng.randrange(60), -1)

        def result(event: Event, unit: Unit) -> BoardRecord:
            if next(left) == 0:
                raise KilledError
            return drawn(event, unit)

        return result

    for _ in range(6):
        with pytest.raises(KilledError):
            play(path, venues(dying()), None)
    with closing(LadderStore.open(path)) as store:
        open_matches = len(store.open_matches())
    # What was begun is ended first.
    play(path, venues(drawn), open_matches * BOARDS)
    check_sums(path, BOARDS)


def test_no_player_is_in_two_matches_at_once(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file(*BOTS, boards=BOARDS)).close()
    at_play: Counter[str] = Counter()
    most = 0

    class Watched(QuickVenue):
        async def play(self, *arguments: object) -> None:
            nonlocal most
            names = [entrant.name for entrant in self._play.event.entries]
            at_play.update(names)
            assert max(at_play.values()) == 1
            most = max(most, at_play.total())
            await super().play(*arguments)  # type: ignore[arg-type]
            at_play.subtract(names)

    play(path, lambda play, _: Watched(play, level), 20 * BOARDS, concurrency=9)
    assert most == 4


@pytest.mark.slow
def test_orders_are_taken_up_between_matches(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file(*BOTS[:3], boards=BOARDS)).close()

    def ordered(event: Event, unit: Unit) -> BoardRecord:
        number = int(event.name.split()[-1])
        with closing(LadderStore.open(path)) as store:
            if number == 5:
                store.set_state("random", State.PAUSED)
                store.enter(Registration(Entrant(bot="neural", name="new")))
            elif number == 12:
                store.set_state("natural", State.RETIRED)
                store.set_state("random", State.ACTIVE)
        return level(event, unit)

    play(path, venues(ordered), 30 * BOARDS, concurrency=1)
    teams = meetings(path)
    assert not any("random" in pair for pair in teams[5:12])
    assert any("random" in pair for pair in teams[12:])
    assert not any("natural" in pair for pair in teams[12:])
    assert not any("new" in pair for pair in teams[:5])
    assert any("new" in pair for pair in teams[5:])
    with closing(LadderStore.open(path)) as store:
        ranks = {row.player.name: row.rank for row in leaderboard(store).ranked}
    assert ranks == {"random": (1, 3), "baseline": (1, 3), "new": (1, 3), "natural": None}


def test_a_changed_program_is_a_new_version(tmp_path: Path) -> None:
    path, program = tmp_path / "results.sqlite", tmp_path / "bot.py"
    program.write_text("one = 1\n")
    bot = f"cmd:{shlex.quote(sys.executable)} bot.py"
    opened(path, ladder_file(bot, "random", boards=BOARDS, home=tmp_path)).close()

    def changing(event: Event, unit: Unit) -> BoardRecord:
        if event.name == "Club 3":
            program.write_text("other = 2\n")
        return record(event, unit, 100 if unit.room is Room.OPEN else 0)

    play(path, venues(changing), 5 * BOARDS, concurrency=1)
    with closing(LadderStore.open(path)) as store:
        players, versions, sums = store.players(), store.versions(), store.sums()
        assert [players[one.player].name for one in versions.values()] == [
            players[1].name,
            "random",
            players[1].name,
        ]
        assert len({one.identity for one in versions.values()}) == 3
        assert {pair: one.matches for pair, one in sums.items()} == {(1, 2): 3, (2, 3): 2}
        board = leaderboard(store)
    assert {row.player.name: row.version.number for row in board.ranked} == {
        players[1].name: 3,
        "random": 2,
    }


@pytest.mark.slow
def test_a_match_of_a_version_that_is_gone_ends_with_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("random", "baseline", boards=BOARDS)).close()

    def dying(event: Event, unit: Unit) -> BoardRecord:
        if unit.position == 3:
            raise KilledError
        return record(event, unit, 100 if unit.room is Room.OPEN else 0)

    with pytest.raises(KilledError):
        play(path, venues(dying), None)
    with closing(LadderStore.open(path)) as store:
        store.enter(Registration(Entrant(bot="baseline", name="baseline", clock="5")))
    play(path, venues(level), BOARDS)
    with closing(LadderStore.open(path)) as store:
        assert {pair: one.boards for pair, one in store.sums().items()} == {(1, 2): 2, (1, 3): 4}
        assert not store.open_matches()
    with closing(Store.open(path, "Club 1")) as match:
        commitment = match.commitment()
    assert commitment is not None
    assert commitment.key is not None


def test_a_match_that_ends_without_a_board_is_no_tie(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("random", "baseline", "natural", boards=BOARDS)).close()

    def dying(_event: Event, _unit: Unit) -> BoardRecord:
        raise KilledError

    with pytest.raises(KilledError):
        play(path, venues(dying), None)
    with closing(LadderStore.open(path)) as store:
        (match,) = store.open_matches()
        home, visitors = (store.players()[one].name for one in match.versions)
        store.set_state(home, State.RETIRED)
    said, *_ = play(path, venues(level), BOARDS)
    assert said == f"match 1: {home} and {visitors} end it without a board"


@pytest.mark.slow
def test_nothing_waits_for_a_program_that_cannot_start(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file(*BOTS, boards=BOARDS)).close()

    class Failing(QuickVenue):
        async def seat(self, units: Iterable[Unit]) -> None:
            await super().seat(units)
            if any(entrant.name == "neural" for entrant in self._play.event.entries):
                error = SeatingError("bot neural (N) ended before it sat down")
                error.player = "neural"
                raise error

    seconds = count()
    said = play(
        path, lambda play, _: Failing(play, level), 60 * BOARDS, clock=lambda: next(seconds) / 4
    )
    assert any("neural cannot play: bot neural (N) ended" in line for line in said)
    teams = meetings(path)
    assert not any("neural" in pair for pair in teams)
    assert {frozenset(pair) for pair in teams} == {
        frozenset(pair)
        for pair in (("random", "baseline"), ("random", "natural"), ("baseline", "natural"))
    }
    assert sum("cannot play" in line for line in said) == 1
    with closing(LadderStore.open(path)) as store:
        assert [alert.subject for alert in store.alerts.in_force()] == ["neural"]


def test_who_asks_to_be_an_author_is_told_until_there_is_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with closing(opened(path, ladder_file("baseline", "random"))) as store:
        store.registration.ask("hash", "Zoë", "Zed", "", "a secret of hers")
        play(path, venues(level), 1)
        told = "1 request to become an author: approve or refuse"
        assert [(alert.kind, alert.text) for alert in store.alerts.in_force()] == [
            ("request", told)
        ]
        store.registration.answer(1, Answer.REFUSED)
        play(path, venues(level), 1)
        assert store.alerts.in_force() == []


def test_a_left_board_counts_against_who_left_it(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("random", "baseline", boards=BOARDS)).close()

    def leaving(event: Event, unit: Unit) -> BoardRecord:
        if unit.position == 2 and unit.room is Room.OPEN:
            names = [entrant.name for entrant in event.entries]
            return lost(event, unit, names.index("random"))
        return level(event, unit)

    play(path, venues(leaving), BOARDS)
    with closing(LadderStore.open(path)) as store:
        (sums,) = store.sums().values()
        rows = {row.player.name: row for row in leaderboard(store).ranked}
    assert (sums.boards, sums.imps, sums.left) == (4, -3, (1, 0))
    assert rows["random"].figures.left_share == 0.25
    assert rows["baseline"].figures.left_share == 0


def test_a_player_that_left_too_many_boards_is_told_until_it_plays_a_match(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("random", "baseline", boards=4 * BOARDS)).close()

    def leaving(event: Event, unit: Unit) -> BoardRecord:
        if event.name == "Club 2":
            return lost(event, unit, [entrant.name for entrant in event.entries].index("random"))
        return level(event, unit)

    said = play(path, venues(leaving), 2 * 4 * BOARDS, concurrency=1)
    told = "random left too many boards of match 2"
    assert told in said
    with closing(LadderStore.open(path)) as store:
        assert [(alert.kind, alert.text) for alert in store.alerts.in_force()] == [("lost", told)]
    assert f"over: {told}" in play(path, venues(leaving), 4 * BOARDS, concurrency=1)


def test_a_match_goes_on_by_the_settings_with_which_it_began(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("random", "baseline", boards=BOARDS)).close()

    def dying(event: Event, unit: Unit) -> BoardRecord:
        if unit.position == 3:
            raise KilledError
        return level(event, unit)

    with pytest.raises(KilledError):
        play(path, venues(dying), None)
    opened(path, ladder_file("random", "baseline", boards=2)).close()
    play(path, venues(level), 4)
    with closing(LadderStore.open(path)) as store:
        (sums,) = store.sums().values()
    assert (sums.matches, sums.boards) == (2, BOARDS + 2)


def test_events_that_are_there_stay_as_they_are(tmp_path: Path) -> None:
    path, file = tmp_path / "results.sqlite", ladder_file("random", "baseline", boards=BOARDS)
    one, other = (registration.entrant for registration in file.registrations)
    event = file.definition.event(1, other, one)
    Store.create(path, event).close()
    with pytest.raises(StoreError, match="holds an event, and no ladder"):
        LadderStore.open(path, file.definition)
    store = LadderStore.open(f"sqlite:///{path}", file.definition)
    with closing(store), pytest.raises(StoreError, match="has another event 'Club 1'"):
        store.event_store(file.definition.event(1, one, other))


def test_no_player_is_given_the_secrets_of_another(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    robot = "http:http://localhost:1/,key=ROBOT_KEY"
    opened(path, ladder_file(robot, "random", "baseline", boards=2)).close()
    withheld = []

    def opens(play: EventInPlay, options: VenueOptions) -> QuickVenue:
        withheld.append(set(options.secrets))
        return QuickVenue(play, level)

    play(path, opens, 12)
    assert withheld == [{"ROBOT_KEY"}] * 6


@pytest.mark.slow
def test_a_subject_plays_all_matches_until_its_place_is_known(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file(*BOTS, boards=BOARDS)).close()
    strengths = dict(zip(BOTS, (3000, 0, 1000, 2000), strict=True))

    def by_strength(event: Event, unit: Unit) -> BoardRecord:
        home, visitors = (strengths[entrant.name] for entrant in event.entries)
        return record(event, unit, home - visitors if unit.room is Room.OPEN else 0)

    play(path, venues(by_strength), None, subject="natural")
    assert all("natural" in pair for pair in meetings(path))
    with closing(LadderStore.open(path)) as store:
        ranks = {row.player.name: row.rank for row in leaderboard(store).ranked}
    assert ranks == {"random": (1, 2), "neural": (1, 2), "natural": (3, 3), "baseline": (4, 4)}


@pytest.mark.slow
def test_a_subject_plays_on_until_its_margin_against_the_anchor_has_an_error(
    tmp_path: Path,
) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file(*BOTS, boards=BOARDS, anchors=["baseline"])).close()
    # It is never known which of two equals is stronger.
    strengths = dict(zip(BOTS, (0, 0, 500, 500), strict=True))

    def by_strength(event: Event, unit: Unit) -> BoardRecord:
        home, visitors = (strengths[entrant.name] for entrant in event.entries)
        return record(event, unit, home - visitors if unit.room is Room.OPEN else 0)

    for error in (3, 2):
        play(path, venues(by_strength), None, subject="natural", error=error)
        with closing(LadderStore.open(path)) as store:
            margin = leaderboard(store, "natural").margin
        assert margin is not None
        assert margin.mean == 11
        assert 0.9 * error < margin.error <= error
        assert margin.boards == BOARDS * sum("baseline" in pair for pair in meetings(path))
    teams = meetings(path)
    assert all("natural" in pair for pair in teams)
    against_anchor = sum("baseline" in pair for pair in teams)
    assert len(teams) / 2 <= against_anchor < len(teams)


def test_matches_of_a_subject_count_in_the_order_in_which_they_began(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file(*BOTS[:2], boards=BOARDS)).close()
    ended: defaultdict[int, asyncio.Event] = defaultdict(asyncio.Event)
    order = []

    class Slow(QuickVenue):
        async def play(self, *arguments: object) -> None:
            number = int(self._play.event.name.split()[-1])
            # Every odd match is over after the one that begins beside it.
            if number % 2:
                await ended[number + 1].wait()
            await super().play(*arguments)  # type: ignore[arg-type]
            order.append(number)
            ended[number].set()

    said = play(path, lambda play, _: Slow(play, level), 6 * BOARDS, subject="baseline")
    assert order[:2] == [2, 1]
    results = [line.partition(":")[0] for line in said if " tie over " in line]
    assert results == [f"match {number}" for number in range(1, 7)]
    check_sums(path, BOARDS)


def test_a_player_has_so_many_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attendance, "MOST_VERSIONS", 2)
    path, program = tmp_path / "results.sqlite", tmp_path / "bot.py"
    program.write_text("")
    bot = f"cmd:{shlex.quote(sys.executable)} bot.py"
    opened(path, ladder_file(bot, "random", "baseline", boards=2, home=tmp_path)).close()

    def changing(event: Event, unit: Unit) -> BoardRecord:
        program.write_text(event.name)
        return level(event, unit)

    said = play(path, venues(changing), 20, concurrency=1)
    assert any("it has had 2 versions, which are the most" in line for line in said)
    with closing(LadderStore.open(path)) as store:
        assert len(store.versions()) == 4


def test_the_last_version_that_has_met_nobody_gives_its_place_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attendance, "MOST_VERSIONS", 1)
    path, program = tmp_path / "results.sqlite", tmp_path / "mine"
    with closing(opened(path, ladder_file("cmd:./mine", "random", "baseline"))) as store:
        store.add_version(1, "one that has met nobody")
    program.write_text("a program")
    said = play(path, venues(level), 3 * BOARDS, concurrency=1)
    assert not any("cannot play" in line for line in said)
    assert "mine" in {name for pair in meetings(path) for name in pair}

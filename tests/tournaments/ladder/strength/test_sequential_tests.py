"""Tests of a ladder's tests: which boards count, whose turn it is, what is said in the end."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import count, pairwise
from pathlib import Path
from random import Random

import pytest

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import imps
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.ladder.ladder_file import Registration
from bridge_arena.tournaments.ladder.players import LadderError, State
from bridge_arena.tournaments.ladder.results import Results
from bridge_arena.tournaments.ladder.store.ladder_store import LadderMatch, LadderStore
from bridge_arena.tournaments.ladder.strength.sequential_tests import (
    GAP,
    LadderTest,
    Outcome,
    Turns,
)
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, PairSums
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.statistics.sequential import Sprt
from tests.tournaments.crossing import llr
from tests.tournaments.ladder.ladders import check_sums, ladder_file, opened, play, venues
from tests.tournaments.scores import record

BOTS = "random", "baseline", "natural", "neural"
BOARDS = 4
TEST = "imp0=0 imp1=4"
LONG = "imp0=0 imp1=0.01"


def score(event: str, names: list[str], position: int) -> int:
    """The score of the home team in the open room; `natural` gains on average."""
    luck = Random(f"{event} {position}").randrange(-400, 410, 10)
    return luck + 150 * ((names[0] == "natural") - (names[1] == "natural"))


def drawn(event: Event, unit: Unit) -> BoardRecord:
    names = [entrant.name for entrant in event.entries]
    is_open = unit.room is Room.OPEN
    return record(event, unit, score(event.name, names, unit.position) if is_open else 0)


def level(event: Event, unit: Unit) -> BoardRecord:
    return record(event, unit, 0)


def _play(folder: Path) -> None:
    path = folder / "results.sqlite"
    opened(path, ladder_file(*BOTS, boards=BOARDS)).close()
    play(path, venues(drawn), BOARDS)


@pytest.fixture
def path(tmp_path: Path, copy_of_made: Callable[[Callable[[Path], object], Path], None]) -> Path:
    """The store of a ladder whose players have come."""
    copy_of_made(_play, tmp_path)
    return tmp_path / "results.sqlite"


def ask(path: Path, new: str, base: str, sprt: str = TEST) -> LadderTest:
    with closing(LadderStore.open(path)) as store:
        known = {player.name: player for player in store.players().values()}
        return store.tests.ask(known[new], known[base], sprt)


def kept(path: Path) -> list[LadderTest]:
    with closing(LadderStore.open(path)) as store:
        return store.tests.every()


def matches(path: Path) -> list[LadderMatch]:
    with closing(LadderStore.open(path)) as store:
        return store.latest_matches(10_000)[::-1]


def swings(path: Path, test: LadderTest) -> list[int]:
    """The swings of a test's boards, seen from its new version, by what was played."""
    return [
        imps(score(f"Club {match.number}", [BOTS[one - 1] for one in match.versions], position))
        * (1 if match.home == test.new else -1)
        for match in matches(path)
        if {*match.versions} == {*test.versions} and match.number > test.last_match
        for position in range(1, BOARDS + 1)
    ]


def in_counts(swings: list[int]) -> tuple[int, ...]:
    return tuple(swings.count(swing) for swing in SWINGS)


@pytest.mark.slow
def test_a_test_ends_by_the_boards_that_were_drawn_after_it_was_asked_for(path: Path) -> None:
    play(path, venues(drawn), 6 * BOARDS, concurrency=1)
    asked = ask(path, "natural", "random")
    assert asked.last_match == len(matches(path)) == 7
    said = play(path, venues(drawn), 40 * BOARDS, concurrency=1)
    (test,) = kept(path)
    own = swings(path, test)
    # What is played after its end does not count.
    (boards,) = [
        number
        for number in range(BOARDS, len(own) + 1, BOARDS)
        if in_counts(own[:number]) == test.swings
    ]
    low, high = test.sprt.bounds
    after = [llr(test.sprt, own[:number]) for number in range(BOARDS, boards + 1, BOARDS)]
    assert all(low < ratio < high for ratio in after[:-1])
    assert after[-1] >= high
    assert test.outcome is Outcome.H1
    (line,) = [line for line in said if line.startswith("test 1")]
    assert "accepted H1: natural's gain against random is nearer +4 than +0" in line
    assert f"H1 accepted after {boards} boards, LLR {after[-1]:.2f} (-2.94 to 2.94)" in line
    check_sums(path, BOARDS)


@pytest.mark.slow
def test_every_third_match_is_for_a_test(path: Path) -> None:
    pairs = [{*ask(path, *names, LONG).versions} for names in (BOTS[1::2], BOTS[::2])]
    play(path, venues(level), 20 * BOARDS, concurrency=1, clock=lambda: 0)
    of_tests = [number for number, match in enumerate(matches(path)) if {*match.versions} in pairs]
    assert of_tests[0] == 1
    # Others meet in two matches between them, unless such a pair meets without a turn.
    assert max(later - one for one, later in pairwise(of_tests)) == 3
    # The second test has its turns while the versions of the first are at play.
    boards = [sum(test.swings) for test in kept(path)]
    play(path, venues(level), 16 * BOARDS, concurrency=2, clock=lambda: 0)
    assert all(
        sum(test.swings) >= before + 2 * BOARDS
        for test, before in zip(kept(path), boards, strict=True)
    )


def test_a_subject_plays_no_test(path: Path) -> None:
    ask(path, "random", "neural", LONG)
    play(path, venues(level), 3 * BOARDS, subject="natural")
    assert all(3 in match.versions for match in matches(path)[1:])


class KilledError(Exception):
    """The end of a ladder in the middle of its play."""


@pytest.mark.slow
def test_nothing_of_a_test_is_lost_or_counted_twice(path: Path) -> None:
    ask(path, "natural", "random", LONG)
    rng = Random(3)
    for _ in range(8):
        left = count(rng.randrange(60), -1)

        def dying(event: Event, unit: Unit) -> BoardRecord:
            if next(left) == 0:  # noqa: B023
                raise KilledError
            return drawn(event, unit)

        with pytest.raises(KilledError):
            play(path, venues(dying), None, clock=lambda: 0)
        (test,) = kept(path)
        boards = sum(test.swings)
        assert boards % BOARDS == 0
        assert test.swings == in_counts(swings(path, test)[:boards])
    assert boards > 4 * BOARDS


@pytest.mark.slow
def test_a_verdict_is_told_once_also_if_the_ladder_is_killed_before(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(path, "natural", "random")

    def dies(_: Results, test: LadderTest) -> None:
        raise KilledError(test.number)

    with monkeypatch.context() as killed:
        killed.setattr(Results, "tell", dies)
        with pytest.raises(KilledError):
            play(path, venues(drawn), None, concurrency=1)
    (test,) = kept(path)
    assert test.outcome is Outcome.H1
    told = [play(path, venues(drawn), BOARDS).count(test.text("natural", "random")) for _ in "12"]
    assert told == [1, 0]


def test_a_test_has_no_verdict_once_a_player_changes_or_goes(tmp_path: Path) -> None:
    path, program = tmp_path / "results.sqlite", tmp_path / "bot.py"
    program.write_text("one = 1\n")
    bot = f"cmd:{shlex.quote(sys.executable)} bot.py"
    file = ladder_file(bot, *BOTS[:3], boards=BOARDS, home=tmp_path)
    opened(path, file).close()
    play(path, venues(level), BOARDS)
    ask(path, file.registrations[0].entrant.name, "random")
    ask(path, "natural", "baseline")
    ask(path, "natural", "random")

    def changing(event: Event, unit: Unit) -> BoardRecord:
        program.write_text("other = 2\n")
        with closing(LadderStore.open(path)) as store:
            store.set_state("baseline", State.RETIRED)
        return level(event, unit)

    said = play(path, venues(changing), 6 * BOARDS, concurrency=1)
    assert [test.outcome for test in kept(path)] == [Outcome.VOID, Outcome.VOID, Outcome.OPEN]
    assert sum("has no verdict, as a player changed or does not come back" in x for x in said) == 2


@pytest.mark.parametrize(
    ("new", "base", "sprt", "message"),
    [
        ("natural", "natural", TEST, "natural cannot be better than itself: name two players"),
        ("natural", "neural", TEST, "neural is retired, and plays no test"),
        ("natural", "fastplay", TEST, "fastplay has not come yet: ask when it has"),
        ("random", "natural", TEST, "test 1 of random and natural is open already"),
        ("natural", "baseline", "imp1=0.5 impl=1", "'impl=1' is none of imp0="),
        ("natural", "baseline", "imp0=1", "imp1=0.5 must be above imp0=1"),
    ],
)
def test_what_cannot_be_tested_is_refused(
    path: Path, new: str, base: str, sprt: str, message: str
) -> None:
    ask(path, "natural", "random")
    with closing(LadderStore.open(path)) as store:
        store.enter(Registration(Entrant(bot="fastplay", name="fastplay")))
        store.set_state("neural", State.RETIRED)
    with pytest.raises((LadderError, ValueError), match=message):
        ask(path, new, base, sprt)
    assert len(kept(path)) == 1


def test_a_test_that_is_over_stays_as_it_is(path: Path) -> None:
    ask(path, "natural", "random")
    with closing(LadderStore.open(path)) as store:
        assert store.tests.end(1, Outcome.WITHDRAWN)
        assert not store.tests.end(1, Outcome.VOID)
        assert not store.tests.end(2, Outcome.WITHDRAWN)
    play(path, venues(drawn), 10 * BOARDS)
    (test,) = kept(path)
    assert (test.outcome, sum(test.swings)) == (Outcome.WITHDRAWN, 0)
    assert "natural against random was withdrawn. SPRT" in test.text("natural", "random")
    # It may be asked for again.
    assert ask(path, "random", "natural").number == 2


def between(new: int, base: int, number: int = 1) -> LadderTest:
    nothing = (0,) * len(SWINGS)
    return LadderTest(number, new, base, Sprt(), 0, "", nothing, Outcome.OPEN, None)


def test_whose_turn_it_is() -> None:
    turns = Turns()
    first, second = tests = [between(1, 2), between(3, 4, 2)]
    there, playing = [1, 2, 3, 4, 5], [(1, 6)]
    assert turns.turn(tests, there, playing, [(1, 6), (3, 5)], 0) is first
    # The next two matches are for others.
    assert turns.turn(tests, there, playing, [(1, 2), (1, 6)], 0) is None
    assert turns.turn(tests, there, playing, [(1, 6), (3, 4)], 0) is None
    # The second test has its turn while the first is played.
    assert turns.turn(tests, there, [(1, 2)], [(3, 5), (1, 6)], 0) is second
    # Between two matches a version may connect again, but nobody waits for long.
    assert turns.turn(tests[:1], there[1:], [], [], GAP - 1) is first
    assert turns.turn(tests[:1], there[1:], [], [], GAP) is None


def test_a_test_leaves_its_versions_to_nobody_else() -> None:
    # Nobody meets 2 until 1 is free.
    assert between(1, 2).leaves([2, 3, 4, 5]) == [3, 4, 5]
    assert between(1, 2).leaves([1, 2, 3]) == [1, 2]


def test_a_match_of_a_test_counts_from_the_side_of_the_new_version() -> None:
    sums = PairSums(in_counts([3, -1, -1]))
    assert between(2, 1).with_match(sums).swings == in_counts([3, -1, -1])
    worse = between(2, 1).with_match(PairSums(in_counts([-6, 2] * 400)))
    assert worse.outcome is Outcome.H0

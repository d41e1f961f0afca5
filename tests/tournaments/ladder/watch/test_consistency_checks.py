"""Consistency checks: who changes behind a version is told, and nobody else."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

import pytest

from bridge_arena.base.stopping import Stop
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.store.alert_store import Kind
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.watch import consistency_checks
from bridge_arena.tournaments.ladder.watch.alerts import Alerts
from bridge_arena.tournaments.ladder.watch.consistency_checks import BOARDS, ConsistencyChecks
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.local_venue import LocalVenue
from bridge_arena.tournaments.schedule.units import Unit
from tests.tournaments.ladder.ladders import check_sums, ladder_file, opened, play, venues
from tests.tournaments.scores import lost, record

CALLS = [Call(text) for text in ("Pass", "1C", "1NT")]


def is_check(event: Event) -> bool:
    """Whether an event is a check: no player of these ladders is called baseline."""
    return event.entries[1].name == "baseline"


class Program:
    """A program that calls by chance, or as a seed and the board have it."""

    def __init__(self, seed: Callable[[int], int | None], *, leaves: bool = False) -> None:
        self.seed = seed  # that of a check, by the number of checks so far
        self.leaves = leaves
        self._checks = -1
        self._by_chance = Random(1)

    def __call__(self, event: Event, unit: Unit) -> BoardRecord:
        if not is_check(event):
            return record(event, unit, 10 * Random(f"{event.name} {unit.id}").randrange(90))
        if self.leaves:
            return replace(lost(event, unit, 0), adjusted=None)
        self._checks += unit.id == "1/1/1/open"
        seed = self.seed(self._checks)
        rng = self._by_chance if seed is None else Random(f"{seed} {unit.id}")
        calls = tuple(MadeCall(rng.choice(CALLS)) for _ in range(20))
        return replace(record(event, unit, 0), calls=calls)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store of a ladder of a program that the arena starts, and of a bot that ships."""
    monkeypatch.setattr(consistency_checks, "EVERY", 4)
    (tmp_path / "mine").write_text("a program")
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("cmd:./mine", "random")).close()
    return path


def played(path: Path, program: Program) -> tuple[list[str], bool]:
    """Play 20 matches; return what the alerts say, and whether it is marked."""
    said = play(path, venues(program), 40)
    check_sums(path, 2)
    with closing(LadderStore.open(path)) as store:
        alerts = [alert.text for alert in store.alerts.in_force() if alert.kind is Kind.VERSION]
        changed = store.consistency.changed()
        kept = store.consistency.checks(1)
        assert not store.consistency.checks(2)  # it ships
    assert len(kept) >= 5
    assert len({check.key for check in kept}) == 1
    assert sum(text in said for text in alerts) == len(alerts)
    return alerts, 1 in changed


@pytest.mark.slow
def test_a_program_that_plays_on_as_it_did_is_not_accused(path: Path) -> None:
    assert played(path, Program(lambda _: 1)) == ([], False)


@pytest.mark.slow
def test_a_program_that_plays_by_chance_is_not_accused(path: Path) -> None:
    assert played(path, Program(lambda _: None)) == ([], False)


def test_a_program_that_changes_behind_its_version_is_marked(path: Path) -> None:
    (text,), is_marked = played(path, Program(lambda check: 1 if check < 3 else 2))
    assert text.startswith("mine does not play any more as its version ")
    assert is_marked
    # With another version nothing is wrong any more.
    (path.parent / "mine").write_text("another program")
    play(path, venues(Program(lambda _: 2)), 2)
    with closing(LadderStore.open(path)) as store:
        assert not store.alerts.in_force()
        assert len(store.versions()) == 3


def test_who_leaves_the_boards_of_checks_is_told(path: Path) -> None:
    said = play(path, venues(Program(lambda _: 1, leaves=True)), 20)
    assert said.count("mine left 3 boards of a consistency check") > 1


BOT = """\
from pathlib import Path

from bridge_arena.bots.natural.bot import NaturalBot


class Mine(NaturalBot):
    def call(self, view):
        if Path(__file__).with_name("changed").exists():
            return view.legal_calls()[0]
        return super().call(view)
"""


@pytest.mark.slow
async def test_a_real_program_plays_the_same_boards_again(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BOT)
    path = tmp_path / "results.sqlite"
    with closing(opened(path, ladder_file("mine.py:Mine", "random", home=tmp_path))) as store:
        alerts = Alerts(store, EventLog(), lambda _: None)
        checks = ConsistencyChecks(store.consistency, store.definition(), alerts)
        player = store.players()[1]
        version = store.add_version(1, "a")
        for number in count(1):
            await checks.play(
                player, version.number, checks.event(player, number), LocalVenue, Stop()
            )
            checks.look(player, version)
            if number == 3:
                assert not store.alerts.in_force()
                (tmp_path / "changed").touch()
            elif number > 3 and store.alerts.in_force():
                break
            assert number < 6
        plays = [check.plays for check in store.consistency.checks(version.number)]
    assert plays[0] == plays[1] == plays[2] != plays[3]
    assert len(plays[0]) == 2 * BOARDS
    assert None not in plays[0]

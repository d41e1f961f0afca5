"""`arena ladder audit`: what it counts, and whom it accuses."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Container
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat
from bridge_arena.commands.ladder.audit import audit, audit_text
from bridge_arena.oracle import DEADLINE, pool
from bridge_arena.oracle.errors import WorkerError
from bridge_arena.recorded.audit.decisions import Decision
from bridge_arena.recorded.audit.judge import Finding
from bridge_arena.tournaments import EventLog
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.store.alert_store import Kind
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.watch.alerts import Alerts
from bridge_arena.tournaments.schedule.units import Unit
from tests.recorded.audit.boards import played
from tests.server.tables import WEST_PLAYS_FOUR_HEARTS
from tests.tournaments.ladder.ladders import ladder_file, opened, play, venues
from tests.tournaments.scores import record

BOARDS, MATCHES = 2, 22
BOTS = "random", "baseline"
GAMES = played(WEST_PLAYS_FOUR_HEARTS)


def with_cards(event: Event, unit: Unit) -> BoardRecord:
    """West plays four hearts on each board."""
    own = record(event, unit)
    return replace(
        GAMES,
        **{name: getattr(own, name) for name in ("players", "event", "room", "home", "visitors")},
        **{name: getattr(own, name) for name in ("round", "table")},
        board=replace(GAMES.board, number=own.board.number),
    )


class Guessing:
    """Finds that one player gains on each of its cards as declarer, and dies when it is told."""

    workers = 1
    left = count()
    lucky = ""
    deadly: Container[str] = ()  # the events over which workers die

    def __init__(self, workers: int, deadline: float) -> None:
        assert (workers, deadline) == (1, DEADLINE)

    def __enter__(self) -> Guessing:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(
        self, _: Callable[..., object], decision: Decision, __: int
    ) -> Future[Finding | None]:
        if next(self.left) == 0:
            raise KeyboardInterrupt
        if decision.record.event in self.deadly:
            raise WorkerError("a worker died")
        is_lucky = decision.record.players[decision.seat] == self.lucky
        answer: Future[Finding | None] = Future()
        is_card = decision.seat is Seat.WEST and decision.action == len(decision.record.calls) + 3
        answer.set_result(Finding("S2", "DK", 3.0, 0.1) if is_lucky and is_card else None)
        return answer


@pytest.fixture(scope="module")
def played_ladder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Only to be copied."""
    folder = tmp_path_factory.mktemp("ladder")
    path = folder / "results.sqlite"
    opened(path, ladder_file(*BOTS, boards=BOARDS)).close()
    play(path, venues(with_cards), MATCHES * BOARDS)
    return folder


@pytest.fixture
def ladder(played_ladder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played_ladder, tmp_path, dirs_exist_ok=True))


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch) -> type[Guessing]:
    monkeypatch.setattr(pool, "Oracle", Guessing)
    monkeypatch.setattr(Guessing, "left", count(1))
    monkeypatch.setattr(Guessing, "lucky", "")
    return Guessing


@pytest.mark.slow
def test_who_is_lucky_too_often_is_accused_for_ever(
    ladder: Path, oracle: type[Guessing], capsys: pytest.CaptureFixture[str]
) -> None:
    oracle.lucky = "random"
    audit(str(ladder))
    said = capsys.readouterr().out
    assert "random (" in said
    assert "surely sees more than it should, by the audit of " in said
    last = said.splitlines()[-1]
    assert last.startswith(
        f"audited: {MATCHES} of {MATCHES} matches; surely sees more than it should: random (since "
    )
    with closing(LadderStore.open(ladder / "results.sqlite")) as store:
        (alert,) = store.alerts.in_force()
        assert (alert.kind, alert.subject) == (Kind.AUDIT, "random")
        counts = store.audits.counts()
        # All boards of a match are one deal here.
        assert {int(of_kind.sum()) for own in counts.values() for of_kind in own.values()} == {
            MATCHES
        }
    lines = [json.loads(line) for line in (ladder / "log.jsonl").read_text().splitlines()]
    assert [line["subject"] for line in lines if line["event"] == "alert"] == ["random"]
    # However unlucky it is from now on.
    oracle.lucky = ""
    play(ladder / "results.sqlite", venues(with_cards), 12 * BOARDS)
    audit(str(ladder))
    assert "audited: 34 of 34 matches" in capsys.readouterr().out
    with closing(LadderStore.open(ladder / "results.sqlite")) as store:
        assert "random (since" in audit_text(store)


@pytest.mark.slow
def test_an_interrupted_audit_counts_nothing_twice(
    ladder: Path, oracle: type[Guessing], capsys: pytest.CaptureFixture[str]
) -> None:
    oracle.lucky = "random"
    for questions in (40, 900, 1500):
        oracle.left = count(questions, -1)
        with pytest.raises(Exception, match="go on with: arena ladder audit"):
            audit(str(ladder))
    with closing(LadderStore.open(ladder / "results.sqlite")) as store:
        assert 0 < store.audits.audited() < MATCHES
        left = store.audits.left()
        assert left == list(range(left[0], MATCHES + 1))
    oracle.left = count(1)
    audit(str(ladder))
    assert f"audited: {MATCHES} of {MATCHES} matches" in capsys.readouterr().out
    with closing(LadderStore.open(ladder / "results.sqlite")) as store:
        for own in store.audits.counts().values():
            assert {int(of_kind.sum()) for of_kind in own.values()} == {MATCHES}
        assert not store.audits.add(1, {})


def test_a_match_that_cannot_be_judged_keeps_no_other_from_it(
    ladder: Path,
    oracle: type[Guessing],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(oracle, "deadly", {"Club 3"})
    audit(str(ladder))
    assert capsys.readouterr().err == "arena: match 3 cannot be audited: a worker died\n"
    with closing(LadderStore.open(ladder / "results.sqlite")) as store:
        assert store.audits.left() == [3]


@pytest.mark.usefixtures("oracle")
def test_when_the_time_is_over_the_rest_waits(
    ladder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = count(0, 10)
    monkeypatch.setattr("time.monotonic", lambda: next(seconds))
    audit(str(ladder), time_="40s")
    with closing(LadderStore.open(ladder / "results.sqlite")) as store:
        assert 0 < store.audits.audited() < MATCHES


def test_a_ladder_that_is_played_tells_of_it(ladder: Path, oracle: type[Guessing]) -> None:
    oracle.lucky = "random"
    said: list[str] = []
    with (
        closing(LadderStore.open(ladder / "results.sqlite")) as store,
        store.locked(),
        EventLog(ladder / "log.jsonl") as log,
    ):
        alerts = Alerts(store, log, said.append)
        audit(str(ladder))
        alerts.look()
    assert len(said) == 1
    assert "surely sees more than it should" in said[0]
    assert '"event": "alert"' in (ladder / "log.jsonl").read_text()

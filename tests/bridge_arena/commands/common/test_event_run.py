"""How the play of an event ends for whoever runs its command."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.base.stopping import Stop, StoppedError
from bridge_arena.commands.common.errors import (
    FailedError,
    InterruptedCommandError,
    UnusableError,
)
from bridge_arena.commands.common.event_run import EventRun
from bridge_arena.commands.common.matches import set_up
from bridge_arena.oracle.errors import WorkerError
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_files import LOG, STORE
from bridge_arena.tournaments.store import Store
from tests.tournaments.played_events import remote_match
from tests.tournaments.scores import event

SET_UP = set_up("random", "baseline", count=1).event


def test_an_event_can_go_on_after_the_end_of_a_worker(tmp_path: Path) -> None:
    def broken(*_: object) -> object:
        raise WorkerError("a worker ended")

    with EventRun(lambda _: "arena again", tmp_path) as run:
        run.go_on(Store.create(tmp_path / STORE, remote_match("a", "b")))
        with pytest.raises(FailedError, match=r"^a worker ended; go on with: arena again$"):
            run.play("", 4, lambda _: "", broken)  # type: ignore[arg-type]
    assert (tmp_path / STORE).exists()


def test_an_event_that_is_stopped_says_how_to_go_on(tmp_path: Path) -> None:
    def stopped(*_: object) -> object:
        raise StoppedError

    with EventRun(lambda _: "arena again", tmp_path, stop=Stop()) as run:
        run.go_on(Store.create(tmp_path / STORE, remote_match("a", "b")))
        with pytest.raises(InterruptedCommandError, match=r"^stopped; go on with: arena again$"):
            run.play("", 4, lambda _: "", stopped)  # type: ignore[arg-type]
    assert (tmp_path / "match.pbn").exists()
    assert '"event": "interrupted"' in (tmp_path / LOG).read_text().splitlines()[-1]


def test_a_match_that_a_command_set_up_goes_on(tmp_path: Path) -> None:
    Store.create(tmp_path / STORE, SET_UP).close()
    with EventRun(lambda _: "arena again", tmp_path) as run:
        assert run.go_on_with_match() == SET_UP


@pytest.mark.parametrize(
    ("other", "of_file"), [(event(Format.SWISS, 4), False), (SET_UP, True)], ids=["Swiss", "match"]
)
def test_an_event_of_a_file_goes_on_only_with_the_file(
    other: Event, tmp_path: Path, *, of_file: bool
) -> None:
    """Its programs would be looked for in the folder of the command."""
    Store.create(tmp_path / STORE, other, of_file=of_file).close()
    with (
        EventRun(lambda _: "arena again", tmp_path) as run,
        pytest.raises(UnusableError, match=r"holds the event of a file: go on with arena tourn"),
    ):
        run.go_on_with_match()

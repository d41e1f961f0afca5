"""The command that goes on with what is in a folder: it has the options that were given."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bridge_arena.commands.common.errors import InterruptedCommandError, UnusableError
from bridge_arena.commands.common.event_run import EventRun
from bridge_arena.commands.lab.bidding import resume_lab
from bridge_arena.commands.lab.card_play import begin
from bridge_arena.commands.llm_bench import llm_bench
from bridge_arena.commands.match import match
from bridge_arena.commands.play import play
from bridge_arena.commands.serve import serve
from bridge_arena.commands.tournament import tournament
from bridge_arena.tournaments.schedule.event_files import STORE

EVENT = """
[event]
name = "Cup"
format = "match"
boards = 1
seed = 1
practice = true

[[entry]]
bot = "random"

[[entry]]
bot = "baseline"
"""

DASK = "tcp://127.0.0.1:8786"


def lab(bidders: list[str], out: Path, workers: int | None = None) -> None:
    with EventRun(partial(resume_lab, workers=workers), out) as run:
        begin(run, bidders, 1, None, 1, None)


@pytest.mark.parametrize(
    ("command", "given", "options", "expected"),
    [
        (tournament, [Path("cup.toml")], {}, "tournament cup.toml --out out --resume"),
        (
            tournament,
            [Path("cup.toml")],
            {"concurrency": 1, "pace": 2.0, "port": 7799},
            "tournament cup.toml --out out --resume --concurrency 1 --pace 2.0 --port 7799",
        ),
        (
            serve,
            [Path("cup.toml")],
            {"concurrency": 2, "pace": 0.5, "port": 0},
            "serve cup.toml --out out --resume --port 0 --concurrency 2 --pace 0.5",
        ),
        (match, ["random", "baseline"], {}, "match --resume out"),
        (
            match,
            ["random", "baseline"],
            {"concurrency": 1, "pace": 1.0, "port": 7799, "web": True},
            "match --resume out --concurrency 1 --pace 1.0 --port 7799 --web",
        ),
        (play, [], {"pace": 1.0, "hints": True}, "play --resume out --hints --pace 1.0"),
        (llm_bench, [["toy"]], {"concurrency": 1}, "llm-bench --resume out --concurrency 1"),
        (lab, [["random", "baseline"]], {"workers": 1}, "lab --resume out --workers 1"),
    ],
)
def test_the_command_to_go_on_has_the_options_that_were_given(
    command: Callable[..., None],
    given: Sequence[object],
    options: Mapping[str, Any],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cup.toml").write_text(EVENT)
    Path("out").mkdir()
    (Path("out") / STORE).touch()
    with pytest.raises(UnusableError) as raised:
        command(*given, out=Path("out"), **options)
    assert str(raised.value).endswith(f"or go on with arena {expected}")


class LeftWhileTheReportLoads:
    """Somebody presses Ctrl-C while the modules of the report are imported."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "bridge_arena.commands.common.reporting":
            raise KeyboardInterrupt


def test_the_command_to_go_on_is_told_while_the_report_of_a_match_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bridge_arena.commands.common.event_run.EventRun.play", lambda *_: None)
    monkeypatch.delitem(sys.modules, "bridge_arena.commands.common.reporting", raising=False)
    monkeypatch.setattr(sys, "meta_path", [LeftWhileTheReportLoads(), *sys.meta_path])
    with pytest.raises(InterruptedCommandError) as raised:
        match("random", "baseline", boards=1, out=Path("out"))
    assert str(raised.value) == "interrupted; go on with: arena match --resume out"

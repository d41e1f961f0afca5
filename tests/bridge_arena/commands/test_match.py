"""`arena match`: what is refused before a bot is started, and the score while it is played."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.commands.common.matches import LONGEST_NAME, RunningScore
from bridge_arena.commands.common.web import PeopleOptions
from bridge_arena.commands.main import DONE, UNUSABLE, run
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_files import STORE
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.store import Store
from tests.tournaments.scores import event, record, units_of

MATCH = event(Format.MATCH, 2, boards=4)


@pytest.mark.parametrize(
    ("team", "why"),
    [
        ("Ли=random", "'Ли' has no letter of Latin-1"),
        ("?=random", "'?' has no letter of Latin-1"),
        (f"{'x' * 201}=random", "is a name of 201 characters"),
        (f"{'♠' * 101}=random", "is a name of 202 characters"),
        (f"cmd:bot {'-v ' * 99}", "is a name of 300 characters"),
    ],
)
def test_a_name_that_the_results_cannot_tell_is_refused(
    team: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["match", "baseline", team, "--out", str(tmp_path / "run")]) == UNUSABLE
    error = capsys.readouterr().err
    assert why in error
    assert error.endswith("name it by TITLE=BOT\n")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("bot", "why"), [("mine.py:Mien", "mine.py has no class Mien"), ("no.py:Mine", "no file no.py")]
)
def test_a_class_that_is_not_there_is_told_before_anything_begins(
    bot: str,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("class Mine: pass\n")
    assert run(["match", bot, "baseline", "--out", "run"]) == UNUSABLE
    assert why in capsys.readouterr().err
    assert not Path("run").exists()


def test_only_people_take_something_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    assert run(["match", "natural", "baseline", "--undo", "--out", str(folder)]) == UNUSABLE
    assert "--undo: only where people play" in capsys.readouterr().err
    assert not folder.exists()
    monkeypatch.setattr("bridge_arena.commands.common.matches.play_match", lambda *_: None)
    team = "Us=natural & human:Ann & natural & natural"
    words = ["match", team, "natural", "--undo", "--web", "--out", str(folder)]
    assert run(words) == DONE
    with closing(Store.open(folder / STORE)) as store:
        assert store.event().undo
    assert run(["match", "--resume", str(folder), "--undo"]) == UNUSABLE
    assert "as it was set up" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "again"),
    [
        ([], "arena play --no-browser"),
        (
            ["--partner", "fastplay", "--against", "natural & random", "--boards", "2", "--undo"],
            "arena play --partner fastplay --against 'natural & random' --boards 2 --undo "
            "--no-browser",
        ),
        (["--boards-from", "gone.pbn"], ""),
    ],
)
def test_the_command_for_another_match_follows_from_the_match(
    words: list[str], again: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it is there after the match went on, too."""
    shown: list[str] = []

    def note(*given: object) -> None:
        (people,) = (each for each in given if isinstance(each, PeopleOptions))
        shown.append(people.again)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bridge_arena.commands.common.matches.play_match", note)
    Path("gone.pbn").write_text(
        '[Deal "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"]\n'
    )
    options = [word for word in words if word == "--undo"]
    assert run(["play", *words, "--no-browser", "--out", "m"]) == DONE
    Path("gone.pbn").unlink()
    assert run(["play", "--resume", "m", *options, "--no-browser"]) == DONE
    assert shown[-1] == again
    assert shown[0] == again or words[0] == "--boards-from"


def test_the_number_behind_a_name_does_not_make_it_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridge_arena.commands.common.matches.play_match", lambda *_: None)
    team = f"{'x' * LONGEST_NAME}=random"
    assert run(["match", team, team, "--no-control", "--out", str(tmp_path / "run")]) == DONE


@pytest.mark.parametrize("command", [["match"], ["play", "--partner"], ["lab", "--play"]])
def test_more_boards_than_a_match_can_have_are_refused(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bots = ["random"] if command[0] == "play" else ["natural", "baseline"]
    words = [*command, *bots, "--boards", "100001", "--out", str(tmp_path / "run")]
    assert run(words) == UNUSABLE
    text = "arena: a match has 100,000 boards at most, not 100,001: see --boards\n"
    assert capsys.readouterr().err == text
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("command", ["match", "play", "lab"])
def test_only_a_match_goes_on_as_one(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Store.create(tmp_path / STORE, event(Format.ROUND_ROBIN, 3)).close()
    assert run([command, "--resume", str(tmp_path)]) == UNUSABLE
    told = capsys.readouterr()
    assert told.out == ""
    go_on = f"go on with arena tournament EVENT.toml --out {tmp_path} --resume, or with arena serve"
    assert go_on in told.err


def test_the_score_counts_a_board_when_both_rooms_have_finished_it() -> None:
    points = (110, 80, 140, 140, 80, 140)  # +1 IMP, level, -2 IMPs
    records = [
        record(MATCH, unit, each)
        for unit, each in zip(units_of(plan(MATCH, [])), points, strict=False)
    ]
    score = RunningScore()
    assert [score.after(each) for each in records] == [
        "+0 IMPs after 0 boards",
        "+1 IMP after 1 board",
        "+1 IMP after 1 board",
        "+1 IMP after 2 boards",
        "+1 IMP after 2 boards",
        "-1 IMP after 3 boards",
    ]


def test_a_match_that_goes_on_takes_no_seconds_to_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They belong to its set-up, as its clock does."""
    assert run(["match", "--resume", str(tmp_path), "--start", "5"]) == UNUSABLE
    assert "--resume goes on with a match as it was set up" in capsys.readouterr().err

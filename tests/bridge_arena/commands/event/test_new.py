"""`arena event new`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.event.check import check
from bridge_arena.commands.event.new import new
from bridge_arena.tournaments import Format
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.event_file import read_event


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("spring-cup.toml")


def answer(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Give answers, and then no more."""
    left: Iterator[str] = iter(lines)

    def line(_prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", line)


def written(file: Path) -> Event:
    return read_event(file).event


def test_the_defaults_are_a_round_robin_of_bots_that_ship(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new(file, yes=True)
    event = written(file)
    assert (event.name, event.format, event.boards, event.clock) == (
        *("Spring cup", Format.ROUND_ROBIN),
        *(16, "60"),
    )
    assert [entrant.bot for entrant in event.entries] == [
        "natural",
        "baseline",
        "minimax",
        "random",
    ]
    assert "arena event check spring-cup.toml" in capsys.readouterr().out
    check(file)
    assert capsys.readouterr().out.startswith("Spring cup: round-robin, scored by vp, 4 entries")


def test_what_is_commented_out_can_be_taken_in(file: Path) -> None:
    new(file, yes=True)
    text = file.read_text()
    for key in ("seed =", "deals =", "isolation =", "[policies]", "restarts ="):
        assert f"\n# {key}" in text
        text = text.replace(f"\n# {key}", f"\n{key}")
    head, policies, tail = text.partition("[policies]")
    file.write_text(f"{head}{policies}{tail}")
    assert written(file).policies.restarts == 3
    assert written(file).seed == 1


@pytest.mark.parametrize("format_", list(Format))
def test_each_format_has_entries_by_default_that_can_play_it(
    file: Path, monkeypatch: pytest.MonkeyPatch, format_: Format
) -> None:
    answer(monkeypatch, format_, "", "", "")
    new(file)
    assert written(file).format is format_


def test_answers_are_asked_for_again_until_they_can_be_used(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = ('cmd:"my bot" --deep', "natural")
    answer(
        monkeypatch,
        *("chess", "match"),
        *("natural", "", *entries, ""),
        *("many", "0", "12"),
        *("soon", "10 match=600"),
    )
    new(file)
    event = written(file)
    assert [entrant.bot for entrant in event.entries] == list(entries)
    assert (event.boards, event.clock) == (12, "10 match=600")
    complaints = capsys.readouterr().err
    for text in (
        '"chess" is none of match,',
        "format match takes 2 entries, not 1",
        'event.boards: expected a whole number, not "many"',
        "event.boards: 0 is too small",
        "event.clock: 'soon' is not a time limit",
    ):
        assert text in complaints
    assert str(file) not in complaints


def test_no_file_is_overwritten(file: Path) -> None:
    file.write_text("mine")
    with pytest.raises(UnusableError, match=r"spring-cup\.toml exists already"):
        new(file, yes=True)
    assert file.read_text() == "mine"


def test_a_file_that_appears_while_questions_are_answered_stays(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def line(_prompt: str) -> str:
        file.write_text("of another")
        return ""

    monkeypatch.setattr("builtins.input", line)
    with pytest.raises(UnusableError, match="exists already"):
        new(file)
    assert file.read_text() == "of another"


def test_nothing_is_written_where_the_answers_end_too_soon(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, "swiss", "natural")
    with pytest.raises(UnusableError, match="--yes asks nothing"):
        new(file)
    assert not file.exists()


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnusableError, match=r"cannot write .*: No such file"):
        new(tmp_path / "nowhere" / "cup.toml", yes=True)


@pytest.mark.parametrize("stem", ["x\ny = 1", "日本", '"', "-", "bad\udcff"])
def test_any_name_of_a_file_gives_an_event(file: Path, stem: str) -> None:
    odd = file.with_name(f"{stem}.toml")
    new(odd, yes=True)
    assert written(odd).name


def test_commands_name_a_file_with_blanks_as_a_shell_reads_it(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spaced = file.with_name("sp ace.toml")
    new(spaced, yes=True)
    assert "arena event check 'sp ace.toml'" in capsys.readouterr().out
    assert "arena tournament 'sp ace.toml'" in spaced.read_text()


def test_odd_characters_in_answers_add_nothing_to_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = 'cmd:"a\\b"\x1b[2J\nseed = 1'
    answer(monkeypatch, "match", odd, "natural", "", "16 # boards", "8", "")
    new(file)
    event = written(file)
    assert event.entries[0].bot == 'cmd:"a\\b" [2J seed = 1'
    assert (event.boards, event.seed) == (8, None)

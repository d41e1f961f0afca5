"""`arena power`: what it prints, and what it refuses."""

from __future__ import annotations

import pytest

from bridge_arena.commands.main import run


def test_the_boards_that_are_needed_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["power", "0.5", "--sd", "6.5", "--boards", "64"]) == 0
    first, fixed, sequential, shown = capsys.readouterr().out.splitlines()
    assert first == "A board's swing: standard deviation 6.5 IMPs."
    assert fixed == (
        "To show 0.5 IMPs/board (p < 0.05, two-sided) with a probability of 80 %: 1,327 boards."
    )
    assert sequential.startswith(
        "A sequential test (imp0=0 imp1=0.5 alpha=0.05 beta=0.2) takes on average about "
    )
    assert shown.startswith("64 boards: the mean is known to ± 1.59 IMPs/board (95 %), 2.28 are")


def test_without_boards_nothing_is_said_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["power", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[0] == "A board's swing: standard deviation 5.3 IMPs."


def test_a_controlled_estimate_needs_fewer_boards(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["power", "0.5", "--boards", "64"]) == 0
    plain = capsys.readouterr().out.splitlines()
    assert run(["power", "0.5", "--boards", "16", "--gain", "4"]) == 0
    swing, worth, needed, sequential, shown = capsys.readouterr().out.splitlines()
    assert [swing, sequential] == [plain[0], plain[2]], "the test uses the plain swings"
    assert worth == "The controlled estimate is worth 4 times the boards."
    assert (plain[1].split()[-2:], needed.split()[-2:]) == (["882", "boards."], ["221", "boards."])
    assert shown == plain[3].replace("64 boards", "16 boards")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["0"], "X must lie between 0 and 24, not 0"),
        (["nan"], "X must lie between 0 and 24, not nan"),
        (["1", "--sd", "0"], "a standard deviation of 0 IMPs is impossible"),
        (["1", "--alpha", "0.5"], "alpha=0.5 must lie between 0 and 0.5"),
        (["1", "--power", "0.3"], "--power must lie between 0.5 and 1, not 0.3"),
        (["1", "--boards", "0"], "--boards"),
        (["1", "--gain", "0"], "--gain must be above 0, not 0"),
        (["1", "--gain", "nan"], "--gain must be above 0, not nan"),
    ],
)
def test_impossible_questions_are_told_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["power", *arguments]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert message in said

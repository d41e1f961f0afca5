"""What a match is said to have shown, case by case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.reports.common.meetings import ControlFigures
from bridge_arena.reports.match.figures import MatchFigures
from bridge_arena.reports.match.report import summary
from bridge_arena.reports.match.wording import (
    SIGNIFICANT,
    control_text,
    how_texts,
    score_text,
    source_text,
    verdict,
)
from bridge_arena.tournaments.statistics.means import Mean
from bridge_arena.tournaments.statistics.sequential import Sprt
from tests.reports.match.matches import figures_of, worked_match
from tests.tournaments.matches import table, unfinished


def boards(won: int, lost: int = 0, level: int = 0) -> list[BoardRecord]:
    """Boards that alpha won by game, lost by game, and that were flat."""
    records: list[BoardRecord] = []
    for number in range(1, won + lost + level + 1):
        winning = Room.OPEN if number <= won else Room.CLOSED if number <= won + lost else None
        for room in Room:
            made = ("4S", "N", 10) if room is winning else ()
            records.append(table(number, room, *made))
    return records


FEW = "Too few boards with a swing to tell alpha and beta apart"

CASES = {
    "no board": (0, 0, 0, "Not over: 0 of 1 board played in both rooms so far", ""),
    "one board": (
        *(1, 0, 0, FEW),
        "alpha is ahead of beta by 9 IMPs over 1 board",
    ),
    "won all of few": (
        *(5, 0, 0, FEW),
        "alpha is ahead of beta by",
    ),
    "ahead": (
        *(5, 3, 8, "No difference shown between alpha and beta"),
        "alpha is ahead of beta by",
    ),
    "behind": (
        *(3, 5, 8, "No difference shown between alpha and beta"),
        "beta is ahead of alpha by",
    ),
    "won all of few with a swing": (
        *(5, 0, 20, FEW),
        "alpha is ahead of beta by",
    ),
    "level": (
        *(0, 0, 9, FEW),
        "alpha and beta are level over 9 boards: 0.00 ± 0.00 IMPs/board (p = 1.000)",
    ),
    "ahead beyond chance": (
        *(7, 0, 2, "alpha is shown to be stronger than beta"),
        "alpha beat beta by",
    ),
    "behind beyond chance": (
        *(0, 7, 2, "beta is shown to be stronger than alpha"),
        "beta beat alpha by",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_verdict_says_no_more_than_was_shown(case: str) -> None:
    won, lost, level, said, score = CASES[case]
    figures = figures_of(boards(won, lost, level), {})
    assert verdict(figures) == said
    assert summary(figures)["verdict"] == said
    assert score_text(figures).startswith(score)
    assert bool(score_text(figures)) == bool(score)


def test_a_match_that_was_forfeited_shows_no_strength() -> None:
    crash = Fault(Seat.EAST, FaultKind.CRASH, 9, "exit status 1")
    figures = figures_of([*boards(7), unfinished(8, Room.CLOSED, crash)], {})
    assert verdict(figures) == "beta won: alpha forfeited the match"
    assert score_text(figures).startswith("alpha is ahead of beta by")


@pytest.mark.parametrize(
    ("won", "lost", "said"),
    [
        (60, 0, "H1: alpha's gain against beta is nearer +2 than +0 IMPs/board, or higher"),
        (0, 60, "H0: alpha's gain against beta is nearer +0 than +2 IMPs/board, or lower"),
    ],
)
def test_a_sequential_test_gives_the_verdict_alone(won: int, lost: int, said: str) -> None:
    """It stops a match by its result, so a p-value at the end shows nothing."""
    figures = figures_of(boards(won, lost)[:-1], {}, Sprt(imp0=0, imp1=2))
    assert verdict(figures) == f"The sequential test accepted {said}"
    assert "is ahead of" in score_text(figures)
    assert (figures.p_value or 1) < SIGNIFICANT


def test_a_match_that_is_not_over_shows_nothing_yet() -> None:
    records = boards(9)
    assert "beat" in score_text(figures_of(records, {}))
    figures = figures_of(records[:-1], {})
    assert verdict(figures) == "Not over: 8 of 9 boards played in both rooms so far"
    assert score_text(figures).startswith("alpha is ahead of beta")


def test_sources_are_told_in_whole_imps() -> None:
    assert source_text(figures_of(*worked_match())) == (
        "alpha gained 8 IMPs in the auction and lost 10 IMPs in the play."
    )
    assert source_text(figures_of(worked_match()[0], {})) == ""


def controlled(
    mean: float, error: float, played: Sequence[BoardRecord] = (), **changes: Any
) -> MatchFigures:
    control = ControlFigures(
        imps_per_board=Mean(16, mean, error),
        stand_ins=("slow", "quick"),
        are_themselves=False,
        plays=4,
        other_deals=36,
        slope=0.7,
        correlation=0.6,
        gain=5.36,
        definitions=("0" * 64,),
    )
    return replace(figures_of(played or boards(3, 5, 8), {}), control=replace(control, **changes))


@pytest.mark.parametrize(
    ("mean", "shows"),
    [(0.5, "no difference either"), (-9.0, "that beta is stronger"), (9.0, "that alpha is")],
)
def test_the_controlled_estimate_says_what_it_shows(mean: float, shows: str) -> None:
    assert f"It shows {shows}" in control_text(controlled(mean, 2.0))


@pytest.mark.parametrize("played", [boards(9)[:-1], boards(2), boards(9)])
def test_the_controlled_estimate_shows_nothing_either_only_if_the_match_did_not(
    played: list[BoardRecord],
) -> None:
    assert control_text(controlled(0.5, 2.0, played)).endswith("It shows no difference.")


def test_the_controlled_estimate_is_of_who_is_ahead_and_says_how_it_was_made() -> None:
    figures = controlled(0.5, 2.0)
    assert control_text(figures) == (
        "Controlled estimate: -0.50 ± 2.00 IMPs/board for beta, with the luck of the deals taken "
        "off, worth 5.4 times the boards. It shows no difference either."
    )
    assert how_texts(figures) == [
        "For the controlled estimate slow and quick played, in place of the two bots, the deals of "
        "the match once more, 4 times each, and 36 other deals; these boards count nowhere else."
    ]
    own = controlled(0.5, 2.0, are_themselves=True, plays=1, gain=None)
    assert "worth" not in control_text(own)
    assert how_texts(own) == [
        "For the controlled estimate both bots played the deals of the match once more and 36 "
        "other deals; these boards count nowhere else."
    ]

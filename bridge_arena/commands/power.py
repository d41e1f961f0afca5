"""`arena power`: how many boards a difference needs, before they are played."""

from __future__ import annotations

from typing import Annotated

import typer

from bridge_arena.base.plural import plural
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.tournaments.statistics.power import (
    boards_needed,
    chance_to_show,
    detectable,
    half_width,
    mean_boards,
)
from bridge_arena.tournaments.statistics.sequential import LARGEST, Sprt

DEVIATION = 5.3
"""Of a board's swing in full matches of shipped bots: 5.3 IMPs over 120 boards of
`montecarlo:worlds=10` against `minimax`, 5.3 over 400 of `natural` against `baseline`."""


def power(
    difference: Annotated[
        float, typer.Argument(metavar="X", help="the true difference, in IMPs per board")
    ],
    sd: Annotated[
        float, typer.Option(help="standard deviation of a board's swing, in IMPs")
    ] = DEVIATION,
    alpha: Annotated[
        float, typer.Option(help="how often bots that are equal may seem different")
    ] = 0.05,
    power: Annotated[
        float, typer.Option(help="how often the difference is to be shown, 0.5 to 1")
    ] = 0.8,
    boards: Annotated[
        int | None, typer.Option(min=1, help="also say what so many boards can show")
    ] = None,
) -> None:
    """Tell how many boards it takes to show a difference.

    Each is played in both rooms. Boards differ much: two bots of nearly the same strength need
    thousands. A sequential test, which stops when it has seen enough, needs fewer on average.
    """
    if not 0 < difference < LARGEST:
        raise UnusableError(f"X must lie between 0 and {LARGEST}, not {difference:g}")
    if not 0.5 < power < 1:
        raise UnusableError(f"--power must lie between 0.5 and 1, not {power:g}")
    try:
        # Not 1 - power, which would print as 0.19999999999999996.
        sprt = Sprt(0.0, difference, alpha, round(1 - power, 9))
        lines = [
            f"A board's swing: standard deviation {sd:g} IMPs.",
            *_fixed(difference, sd, alpha, power),
            *_sequential(sprt, sd),
            *(_shown(boards, difference, sd, alpha, power) if boards is not None else ()),
        ]
    except ValueError as error:
        raise UnusableError(str(error)) from None
    print("\n".join(lines))


def _fixed(difference: float, sd: float, alpha: float, power: float) -> list[str]:
    needed = boards_needed(difference, sd, alpha=alpha, power=power)
    return [
        f"To show {difference:g} IMPs/board (p < {alpha:g}, two-sided) "
        f"with a probability of {100 * power:g} %: {_many(needed)}."
    ]


def _sequential(sprt: Sprt, sd: float) -> list[str]:
    halfway = (sprt.imp0 + sprt.imp1) / 2
    at_h0, between, at_h1 = (mean_boards(sprt, mean, sd) for mean in (0.0, halfway, sprt.imp1))
    return [
        f"A sequential test ({sprt}) takes on average about {_many(at_h0)} where the truth is 0, "
        f"{at_h1:,.0f} where it is {sprt.imp1:g}, and {between:,.0f} where it is {halfway:g}."
    ]


def _shown(boards: int, difference: float, sd: float, alpha: float, power: float) -> list[str]:
    reach = half_width(boards, sd, alpha=alpha)
    least = detectable(boards, sd, alpha=alpha, power=power)
    chance = chance_to_show(difference, boards, sd, alpha=alpha)
    return [
        f"{_many(boards)}: the mean is known to ± {reach:.2f} IMPs/board "
        f"({100 * (1 - alpha):g} %), {least:.2f} are shown with a probability of "
        f"{100 * power:g} %, {difference:g} with {100 * chance:.0f} %."
    ]


def _many(boards: float) -> str:
    return f"{boards:,.0f} boards" if round(boards) != 1 else plural(1, "board")

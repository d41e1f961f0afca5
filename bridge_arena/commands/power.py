"""`arena power`: the number of boards that a match needs to show a difference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import inf, sqrt
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.common.errors import UnusableError, unusable
from bridge_arena.commands.common.options import Json, print_json

if TYPE_CHECKING:
    from bridge_arena.tournaments.statistics.sequential import Sprt

DEVIATION = 5.3
"""The standard deviation of a board's swing in full matches of shipped bots, in IMPs: over 120
boards of `montecarlo:worlds=10` against `minimax`, and over 400 of `natural` against `baseline`."""


def power(
    difference: Annotated[
        float, typer.Argument(metavar="X", help="the true difference, in IMPs per board")
    ],
    sd: Annotated[
        float, typer.Option(help="standard deviation of a board's swing, in IMPs")
    ] = DEVIATION,
    alpha: Annotated[float, typer.Option(help="probability that equal bots seem different")] = 0.05,
    power: Annotated[
        float, typer.Option(help="probability that the difference is shown, 0.5 to 1")
    ] = 0.8,
    gain: Annotated[
        float,
        typer.Option(
            help="what the controlled estimate of such a match is worth, as its report tells: as "
            "if it had so many times its boards"
        ),
    ] = 1.0,
    boards: Annotated[
        int | None, typer.Option(min=1, help="also say what this number of boards can show")
    ] = None,
    *,
    as_json: Json = False,
) -> None:
    """Tell how many boards it takes to show a difference.

    Each board is played in both rooms. The swing varies much from board to board: to tell two
    bots of nearly the same strength apart takes thousands of boards. A sequential test, which
    stops as soon as it can decide, needs fewer on average. With --gain the estimate is the
    controlled one; a sequential test uses the plain swings.

    Examples:
        arena power 0.5
        arena power 0.5 --gain 4
        arena power 0.3 --boards 1000 --json
    """
    from bridge_arena.tournaments.statistics.power import (
        boards_needed,
        chance_to_show,
        detectable,
        half_width,
        mean_boards,
    )
    from bridge_arena.tournaments.statistics.sequential import LARGEST, Sprt

    if not 0 < difference < LARGEST:
        raise UnusableError(f"X must lie between 0 and {LARGEST}, not {difference:g}")
    if not 0.5 < power < 1:
        raise UnusableError(f"--power must lie between 0.5 and 1, not {power:g}")
    if not 0 < gain < inf:
        raise UnusableError(f"--gain must be above 0, not {gain:g}")
    with unusable(ValueError):
        # Not 1 - power, which would print as 0.19999999999999996.
        sprt = Sprt(0.0, difference, alpha, round(1 - power, 9))
        halfway = (sprt.imp0 + sprt.imp1) / 2
        at_h0, between, at_h1 = (mean_boards(sprt, mean, sd) for mean in (0.0, halfway, sprt.imp1))
        left = sd / sqrt(gain)
        shown = None
        if boards is not None:
            shown = _Shown(
                boards,
                half_width(boards, left, alpha=alpha),
                detectable(boards, left, alpha=alpha, power=power),
                chance_to_show(difference, boards, left, alpha=alpha),
            )
        needed = boards_needed(difference, left, alpha=alpha, power=power)
        figures = _Figures(difference, sd, gain, alpha, power, needed, at_h0, between, at_h1, shown)
    if as_json:
        print_json(asdict(figures))
    else:
        print("\n".join(_lines(figures, sprt)))


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a number of boards can show, in IMPs per board."""

    boards: int
    half_width: float  # of the confidence interval of the mean, at the level 1 - alpha
    detectable: float  # the least difference that is shown with the given power
    chance: float  # the probability that the given difference is shown


@dataclass(frozen=True, slots=True)
class _Figures:
    """The numbers that were given, and the numbers of boards that it takes."""

    difference: float
    sd: float
    gain: float
    alpha: float
    power: float
    needed: float  # in a match of fixed length
    # The mean of a sequential test, by where the truth is between 0 and the given difference.
    sequential_at_zero: float
    sequential_halfway: float
    sequential_at_difference: float
    shown: _Shown | None  # None where no number of boards is given


def _lines(figures: _Figures, sprt: Sprt) -> Iterator[str]:
    yield f"A board's swing: standard deviation {figures.sd:g} IMPs."
    if figures.gain != 1:
        yield f"The controlled estimate is worth {figures.gain:g} times the boards."
    yield (
        f"To show {figures.difference:g} IMPs/board (p < {figures.alpha:g}, two-sided) "
        f"with a probability of {100 * figures.power:g} %: {_many(figures.needed)}."
    )
    yield (
        f"A sequential test ({sprt}) takes on average about "
        f"{_many(figures.sequential_at_zero)} where the truth is 0, "
        f"{figures.sequential_at_difference:,.0f} where it is {sprt.imp1:g}, and "
        f"{figures.sequential_halfway:,.0f} where it is {(sprt.imp0 + sprt.imp1) / 2:g}."
    )
    if (shown := figures.shown) is not None:
        yield (
            f"{_many(shown.boards)}: the mean is known to ± {shown.half_width:.2f} IMPs/board "
            f"({100 * (1 - figures.alpha):g} %), {shown.detectable:.2f} are shown with a "
            f"probability of {100 * figures.power:g} %, {figures.difference:g} with "
            f"{100 * shown.chance:.0f} %."
        )


def _many(boards: float) -> str:
    return f"{boards:,.0f} boards" if round(boards) != 1 else plural(1, "board")

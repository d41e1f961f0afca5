"""The words and signs that all reports share."""

from __future__ import annotations

from collections.abc import Iterator

from bridge_arena.base.wording import plural
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import SUITS_DOWN
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.reports.common.explanations import Broken, Promises
from bridge_arena.tournaments.statistics.means import Mean


def p_text(p_value: float) -> str:
    """Return a p-value as text: `p = 0.012`, `p < 0.001`."""
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def bare_p_text(p_value: float | None) -> str:
    """Return a p-value for a column of its own; "-" if it is not known."""
    return "-" if p_value is None else p_text(p_value).removeprefix("p ").removeprefix("= ")


def signed(value: float, digits: int = 0) -> str:
    """Return a number with its sign; zero has none."""
    text = f"{value:+.{digits}f}"
    return text[1:] if float(text) == 0 else text


def error(mean: Mean, digits: int) -> str:
    """Return the standard error as it stands behind a mean; "" if there is none."""
    return "" if mean.standard_error is None else f" ± {mean.standard_error:.{digits}f}"


def mean_text(mean: Mean, digits: int = 2) -> str:
    """Return a mean with its standard error; "-" if there is none."""
    return "-" if mean.mean is None else signed(mean.mean, digits) + error(mean, digits)


def bare_mean_text(mean: Mean) -> str:
    """Return a mean without its standard error; "-" if there is none."""
    return "-" if mean.mean is None else signed(mean.mean, 2)


def decimal_text(value: float | None, digits: int = 2) -> str:
    """Return a number without a sign for gains; "-" if it is not known."""
    return "-" if value is None else f"{value:.{digits}f}"


def total_text(mean: Mean) -> str:
    """Return the sum of the values behind a mean; "-" if there are none."""
    return "-" if mean.total is None else signed(mean.total, 1)


def rate_text(mean: Mean) -> str:
    """Return a mean as a rate per board; "-" if there is none."""
    return "-" if mean.mean is None else f"{mean.mean:.2f} a board"


def milliseconds_text(value: float | None) -> str:
    """Return a time in milliseconds or seconds; "-" if it is not known."""
    if value is None:
        return "-"
    return f"{value / 1000:.1f} s" if value >= 10_000 else f"{value:.1f} ms"


def share_text(mean: Mean) -> str:
    """Return a share in per cent: `97.2 % ± 0.9`.

    An error of zero is left out: it stands behind 0 and 100 %, where it says nothing.
    """
    if mean.mean is None:
        return "-"
    behind = f" ± {100 * mean.standard_error:.1f}" if mean.standard_error else ""
    return f"{100 * mean.mean:.1f} %{behind}"


def promises_text(promises: Promises) -> str:
    """Return the number of promises, and by how much the broken ones were missed."""
    missed = promises.missed_by.mean
    off = "" if missed is None else f", {missed:.1f} off"
    return f"of {promises.kept.n}{off}"


def broken_where(broken: Broken) -> str:
    """Return where a call was made: `board 7, open room, N`."""
    room = f", {broken.record.room.lower()} room" if broken.record.room else ""
    return f"board {broken.record.board.number}{room}, {broken.seat}"


def held_text(broken: Broken) -> str:
    """Return what the hand held where it missed a promise: `11 points, 1 spade`."""
    return ", ".join(_held(broken))


def _held(broken: Broken) -> Iterator[str]:
    hand = broken.hand
    if None in broken.off:
        yield plural(hcp(hand), "point")
    for suit in SUITS_DOWN:
        if suit in broken.off:
            yield plural(hand.length(suit), suit.name.lower().removesuffix("s"))


def contract_text(contract: Contract, tricks: int | None) -> str:
    """Return a contract and its result as on a score sheet: `3NTX E -2`, `4S N =`."""
    return f"{contract} {contract.declarer} {made_text(contract, tricks)}"


def made_text(contract: Contract, tricks: int | None) -> str:
    """Return the tricks over or under the contract: `+1`, `=`, `-2`."""
    if tricks is None:
        return "?"
    return f"{tricks - contract.tricks_needed:+d}".replace("+0", "=")

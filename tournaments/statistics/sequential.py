"""A sequential test, which ends a match as soon as the result is clear.

It is a generalised sequential probability ratio test (GSPRT), as used for chess engines. H0 says
that the mean swing of a board is `imp0` IMPs, H1 that it is `imp1`; nothing else is assumed of the
distribution of swings. For each hypothesis the test finds the most likely distribution with that
mean (Van den Bergh, The generalised SPRT for multinomial distributions: each frequency is divided
by 1 + x (value - mean)). It ends when the logarithm of the ratio of the two likelihoods passes one
of Wald's bounds. The swings must be counted in the order of the boards, not in the order in which
they ended: boards that end early differ from those that end late.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from math import log
from typing import TYPE_CHECKING

from bridge_arena.base.wording import plural

if TYPE_CHECKING:  # numpy is slow to load, and few matches have a test
    import numpy as np
    from numpy.typing import NDArray

LARGEST = 24
"""The most IMPs that a board can swing in either direction."""

_UNSEEN = 1e-3
"""The number of boards with each possible swing that are assumed before the first board. With
them a distribution of any mean is possible, and the first boards do not count for too much."""

_STEPS = 100
"""The most steps of Newton's method; three are usual."""


class Verdict(Enum):
    """The verdict of a sequential test so far."""

    ACCEPT_H0 = "H0"
    ACCEPT_H1 = "H1"
    GO_ON = "go on"


@dataclass(frozen=True, slots=True)
class Sprt:
    """The test of a mean swing of `imp0` (H0) against one of `imp1` (H1).

    Raises ValueError unless -24 < imp0 < imp1 < 24, and alpha and beta lie between 0 and 0.5.
    """

    imp0: float = 0.0  # IMPs per board by H0
    imp1: float = 0.5  # IMPs per board by H1
    alpha: float = 0.05  # the probability that H1 is accepted although the mean is `imp0`
    beta: float = 0.05  # the probability that H0 is accepted although the mean is `imp1`

    def __post_init__(self) -> None:
        for name, value in (("imp0", self.imp0), ("imp1", self.imp1)):
            if not -LARGEST < value < LARGEST:
                raise ValueError(f"{name}={value:g}: no board swings {LARGEST} IMPs on average")
        if not self.imp0 < self.imp1:
            raise ValueError(f"imp1={self.imp1:g} must be above imp0={self.imp0:g}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise ValueError(f"{name}={value:g} must lie between 0 and 0.5")

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """Read a test from text such as `imp0=0 imp1=0.5 alpha=0.05 beta=0.05`.

        The parts come in any order, separated by spaces; one that is missing has its default.
        Raises ValueError, which names the part that cannot be read or is out of range.
        """
        known = [field.name for field in fields(cls)]
        chosen: dict[str, float] = {}
        for part in text.split():
            key, equals, value = part.partition("=")
            if not equals or key not in known:
                raise ValueError(f"{part!r} is none of {', '.join(f'{name}=…' for name in known)}")
            if key in chosen:
                raise ValueError(f"{key} is given twice")
            try:
                chosen[key] = float(value)
            except ValueError:
                raise ValueError(f"{key}={value!r} is not a number") from None
        return cls(**chosen)

    def __str__(self) -> str:
        return " ".join(f"{part.name}={getattr(self, part.name):zg}" for part in fields(self))

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


class Progress:
    """A sequential test while the boards come in.

    `largest` are the most IMPs that an observation can be, in either direction.
    """

    __slots__ = ("_counts", "_largest", "_tilts", "boards", "sprt", "verdict")

    def __init__(self, sprt: Sprt, largest: int = LARGEST) -> None:
        import numpy as np  # noqa: PLC0415

        self.sprt = sprt
        self.boards = 0  # so far, also those after the verdict
        self.verdict = Verdict.GO_ON  # that of the first bound that was passed; it stays
        self._largest = largest
        self._counts = np.full(2 * largest + 1, _UNSEEN)
        # The last solutions for the two distributions: one board changes them little.
        self._tilts = [0.0, 0.0]

    def add(self, swing: int) -> Verdict:
        """Count the next board's swing in IMPs, and return the verdict after it."""
        self.count(swing)
        return self.look()

    def look(self) -> Verdict:
        """Return the verdict after the boards that were counted, which is the first one."""
        if self.verdict == Verdict.GO_ON:
            lower, upper = self.sprt.bounds
            ratio = self.llr
            if ratio <= lower:
                self.verdict = Verdict.ACCEPT_H0
            elif ratio >= upper:
                self.verdict = Verdict.ACCEPT_H1
        return self.verdict

    def count(self, swing: int, boards: int = 1) -> None:
        """Count boards without testing for a verdict. Raises ValueError if no board swings so."""
        if not -self._largest <= swing <= self._largest:
            raise ValueError(f"a board cannot swing {swing} IMPs")
        self.boards += boards
        self._counts[swing + self._largest] += boards

    @property
    def llr(self) -> float:
        """The natural logarithm of the likelihood ratio of H1 to H0."""
        import numpy as np  # noqa: PLC0415

        logs = []
        for place, mean in enumerate((self.sprt.imp0, self.sprt.imp1)):
            distances = np.arange(-self._largest, self._largest + 1, dtype=np.float64) - mean
            tilt = _tilt(distances, self._counts, self._tilts[place])
            self._tilts[place] = tilt
            logs.append(np.log1p(tilt * distances))
        return float(self._counts @ (logs[0] - logs[1]))


_WORDS = {
    Verdict.ACCEPT_H0: "H0 accepted",
    Verdict.ACCEPT_H1: "H1 accepted",
    Verdict.GO_ON: "not decided",
}


def ratio_text(sprt: Sprt, verdict: Verdict, boards: int, llr: float) -> str:
    """Return the likelihood ratio of a test, with the bounds at which it ends."""
    lower, upper = sprt.bounds
    return (
        f"SPRT {sprt}: {_WORDS[verdict]} after {plural(boards, 'board')}, "
        f"LLR {llr:z.2f} ({lower:.2f} to {upper:.2f})"
    )


def verdict_text(sprt: Sprt, verdict: Verdict, first: str, second: str) -> str:
    """Return what a test says of two bots, so far or in the end."""
    gain = f"{first}'s gain against {second} is nearer"
    if verdict is Verdict.GO_ON:
        imp0, imp1 = sprt.imp0, sprt.imp1
        return f"Not decided yet whether {gain} {imp0:+zg} (H0) or {imp1:+zg} IMPs/board (H1)"
    is_h1 = verdict is Verdict.ACCEPT_H1
    near, far = (sprt.imp1, sprt.imp0) if is_h1 else (sprt.imp0, sprt.imp1)
    return (
        f"The sequential test accepted {verdict.value}: {gain} {near:+zg} than {far:+zg} "
        f"IMPs/board, or {'higher' if is_h1 else 'lower'}"
    )


def _tilt(distances: NDArray[np.float64], counts: NDArray[np.float64], start: float) -> float:
    """Return the x at which the sum of counts * distances / (1 + x distances) is zero.

    The sum falls with x between its poles. The search takes Newton's steps from `start`, and halves
    the bracket where a step would leave it.
    """
    low, high = -1 / float(distances[-1]), -1 / float(distances[0])
    tilt = start
    for _ in range(_STEPS):
        parts = distances / (1 + tilt * distances)
        weighted = counts * parts
        value = float(weighted.sum())
        if value > 0:
            low = tilt
        else:
            high = tilt
        after = tilt + value / float(weighted @ parts)
        if not low < after < high:
            after = (low + high) / 2
        done = abs(after - tilt) < 1e-12
        tilt = after
        if done:
            break
    return tilt

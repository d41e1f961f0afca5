"""A sequential test that ends a match as soon as it has told enough.

A generalised sequential probability ratio test (GSPRT), as chess engines are tested: H0 says
that the mean swing of a board is `imp0` IMPs, H1 that it is `imp1`; nothing else is assumed
of the distribution of swings. For each hypothesis the most likely distribution with its mean
is found (Van den Bergh, The generalised SPRT for multinomial distributions: each frequency
is divided by 1 + x (value - mean)), and the test ends where the logarithm of the ratio of the
two likelihoods passes one of Wald's bounds. The swings must come in the order of the boards,
not of their ends: quick boards are not like slow ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import Enum
from math import log
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy is slow to load, and few matches have a test
    import numpy as np
    from numpy.typing import NDArray

LARGEST = 24
"""IMPs that a board can swing either way."""

_UNSEEN = 1e-3
"""Boards that each possible swing is taken to have come on before the first: then every mean
can be had, and the first boards cannot tell more than they know."""

_STEPS = 100
"""Newton's steps at most; three are usual."""


class Verdict(Enum):
    """What a sequential test says so far."""

    ACCEPT_H0 = "H0"
    ACCEPT_H1 = "H1"
    GO_ON = "go on"


@dataclass(frozen=True, slots=True)
class Sprt:
    """The test of a mean of `imp0` IMPs a board (H0) against `imp1` (H1).

    `alpha`: how often H1 may be accepted at `imp0`. `beta`: how often H0 may be accepted at
    `imp1`. Raises ValueError unless -24 < imp0 < imp1 < 24, and alpha and beta lie between 0
    and 0.5.
    """

    imp0: float = 0.0
    imp1: float = 0.5
    alpha: float = 0.05
    beta: float = 0.05

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
        """The test that `imp0=0 imp1=0.5 alpha=0.05 beta=0.05` describes, in any order; what
        is left out is as here. Raises ValueError, which names the part it cannot read."""
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
        return " ".join(f"{each.name}={getattr(self, each.name):g}" for each in fields(self))

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def llr(self, imps: Sequence[int]) -> float:
        """The log-likelihood ratio of H1 to H0 after boards of these swings.

        Raises ValueError for a swing that no board can have.
        """
        progress = Progress(self)
        for swing in imps:
            progress.count(swing)
        return progress.llr

    def verdict(self, imps: Sequence[int]) -> Verdict:
        """What is said of a whole match: the bound that was passed first decides, even where
        later boards lead back. Raises ValueError as `llr` does."""
        progress = Progress(self)
        for swing in imps:
            if progress.add(swing) != Verdict.GO_ON:
                break
        return progress.verdict


class Progress:
    """A sequential test while the boards come in.

    `verdict` is that of the first bound passed, and stays; `boards` and `llr` go on.
    """

    __slots__ = ("_counts", "_tilts", "boards", "sprt", "verdict")

    def __init__(self, sprt: Sprt) -> None:
        import numpy as np  # noqa: PLC0415

        self.sprt = sprt
        self.boards = 0
        self.verdict = Verdict.GO_ON
        self._counts = np.full(2 * LARGEST + 1, _UNSEEN)
        # Where the two likeliest distributions were found last: they move little by a board.
        self._tilts = [0.0, 0.0]

    def add(self, swing: int) -> Verdict:
        """Take in the next board. Raises ValueError for a swing that no board can have."""
        self.count(swing)
        if self.verdict == Verdict.GO_ON:
            lower, upper = self.sprt.bounds
            ratio = self.llr
            if ratio <= lower:
                self.verdict = Verdict.ACCEPT_H0
            elif ratio >= upper:
                self.verdict = Verdict.ACCEPT_H1
        return self.verdict

    def count(self, swing: int) -> None:
        """Take in a board without asking. Raises ValueError as `add` does."""
        if not -LARGEST <= swing <= LARGEST:
            raise ValueError(f"a board cannot swing {swing} IMPs")
        self.boards += 1
        self._counts[swing + LARGEST] += 1

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of H1 to H0."""
        import numpy as np  # noqa: PLC0415

        logs = []
        for place, mean in enumerate((self.sprt.imp0, self.sprt.imp1)):
            distances = np.arange(-LARGEST, LARGEST + 1, dtype=np.float64) - mean
            tilt = _tilt(distances, self._counts, self._tilts[place])
            self._tilts[place] = tilt
            logs.append(np.log1p(tilt * distances))
        return float(self._counts @ (logs[0] - logs[1]))


def _tilt(distances: NDArray[np.float64], counts: NDArray[np.float64], start: float) -> float:
    """The x at which the sum of counts * distances / (1 + x distances) is zero.

    The sum falls with x between its poles; Newton's steps from `start`, or halves where a
    step would leave the bracket.
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

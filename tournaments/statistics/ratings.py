"""Ratings from the IMPs of boards that entries played against each other.

The expected margin of a board is the first entry's rating less the second's. Ratings are fitted by
least squares over all boards, so that the strength of opponents is accounted for even if not all
entries met. Ratings are IMPs per board against the mean of the field. They predict margins only: if
A beats B more often than the ratings say, that is not modelled.

The swings of one deal in several matches are not independent. Standard errors allow for any
dependence within a deal by the cluster-robust covariance CR2 of Bell and McCaffrey (2002), which
also suits few deals. The t intervals have Satterthwaite's degrees of freedom (Pustejovsky and
Tipton, Small-sample methods for cluster-robust variance estimation, 2018).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from bridge_arena.tournaments.statistics.significance import two_sided_p, two_sided_t

SHARE = 0.95
"""The confidence of the intervals."""

FEWEST_DEALS = 6
"""The fewest deals that get an interval or a p-value. With 5 deals, a test without assumptions
about the swings cannot reach p = 0.05, however one-sided they are: 2 / 2^5 = 0.0625. So neither
should the t distribution."""

_SINGULAR = 1e-9
_NOISE = 1e-12


@dataclass(frozen=True, slots=True)
class Observation:
    """A board played in both rooms."""

    first: str  # the name of one entry
    second: str  # the name of the other entry
    cluster: Hashable  # the deal
    imps: float  # the IMPs of the first entry


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rating, or the difference of two ratings."""

    value: float  # in IMPs per board
    # In IMPs per board; None if the field is connected only by a single deal, which says nothing
    # about the error.
    standard_error: float | None
    # The degrees of freedom; None without a standard error. With n deals of equal weight there are
    # n - 1, with unequal weights fewer.
    degrees: float | None

    @property
    def is_of_few_deals(self) -> bool:
        """Whether there are too few deals for an interval or a p-value."""
        return self.degrees is not None and self.degrees < FEWEST_DEALS - 1 - _SINGULAR

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of confidence `SHARE`; None without a standard error or of few deals."""
        if self.standard_error is None or self.degrees is None or self.is_of_few_deals:
            return None
        reach = two_sided_t(SHARE, self.degrees) * self.standard_error
        return self.value - reach, self.value + reach

    @property
    def p_value(self) -> float | None:
        """The two-sided p-value of a true value of 0; None without an error or of few deals."""
        if not self.standard_error or self.degrees is None or self.is_of_few_deals:
            return None
        return two_sided_p(self.value / self.standard_error, self.degrees)


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of an entry against the mean of its field."""

    entry: str  # the entry's name
    boards: int  # the number of boards that it played
    estimate: Estimate  # in IMPs per board


@dataclass(frozen=True, slots=True)
class Field:
    """Entries that a chain of boards connects."""

    ratings: tuple[Rating, ...]  # the best entry first
    # The errors of the ratings, in the same order; None if they cannot be estimated.
    errors: Errors | None

    def difference(self, first: str, second: str) -> Estimate:
        """Return the first entry's rating less the second's; ValueError if one is not in here."""
        places = {rating.entry: place for place, rating in enumerate(self.ratings)}
        for entry in (first, second):
            if entry not in places:
                raise ValueError(f"no chain of boards connects {first} and {second}")
        one, other = places[first], places[second]
        contrast = np.zeros((len(self.ratings), 1))
        contrast[one] += 1
        contrast[other] -= 1
        value = self.ratings[one].estimate.value - self.ratings[other].estimate.value
        return _estimates(np.array([value]), self.errors, contrast)[0]


@dataclass(frozen=True, slots=True)
class Errors:
    """The errors of the ratings of a field."""

    # The covariance of the ratings by CR2, of shape (entries, entries).
    covariance: NDArray[np.float64]
    # The root of the covariance that the ratings would have if all boards were independent and of
    # variance 1; the same shape.
    root: NDArray[np.float64]
    # For all deals of the same meetings the eigenvectors and eigenvalues of the part of each in the
    # hat matrix (see `_errors`), of shapes (entries, k) and (k,), and the number of these deals.
    deals: tuple[tuple[NDArray[np.float64], NDArray[np.float64], int], ...]

    def of(self, contrasts: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the variances and degrees of freedom, of shape (sums,), of sums of ratings.

        `contrasts` has the weights of each sum in a column, and is of shape (entries, sums).
        """
        # The working model for the degrees of freedom is equal, independent errors. The
        # variance of a sum is then a sum of squares with the covariance
        # diag(own) - shared shared'.
        size, count = contrasts.shape
        trace, squares = np.zeros(count), np.zeros(count)
        overlaps = np.zeros((count, size, size))
        for vectors, sizes, deals in self.deals:
            turned = vectors.T @ self.root @ contrasts
            own = sizes / (1 - sizes) @ turned**2
            shared = (vectors * (sizes / np.sqrt(1 - sizes))) @ turned
            length = (shared**2).sum(axis=0)
            trace += deals * (own - length)
            squares += deals * (own**2 - 2 * own * length)
            overlaps += deals * np.einsum("jk,lk->kjl", shared, shared)
        squares += (overlaps**2).sum(axis=(1, 2))
        variances = np.einsum("jk,jl,lk->k", contrasts, self.covariance, contrasts)
        # Entries that did the same on every deal do not differ but by rounding.
        size = np.abs(contrasts).T
        most = np.einsum("kj,jl,kl->k", size, np.abs(self.covariance), size)
        variances = np.where(variances > _NOISE * most, variances, 0.0)
        return variances, np.maximum(1.0, trace**2 / squares)


def rate(observations: Iterable[Observation]) -> list[Field]:
    """Return the fields that the boards connect, the largest first.

    Entries of different fields cannot be compared. Raises ValueError if an entry played a board
    against itself.
    """
    boards = list(observations)
    for board in boards:
        if board.first == board.second:
            raise ValueError(f"{board.first} cannot be rated by a board against itself")
    fields = [_rate(names, group) for names, group in _connected(boards)]
    return sorted(fields, key=lambda field: -len(field.ratings))


def _connected(boards: Sequence[Observation]) -> list[tuple[list[str], list[Observation]]]:
    """Return for each field its entries, in order of appearance, and its boards."""
    # The number of the field of each entry; two fields become one when a board connects them.
    field_of: dict[str, int] = {}
    for board in boards:
        first = field_of.setdefault(board.first, len(field_of))
        second = field_of.setdefault(board.second, len(field_of))
        if first != second:
            low, high = sorted((first, second))
            field_of = {name: low if field == high else field for name, field in field_of.items()}
    fields: dict[int, tuple[list[str], list[Observation]]] = {}
    for name, field in field_of.items():
        fields.setdefault(field, ([], []))[0].append(name)
    for board in boards:
        fields[field_of[board.first]][1].append(board)
    return list(fields.values())


def _rate(names: Sequence[str], boards: Sequence[Observation]) -> Field:
    places = {name: place for place, name in enumerate(names)}
    deals = {
        deal: number for number, deal in enumerate(dict.fromkeys(board.cluster for board in boards))
    }
    first = np.array([places[board.first] for board in boards])
    second = np.array([places[board.second] for board in boards])
    imps = np.array([board.imps for board in boards], dtype=np.float64)
    deal = np.array([deals[board.cluster] for board in boards])

    root = _root(_normal_matrix(first, second, len(names)))
    values = root @ root @ _scores(first, second, imps, len(names))
    order = np.argsort(-values, kind="stable")
    ranks = np.argsort(order)
    first, second = ranks[first], ranks[second]
    values, root = values[order], root[np.ix_(order, order)]
    left = imps - (values[first] - values[second])
    errors = _errors(root, first, second, left, _by_meetings(deal, first * len(names) + second))

    played = np.bincount(first, minlength=len(names)) + np.bincount(second, minlength=len(names))
    estimates = _estimates(values, errors, np.eye(len(names)))
    ratings = tuple(
        Rating(names[place], int(boards), estimate)
        for place, boards, estimate in zip(order, played, estimates, strict=True)
    )
    return Field(ratings, errors)


def _estimates(
    values: NDArray[np.float64], errors: Errors | None, contrasts: NDArray[np.float64]
) -> list[Estimate]:
    """Return the estimates of sums of ratings from their values and their weights."""
    if errors is None:
        return [Estimate(float(value), None, None) for value in values]
    variances, degrees = errors.of(contrasts)
    return [
        Estimate(float(value), sqrt(variance), float(degree))
        for value, variance, degree in zip(values, variances, degrees, strict=True)
    ]


def _normal_matrix(
    first: NDArray[np.int_], second: NDArray[np.int_], size: int
) -> NDArray[np.float64]:
    """Return the Laplacian of the boards, in whose rows +1 is the first entry and -1 the second."""
    matrix = np.zeros((size, size))
    np.add.at(matrix, (first, first), 1)
    np.add.at(matrix, (second, second), 1)
    np.add.at(matrix, (first, second), -1)
    np.add.at(matrix, (second, first), -1)
    return matrix


def _scores(
    first: NDArray[np.int_], second: NDArray[np.int_], imps: NDArray[np.float64], size: int
) -> NDArray[np.float64]:
    """Return the net IMPs of each entry."""
    net = np.zeros(size)
    np.add.at(net, first, imps)
    np.subtract.at(net, second, imps)
    return net


def _root(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the symmetric root of the pseudo-inverse, by which the ratings add up to zero."""
    sizes, vectors = np.linalg.eigh(matrix)
    kept = sizes > _SINGULAR * sizes[-1]
    inverse = np.where(kept, 1 / np.sqrt(np.where(kept, sizes, 1)), 0)
    return np.asarray((vectors * inverse) @ vectors.T)


def _errors(
    root: NDArray[np.float64],
    first: NDArray[np.int_],
    second: NDArray[np.int_],
    left: NDArray[np.float64],
    by_meetings: Iterable[NDArray[np.int_]],
) -> Errors | None:
    """Return the errors of the ratings, by CR2.

    CR2 multiplies the residuals of a deal by (1 - H)^(-1/2), where H is the deal's part of the hat
    matrix. With X the deal's rows and Z = X root, H is Z Z', and all that is needed of it is in the
    small Z'Z ("hat" below).

    `first` and `second` are the entries of each board by number, `left` its residual (what the
    ratings do not explain), and `by_meetings` the boards of deals as `_by_meetings` groups them.
    None if the field falls apart without one of the deals.
    """
    size = len(root)
    covariance = np.zeros((size, size))
    deals = []
    for rows in by_meetings:
        one, other = first[rows[0]], second[rows[0]]
        hat = root @ _normal_matrix(one, other, size) @ root
        sizes, vectors = np.linalg.eigh(hat)
        if sizes[-1] > 1 - _SINGULAR:
            return None
        sizes = np.maximum(sizes, 0)
        widened = (vectors / np.sqrt(1 - sizes)) @ vectors.T
        net = np.stack([_scores(one, other, unit, size) for unit in np.eye(len(one))])
        of_deals = left[rows] @ net @ (root @ widened @ root).T
        covariance += of_deals.T @ of_deals
        # Where only a few entries played a deal, most eigenvalues are zero.
        own = sizes > _SINGULAR * sizes[-1]
        deals.append((vectors[:, own], sizes[own], len(rows)))
    return Errors(covariance, root, tuple(deals))


def _by_meetings(deal: NDArray[np.int_], meeting: NDArray[np.int_]) -> Iterable[NDArray[np.int_]]:
    """Group the boards by the meetings in which their deal was played.

    Args:
        deal: The number of each board's deal.
        meeting: The number of its two entries.

    Returns:
        Of each group the numbers of its boards, of shape (deals, meetings).
    """
    order = np.lexsort((meeting, deal))
    groups: dict[bytes, list[NDArray[np.int_]]] = {}
    for rows in np.split(order, np.cumsum(np.bincount(deal))[:-1]):
        groups.setdefault(meeting[rows].tobytes(), []).append(rows)
    return [np.stack(rows) for rows in groups.values()]

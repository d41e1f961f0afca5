"""Ratings from the IMPs of boards that entries played against each other.

The expected margin of a board is the first entry's rating less the second's: least squares
over all boards, so that an opponent's strength is accounted for even where not all met all.
Ratings are IMPs per board against the mean of the field. They say nothing of who beats whom
beyond that difference.

The swings of one deal in several matches are not independent. Standard errors allow for any
dependence within a deal: the cluster-robust covariance CR2 of Bell and McCaffrey (2002), which
allows for few deals as well, with t intervals whose degrees of freedom are Satterthwaite's
(Pustejovsky and Tipton, Small-sample methods for cluster-robust variance estimation, 2018).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from bridge_arena.tournaments.statistics.student import two_sided_p, two_sided_t

SHARE = 0.95
"""What the intervals are meant to cover."""

FEWEST_DEALS = 6
"""Deals below which no test that assumes nothing of the swings can reach p = 0.05, however
one-sided they are: 2 / 2^5 = 0.0625. The t distribution must not be told more."""

_SINGULAR = 1e-9


@dataclass(frozen=True, slots=True)
class Observation:
    """A board played in both rooms: `imps` are the first entry's, `cluster` is the deal."""

    first: str
    second: str
    cluster: Hashable
    imps: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """IMPs per board: a rating, or the difference of two.

    `standard_error` and `degrees` of freedom are None where a single deal holds the field
    together, so that nothing tells how far it may have erred. Over n deals that all count
    alike there are n - 1 degrees; fewer where some deals count for more than others.
    """

    value: float
    standard_error: float | None
    degrees: float | None

    @property
    def is_of_few_deals(self) -> bool:
        """Whether it rests on too few deals for an interval or a p-value."""
        return self.degrees is not None and self.degrees < FEWEST_DEALS - 1 - _SINGULAR

    @property
    def interval(self) -> tuple[float, float] | None:
        """That of `SHARE`; None without a standard error, and of few deals."""
        if self.standard_error is None or self.degrees is None or self.is_of_few_deals:
            return None
        reach = two_sided_t(SHARE, self.degrees) * self.standard_error
        return self.value - reach, self.value + reach

    @property
    def p_value(self) -> float | None:
        """Two-sided, of a true value of 0; None without a standard error, and of few deals."""
        if not self.standard_error or self.degrees is None or self.is_of_few_deals:
            return None
        return two_sided_p(self.value / self.standard_error, self.degrees)


@dataclass(frozen=True, slots=True)
class Rating:
    """What an entry is rated, against the mean of its field, from so many `boards`."""

    entry: str
    boards: int
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class Field:
    """Entries that a chain of boards connects, best first. `errors` of their ratings, in
    that order; None where there are no standard errors."""

    ratings: tuple[Rating, ...]
    errors: Errors | None

    def difference(self, first: str, second: str) -> Estimate:
        """The first entry's rating less the second's.

        Raises ValueError where one is not in this field.
        """
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
    """How far the ratings of a field may err. `covariance` of the ratings, by CR2; `root` of
    their covariance if all boards were independent and of variance 1; for each deal, the
    vectors and sizes of what of the hat matrix is its own (see `_errors`)."""

    covariance: NDArray[np.float64]
    root: NDArray[np.float64]
    deals: tuple[tuple[NDArray[np.float64], NDArray[np.float64]], ...]

    def of(self, contrasts: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The variances and degrees of freedom of sums of ratings, whose weights are the
        columns of `contrasts`."""
        # The working model for the degrees of freedom is equal, independent errors. The
        # variance of a sum is then a sum of squares with the covariance
        # diag(own) - shared shared'.
        size, count = contrasts.shape
        trace, squares = np.zeros(count), np.zeros(count)
        overlaps = np.zeros((count, size, size))
        for vectors, sizes in self.deals:
            turned = vectors.T @ self.root @ contrasts
            own = sizes / (1 - sizes) @ turned**2
            shared = (vectors * (sizes / np.sqrt(1 - sizes))) @ turned
            length = (shared**2).sum(axis=0)
            trace += own - length
            squares += own**2 - 2 * own * length
            overlaps += np.einsum("jk,lk->kjl", shared, shared)
        squares += (overlaps**2).sum(axis=(1, 2))
        variances = np.einsum("jk,jl,lk->k", contrasts, self.covariance, contrasts)
        return np.maximum(0.0, variances), np.maximum(1.0, trace**2 / squares)


def rate(observations: Iterable[Observation]) -> list[Field]:
    """The fields that the boards connect, largest first.

    Entries of different fields cannot be compared. Raises ValueError for a board that an
    entry played against itself.
    """
    boards = list(observations)
    for board in boards:
        if board.first == board.second:
            raise ValueError(f"{board.first} cannot be rated by a board against itself")
    fields = [_rate(names, group) for names, group in _connected(boards)]
    return sorted(fields, key=lambda field: -len(field.ratings))


def _connected(boards: Sequence[Observation]) -> list[tuple[list[str], list[Observation]]]:
    """The entries of each field, in order of appearance, and its boards."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_edges_from((board.first, board.second) for board in boards)
    fields: list[tuple[list[str], list[Observation]]] = []
    for names in nx.connected_components(graph):
        entries = [entry for entry in graph if entry in names]
        fields.append((entries, [board for board in boards if board.first in names]))
    return fields


def _rate(names: Sequence[str], boards: Sequence[Observation]) -> Field:
    places = {name: place for place, name in enumerate(names)}
    deals = {
        deal: number for number, deal in enumerate(dict.fromkeys(each.cluster for each in boards))
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
    by_deal = np.split(np.argsort(deal, kind="stable"), np.cumsum(np.bincount(deal))[:-1])
    errors = _errors(root, first, second, left, by_deal)

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
    """The sums of ratings that have these values."""
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
    """The Laplacian of the boards: a row's board counts +1 for the first, -1 for the second."""
    matrix = np.zeros((size, size))
    np.add.at(matrix, (first, first), 1)
    np.add.at(matrix, (second, second), 1)
    np.add.at(matrix, (first, second), -1)
    np.add.at(matrix, (second, first), -1)
    return matrix


def _scores(
    first: NDArray[np.int_], second: NDArray[np.int_], imps: NDArray[np.float64], size: int
) -> NDArray[np.float64]:
    """Net IMPs of each entry."""
    net = np.zeros(size)
    np.add.at(net, first, imps)
    np.subtract.at(net, second, imps)
    return net


def _root(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The symmetric square root of the pseudo-inverse; ratings add up to zero by it."""
    sizes, vectors = np.linalg.eigh(matrix)
    kept = sizes > _SINGULAR * sizes[-1]
    inverse = np.where(kept, 1 / np.sqrt(np.where(kept, sizes, 1)), 0)
    return np.asarray((vectors * inverse) @ vectors.T)


def _errors(
    root: NDArray[np.float64],
    first: NDArray[np.int_],
    second: NDArray[np.int_],
    left: NDArray[np.float64],
    by_deal: Sequence[NDArray[np.int_]],
) -> Errors | None:
    """None where the ratings would come apart without one of the deals.

    `left` is what the ratings do not explain of each board. CR2 multiplies a deal's with
    (1 - H)^(-1/2), where H is the deal's part of the hat matrix. With X the deal's rows and
    Z = X root, H is Z Z', and all that is needed of it is in the small Z'Z ("hat" below).
    """
    size = len(root)
    covariance = np.zeros((size, size))
    deals = []
    for rows in by_deal:
        one, other = first[rows], second[rows]
        hat = root @ _normal_matrix(one, other, size) @ root
        sizes, vectors = np.linalg.eigh(hat)
        if sizes[-1] > 1 - _SINGULAR:
            return None
        sizes = np.maximum(sizes, 0)
        widened = (vectors / np.sqrt(1 - sizes)) @ vectors.T
        error = root @ widened @ root @ _scores(one, other, left[rows], size)
        covariance += np.outer(error, error)
        # Of a deal that few played, most sizes are zero.
        own = sizes > _SINGULAR * sizes[-1]
        deals.append((vectors[:, own], sizes[own]))
    return Errors(covariance, root, tuple(deals))

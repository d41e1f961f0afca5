"""Measure the space of the vectors of hands: part of `research.papers.hand2vec`.

As in the paper's section 2.2, there are the means and deviations of the numbers; the hands nearest
to 0, to a hand, and to sums of vectors; the correlations of the numbers with points and lengths;
and a map. It also tests the distance: hands are compared with the nearest by vectors, by cards (the
number not shared) and by points and lengths, in the tricks that they take with the same partner, by
`bots.library.tricks`; and the distances by nets of other seeds are compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE

from benchmarks.figures import figure, table
from bridge_arena.bots.library.hand2vec.net import Array, Hand2VecNet, distances, nearest, similar
from bridge_arena.bots.library.learning.hands import (
    Hands,
    hand_of,
    hands_array,
    lengths,
    points,
    random_pairs,
)
from bridge_arena.bots.library.tricks.net import TricksNet
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.evaluation import hcp
from research.papers.hand2vec_features import NAMES, standard

QUERY = "AKQ2.QJT987.32.2"

CHANGED = ("A82.A7643.Q62.Q5", "A82.Q764.Q62.Q53")
"""The paper's: the difference of the two is added to hands."""

ADDED_TO = ("765.Q432.432.432", "J6543.432.32.432")

MAPPED = 3000


@dataclass(frozen=True, slots=True)
class Map:
    """A map: places, n×2, of hands, n×52."""

    name: str
    places: NDArray[np.float32]
    hands: Hands


def pool(seed: int, number: int) -> Hands:
    """Return `number` random hands."""
    return np.concatenate(random_pairs(np.random.default_rng(seed), number // 2))


def spread_table(vectors: Array) -> str:
    """Return the table of the mean and deviation of each number."""
    numbers = range(1, vectors.shape[1] + 1)
    every = [("mean", vectors.mean(axis=0)), ("deviation", vectors.std(axis=0, ddof=1))]
    rows = [[name, *(f"{x:.4f}" for x in found)] for name, found in every]
    return table(["", *map(str, numbers)], rows)


def nearest_table(net: Hand2VecNet, hands: Hands, vectors: Array) -> str:
    """Return the table of the hands nearest to 0, to the query, and to the sums."""
    zero = np.zeros(net.dimensions, np.float32)
    rows = _nearest_rows("0", hands, vectors, zero)
    for found in similar(net, Hand.parse(QUERY), hands, 5):
        rows.append([QUERY, str(found.hand), str(hcp(found.hand)), f"{found.distance:.3f}"])
    plus, minus = _vectors(net, *CHANGED)
    for text, start in zip(ADDED_TO, _vectors(net, *ADDED_TO), strict=True):
        name = f"{text} + {CHANGED[0]} - {CHANGED[1]}"
        rows += _nearest_rows(name, hands, vectors, start + plus - minus)
    return table(["what", "nearest", "HCP", "distance"], rows)


def correlation_table(hands: Hands, vectors: Array) -> str:
    """Return the table of correlations of the numbers with points and lengths.

    It also has the share of each of these that a linear function of the vector explains.
    """
    told = standard(hands).astype(np.float64)
    found = np.corrcoef(told.T, vectors.T.astype(np.float64))[: len(NAMES), len(NAMES) :]
    known = np.column_stack([vectors.astype(np.float64), np.ones(len(vectors))])
    fitted = known @ np.linalg.lstsq(known, told, rcond=None)[0]
    shares = 1 - np.square(told - fitted).sum(axis=0) / np.square(told - told.mean(axis=0)).sum(
        axis=0
    )
    numbers = range(1, vectors.shape[1] + 1)
    rows = [
        [name, *(f"{x:+.2f}" for x in row), f"{100 * share:.1f} %"]
        for name, row, share in zip(NAMES, found, shares, strict=True)
    ]
    return table(["", *map(str, numbers), "told by all"], rows)


def worth_table(net: Hand2VecNet, tricks: TricksNet, seed: int) -> str:
    """Return the table of differences between hands and the nearest of 20,000, by distance.

    The differences are in tricks with the same partner in five denominations, and in points and
    lengths. There are 500 hands with ten partners each; an observation is a hand.
    """
    rng = np.random.default_rng([seed, 4])
    asked = np.concatenate(random_pairs(rng, 250))
    others = np.concatenate(random_pairs(rng, 10_000))
    ways: dict[str, tuple[Array, Array]] = {
        "any hand": (_noise(rng, len(asked)), _noise(rng, len(others))),
        "cards": (asked.astype(np.float32), others.astype(np.float32)),
        "points and lengths": (standard(asked), standard(others)),
        "vectors": (net.vectors(asked), net.vectors(others)),
    }
    rows: list[list[str]] = []
    for name, (mine, theirs) in ways.items():
        found = others[[nearest(theirs, one, 1)[0] for one in mine]]
        cells = [
            figure(_tricks_apart(tricks, asked, found, np.random.default_rng([seed, 5]))),
            figure(np.abs(points(asked) - points(found)), 2),
            figure(np.abs(lengths(asked) - lengths(found)).sum(axis=1), 2),
            figure((asked & found).sum(axis=1), 2),
        ]
        rows.append([name, *cells])
    heads = ["nearest by", "tricks, root mean square", "points", "lengths, all four"]
    return table([*heads, "cards shared"], rows)


def agreement(one: Hand2VecNet, other: Hand2VecNet, seed: int) -> float:
    """Return the correlation of two nets' distances of 20,000 random pairs of hands."""
    pairs = random_pairs(np.random.default_rng([seed, 6]), 20_000)
    away = [
        np.sqrt(np.square(np.subtract(*map(net.vectors, pairs))).mean(axis=1))
        for net in (one, other)
    ]
    return float(np.corrcoef(*away)[0, 1])


def maps(hands: Hands, vectors: Array, seed: int) -> list[Map]:
    """Return maps of the first hands in two dimensions.

    One is by principal components, which turn the space, and one by t-SNE (van der Maaten and
    Hinton, 2008), which keeps neighbours together.
    """
    some, known = hands[:MAPPED], vectors[:MAPPED]
    turned = PCA(2, random_state=seed).fit_transform(known)
    kept = TSNE(2, init="pca", random_state=seed).fit_transform(known)
    return [Map("principal components", turned, some), Map("t-SNE", kept, some)]


def _tricks_apart(
    tricks: TricksNet, hands: Hands, others: Hands, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return the difference in tricks of each two hands, with ten partners of the other cards."""
    squares = np.zeros(len(hands))
    for _ in range(10):
        order = rng.random(hands.shape) + (hands | others)
        partners = np.zeros_like(hands)
        np.put_along_axis(partners, order.argsort(axis=1)[:, :13], values=True, axis=1)
        means = [tricks.estimate(each, partners).mean[:, :, 0] for each in (hands, others)]
        squares += np.square(means[0] - means[1]).mean(axis=1) / 10
    found: NDArray[np.float64] = np.sqrt(squares)
    return found


def _nearest_rows(name: str, hands: Hands, vectors: Array, vector: Array) -> list[list[str]]:
    away = distances(vectors, vector)
    rows: list[list[str]] = []
    for each in nearest(vectors, vector, 5):
        hand = hand_of(hands[each])
        rows.append([name, str(hand), str(hcp(hand)), f"{away[each]:.3f}"])
    return rows


def _vectors(net: Hand2VecNet, *texts: str) -> Array:
    return net.vectors(hands_array(map(Hand.parse, texts)))


def _noise(rng: np.random.Generator, number: int) -> Array:
    return rng.standard_normal((number, 2)).astype(np.float32)

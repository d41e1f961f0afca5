"""Measure the prediction of opening bids from hands and vectors: part of `papers.hand2vec`.

The data are 1,000 hands, each with the opening that players of the Polish second league chose, in
Polish Club. The paper tests on 213 others. Here every hand is judged by classifiers that have not
learned from it, in cross-validations of `FOLDS` parts; all classifiers see the same parts. An
observation is a hand: the share of the rounds in which its opening was found.

The surprise is minus the logarithm to base 2 of the probability that the classifier gave to the
call, not below `LEAST`. A bot that deals worlds weighs them by that probability, so that the bits
of the surprise say how much a call tells it of the hand.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.figures import figure, p_value, standard_error, table
from bridge_arena.bots.library.hand2vec.net import Hand2VecNet
from bridge_arena.bots.library.learning.hands import Hands, hand_of
from bridge_arena.bots.library.openings.data import Openings
from bridge_arena.bridge.cards import Hand, Suit
from bridge_arena.bridge.evaluation import hcp, is_balanced, longest_suit
from research.papers.hand2vec_features import standard

FOLDS = 10
LEAST = 0.001
DRAWS = 5
SIZES = (50, 100, 200, 400, 900)
"""Hands to learn from, of which the learning curve is; drawn so often."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to classify: what is seen of hands, n×52, as n×.., and a classifier of scikit-learn.

    `paper` is the paper's figure, in per cent.
    """

    name: str
    seen: Callable[[Hands], NDArray[np.floating]]
    made: Callable[[], Any]
    paper: str = ""


def ways(net: Hand2VecNet) -> list[Way]:
    """Return all ways that are compared."""
    vectors = partial(_vectors, net)
    both = partial(_both, net)
    return [
        Way("cards, nearest", _cards, partial(KNeighborsClassifier, 1)),
        Way("points and lengths, nearest", standard, partial(KNeighborsClassifier, 1)),
        Way("vector, nearest", vectors, partial(KNeighborsClassifier, 1), "71.36"),
        Way("vector, nearest 10 by distance", vectors, _weighted),
        Way("cards, net 8–16–8", _cards, _small_net, "69.48"),
        Way("heuristics, net 8–16–8", _heuristics, _small_net, "78.87"),
        Way("cards, logistic", _cards, partial(_logistic, 0.1)),
        Way("points and lengths, logistic", standard, partial(_logistic, 10.0)),
        Way("points and lengths, kernel", standard, _kernel),
        Way("heuristics, kernel", _heuristics, _kernel),
        Way("vector, logistic", vectors, partial(_logistic, 10.0)),
        Way("vector, kernel", vectors, _kernel),
        Way("vector, points and lengths, kernel", both, _kernel),
    ]


@dataclass(frozen=True, slots=True)
class Judged:
    """The judgement of each hand, over the rounds.

    It has the share of the rounds in which the opening was found, and the mean surprise in bits.
    """

    right: Array
    surprise: Array

    def facts(self) -> dict[str, Any]:
        """Return the judgement as JSON values."""
        return {"right": self.right.tolist(), "surprise": self.surprise.tolist()}

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Judged:
        """Return the judgement that `facts` gave as JSON values."""
        return cls(np.array(facts["right"]), np.array(facts["surprise"]))


def judged(way: Way, openings: Openings, seed: int, rounds: int) -> Judged:
    """Judge a way by a number of cross-validations, each with other parts."""
    seen = way.seen(openings.hands)
    right = np.zeros(len(openings))
    surprise = np.zeros(len(openings))
    for each in range(rounds):
        parts = StratifiedKFold(FOLDS, shuffle=True, random_state=seed + each)
        for taught, asked in _split(parts, openings):
            one = _told(way, seen, openings, taught, asked)
            right[asked] += one.right / rounds
            surprise[asked] += one.surprise / rounds
    return Judged(right, surprise)


def curve(way: Way, openings: Openings, seed: int) -> dict[int, Array]:
    """Return the share of right openings by the number of hands learned from, in per cent.

    The hands are drawn at random, and the share is over the others, in each of `DRAWS` draws that
    all ways share.
    """
    seen = way.seen(openings.hands)
    found: dict[int, Array] = {}
    for size in SIZES:
        if size >= len(openings):
            continue
        shares = []
        for draw in range(DRAWS):
            order = np.random.default_rng([seed, size, draw]).permutation(len(openings))
            asked = order[max(size, len(openings) - 100) :]
            shares.append(100 * _told(way, seen, openings, order[:size], asked).right.mean())
        found[size] = np.array(shares)
    return found


def _split(parts: Any, openings: Openings) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    with warnings.catch_warnings():
        # Some openings came once or twice: they are in fewer parts than there are.
        warnings.simplefilter("ignore", UserWarning)
        return list(parts.split(openings.hands, openings.calls))


def _told(
    way: Way,
    seen: NDArray[np.floating],
    openings: Openings,
    taught: NDArray[np.int64],
    asked: NDArray[np.int64],
) -> Judged:
    """Judge the hands `asked` after learning from the hands `taught`."""
    classifier = way.made()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        # Where fewer hands teach it, the distances to all of them are taken.
        warnings.filterwarnings("ignore", "n_components > n_samples", UserWarning)
        classifier.fit(seen[taught], openings.calls[taught])
    likely = classifier.predict_proba(seen[asked])
    names = classifier.classes_
    right = names[likely.argmax(axis=1)] == openings.calls[asked]
    had = (likely * (names == openings.calls[asked][:, None])).sum(axis=1)
    return Judged(right.astype(np.float64), -np.log2(np.maximum(had, LEAST)))


def expert(hand: Hand) -> str:
    """Return the opening by plain rules of Polish Club, from points and lengths alone."""
    points = hcp(hand)
    clubs, diamonds, hearts, spades = hand.lengths
    longest = longest_suit(hand)
    most = hand.length(longest)
    if points >= 18:
        return "1C"
    if is_balanced(hand) and 15 <= points <= 17 and max(hearts, spades) < 5:
        return "1N"
    if points >= 12 or (points == 11 and most >= 5 and not is_balanced(hand)):
        if max(hearts, spades) >= 5:
            return "1S" if spades >= hearts else "1H"
        if diamonds >= 5 or (diamonds == 4 and not is_balanced(hand) and clubs <= 5):
            return "1D"
        if clubs >= 5 and points <= 14 and (clubs >= 6 or max(hearts, spades) == 4):
            return "2C"
        return "1C"
    if points >= 6 and most >= 7:
        return f"3{longest}"
    if points >= 6 and most == 6:
        return {Suit.SPADES: "2D", Suit.HEARTS: "2D", Suit.CLUBS: "3C"}.get(longest, "PASS")
    if points >= 6 and spades >= 5 and max(clubs, diamonds) >= 5:
        return "2S"
    return "PASS"


def by_rules(openings: Openings) -> Array:
    """Return which openings the rules find, n of 0 and 1."""
    found = [expert(hand_of(row)) for row in openings.hands]
    right: Array = (np.array(found) == openings.calls).astype(np.float64)
    return right


def openings_table(found: dict[str, Judged], papers: dict[str, str], rules: Array) -> str:
    """Return the table of openings that each way finds, as markdown."""
    first = found["vector, nearest"].right
    every: list[tuple[str, str, Array, str]] = [
        (name, papers.get(name, ""), each.right, figure(each.surprise, 2))
        for name, each in found.items()
    ]
    every.append(("plain rules of Polish Club", "81.22", rules, ""))
    rows: list[list[str]] = []
    for name, paper, right, bits in every:
        mean, error = 100 * right.mean(), 100 * standard_error(right)
        more = right - first
        cells = [name, paper, figure(100 * right, 1)]
        cells.append(f"{mean - 1.96 * error:.1f} to {mean + 1.96 * error:.1f}")
        cells += [figure(100 * more, 1, "+"), p_value(more)] if more.any() else ["", ""]
        rows.append([*cells, bits])
    heads = ["classifier", "paper", "per cent right", "95 %", "more than the nearest vector", "p"]
    return table([*heads, "bits"], rows)


def curves_table(found: dict[str, dict[int, Array]]) -> str:
    """Return the table of per cent found by the number of hands learned from, as markdown."""
    sizes = list(next(iter(found.values())))
    rows = [
        [name, *(figure(each, 1) for each in shares.values())] for name, shares in found.items()
    ]
    return table(["taught by hands", *map(str, sizes)], rows)


def _cards(hands: Hands) -> Array:
    return hands.astype(np.float64)


def _heuristics(hands: Hands) -> Array:
    """Return the paper's nine: points, lengths, and the numbers of aces, kings, queens, jacks."""
    ranks = hands.reshape(-1, 4, 13).sum(axis=1)
    return np.concatenate([standard(hands), ranks[:, :8:-1]], axis=1).astype(np.float64)


def _vectors(net: Hand2VecNet, hands: Hands) -> Array:
    return net.vectors(hands).astype(np.float64)


def _both(net: Hand2VecNet, hands: Hands) -> Array:
    return np.concatenate([_vectors(net, hands), standard(hands)], axis=1)


def _weighted() -> Any:
    return KNeighborsClassifier(10, weights="distance")


def _small_net() -> Any:
    return make_pipeline(StandardScaler(), MLPClassifier((8, 16, 8), max_iter=200, random_state=1))


def _logistic(weight: float) -> Any:
    return make_pipeline(StandardScaler(), LogisticRegression(C=weight, max_iter=2000))


def _kernel() -> Any:
    """Return logistic regression on Gaussian distances to 300 of the hands learned from."""
    return make_pipeline(
        StandardScaler(),
        Nystroem(gamma=0.05, n_components=300, random_state=1),
        LogisticRegression(C=10.0, max_iter=2000),
    )

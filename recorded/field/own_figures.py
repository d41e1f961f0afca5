"""The file's own figures of a board against what the scores are worth.

Programs count in several ways: one or two matchpoints for a win, over the whole field or each
section, cross-IMPs or Butler. The way of an event is the one that most of its figures agree with,
and a figure that does not agree with it is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from bridge_arena.bridge.field_scoring import datum
from bridge_arena.bridge.scoring import imps
from bridge_arena.recorded.field.tables import FieldBoard, Result
from bridge_arena.recorded.field.worth import Worth, worths

SCORE = "score"

WAYS = {
    "MP": ("two for a win", "one for a win", "Ascherman, two for a win", "Ascherman"),
    "Percentage": ("of the top", "Ascherman"),
    "IMP": (
        "cross-IMPs",
        "cross-IMPs over all tables",
        "sum of cross-IMPs",
        "Butler",
        "Butler without the best and the worst",
        "Butler of all",
    ),
}
"""The ways of each kind of figure, the most usual first."""

FIELD, SECTION = "", " in the section"

_Values = dict[tuple[str, str, str], Fraction]
"""What North-South's score is worth, by kind, way and scope; the kind alone with `top` is what
both sides have together."""


@dataclass(slots=True)
class Agreement:
    """Figures of one kind: how many there are, how many agree, by the way they were counted."""

    figures: Counter[str] = field(default_factory=Counter)
    agreed: Counter[str] = field(default_factory=Counter)

    def add(self, other: Agreement) -> None:
        self.figures += other.figures
        self.agreed += other.agreed


@dataclass(frozen=True, slots=True)
class Compared:
    """A board. `agreements`: by kind, SCORE among them. `differences`: what is to be said of each
    result, in their order; empty where all agrees."""

    agreements: Mapping[str, Agreement]
    differences: tuple[str, ...]


class Ways:
    """How the figures of each event were counted: add every board, then ask."""

    def __init__(self) -> None:
        # Figures that agree, by file, event and kind, and then by way and scope.
        self._agreed: dict[tuple[str, str, str], Counter[tuple[str, str]]] = {}

    def add(self, board: FieldBoard) -> None:
        kinds = _kinds(board)
        values = _values(board) if kinds else []
        for kind in kinds:
            count = _count(board, kind)
            agreed = self._agreed.setdefault((board.file, board.event, kind), Counter())
            for way, scope in _all_ways(kind):
                differing = _differing(board, kind, way, scope, values)
                agreed[way, scope] += count - sum(1 for _ in differing)

    def best(self, board: FieldBoard, kind: str) -> tuple[str, str]:
        """The way and scope of the board's event; the most usual one of those that fit best."""
        agreed = self._agreed.get((board.file, board.event, kind), Counter())
        return max(_all_ways(kind), key=lambda each: agreed[each])


def compare(board: FieldBoard, ways: Ways) -> Compared:
    """Compare every figure of a board."""
    agreements: dict[str, Agreement] = {}
    texts: list[list[str]] = [[] for _ in board.results]
    _compare_scores(board, agreements, texts)
    kinds = _kinds(board)
    values = _values(board) if kinds else []
    for kind in kinds:
        way, scope = ways.best(board, kind)
        differing = list(_differing(board, kind, way, scope, values))
        count = _count(board, kind)
        agreement = agreements.setdefault(kind, Agreement())
        agreement.figures[way + scope] += count
        agreement.agreed[way + scope] += count - len(differing)
        for at, text in differing:
            texts[at].append(text)
    return Compared(agreements, tuple("; ".join(each) for each in texts))


def _all_ways(kind: str) -> list[tuple[str, str]]:
    return [(way, scope) for scope in (FIELD, SECTION) for way in WAYS[kind]]


def _kinds(board: FieldBoard) -> list[str]:
    kinds = {name.partition("_")[0] for result in board.results for name in result.table.own}
    return [kind for kind in WAYS if kind in kinds]


def _count(board: FieldBoard, kind: str) -> int:
    return sum(name.startswith(f"{kind}_") for result in board.results for name in result.table.own)


def _compare_scores(
    board: FieldBoard, agreements: dict[str, Agreement], texts: list[list[str]]
) -> None:
    for result, text in zip(board.results, texts, strict=True):
        own = result.table.score
        if own is None or not result.table.has_result:
            continue
        agreement = agreements.setdefault(SCORE, Agreement())
        agreement.figures[""] += 1
        if own == result.score:
            agreement.agreed[""] += 1
        else:
            text.append(f"score NS {own}, the result is worth NS {result.score}")


def _differing(
    board: FieldBoard, kind: str, way: str, scope: str, values: list[_Values]
) -> Iterator[tuple[int, str]]:
    """The place of each result with a figure that is not so, and what is to be said."""
    for at, (result, worth) in enumerate(zip(board.results, values, strict=True)):
        value, top = worth[kind, way, scope], worth[kind, f"{way} top", scope]
        for name, expected in ((f"{kind}_NS", value), (f"{kind}_EW", top - value)):
            own = result.table.own.get(name)
            if own is not None and not _agrees(own, expected, kind):
                yield at, f"{name} {own}, not {_as(own, expected)}"


def _agrees(own: Decimal, value: Fraction, kind: str) -> bool:
    """Whether a figure is the value as far as it has decimals, a half rounded either way; but
    half a matchpoint is no rounding."""
    unit = Fraction(10) ** int(own.as_tuple().exponent)
    distance = abs(Fraction(own) - value)
    return distance < unit / 2 or (distance == unit / 2 and kind != "MP")


def _as(own: Decimal, value: Fraction) -> str:
    decimals = max(2, -int(own.as_tuple().exponent))
    return f"{float(value):.{decimals}f}".rstrip("0").rstrip(".")


def _values(board: FieldBoard) -> list[_Values]:
    """For each result."""
    sections: dict[str, list[Result]] = {}
    for result in board.results:
        sections.setdefault(result.table.section, []).append(result)
    whole = _of_scores(board.scores, FIELD)
    by_section = {name: _of_scores(_scores(part), SECTION) for name, part in sections.items()}
    return [
        whole[result.score] | by_section[result.table.section][result.score]
        for result in board.results
    ]


def _scores(results: list[Result]) -> list[int]:
    return [result.score for result in results for _ in range(result.table.multiplicity)]


def _of_scores(scores: list[int], scope: str) -> dict[int, _Values]:
    without_ends = datum(sorted(scores)[1:-1] or scores, 0)
    of_all = datum(scores, 0)
    return {
        score: {
            (kind, name, scope): value
            for kind, way, value, top in _ways(
                worth, imps(score - without_ends), imps(score - of_all)
            )
            for name, value in ((way, value), (f"{way} top", top))
        }
        for score, worth in worths(scores).items()
    }


def _ways(
    worth: Worth, without_ends: int, of_all: int
) -> Iterator[tuple[str, str, Fraction, Fraction]]:
    """A kind, a way, what it makes of the score, and what both sides have together."""
    points, n, nothing = Fraction(worth.matchpoints), worth.tables, Fraction(0)
    top = Fraction(worth.top)
    yield "MP", "two for a win", points, top
    yield "MP", "one for a win", points / 2, top / 2
    yield "MP", "Ascherman, two for a win", points + 1, top + 2
    yield "MP", "Ascherman", (points + 1) / 2, top / 2 + 1
    half = Fraction(50)
    hundred = Fraction(100)
    yield "Percentage", "of the top", 100 * points / top if top else half, hundred
    yield "Percentage", "Ascherman", 100 * (points + 1) / (top + 2), hundred
    cross = worth.cross_imps
    yield "IMP", "cross-IMPs", cross, nothing
    yield "IMP", "cross-IMPs over all tables", cross * (n - 1) / n, nothing
    yield "IMP", "sum of cross-IMPs", cross * (n - 1), nothing
    yield "IMP", "Butler", Fraction(worth.butler), nothing
    yield "IMP", "Butler without the best and the worst", Fraction(without_ends), nothing
    yield "IMP", "Butler of all", Fraction(of_all), nothing

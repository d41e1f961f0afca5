"""The file's own figures of a board, compared with what the scores are worth, and with the solver.

Programs count in several ways: one or two matchpoints for a win, over the whole field or each
section, cross-IMPs or Butler. The way of an event is the one with which most of its figures agree.
A figure that does not agree with it is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from bridge_arena.bridge.scoring import datum, imps
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import Par
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read import results as perfect_play
from bridge_arena.pbn.read.results import DIGITS, OPTIMUM, Optimum, Tricks, optimum_of
from bridge_arena.recorded.field.tables import FieldBoard, Result, Worth, worths

SCORE = "score"


@dataclass(frozen=True, slots=True)
class _Among:
    """A score among others."""

    worth: Worth
    without_ends: int  # its Butler IMPs against the mean without the best and the worst score
    of_all: int  # its Butler IMPs against the mean of all scores


def _matchpoints(more: int, unit: int) -> _Count:
    """Return the count of matchpoints, with `more` for the table itself, in units of `unit`."""
    return lambda among: (
        Fraction(among.worth.matchpoints + more, unit),
        Fraction(among.worth.top + 2 * more, unit),
    )


def _percentage(more: int) -> _Count:
    def count(among: _Among) -> tuple[Fraction, Fraction]:
        points, top = _matchpoints(more, 1)(among)
        return (100 * points / top if top else Fraction(50)), Fraction(100)

    return count


def _imps(count: Callable[[_Among], Fraction | int]) -> _Count:
    return lambda among: (Fraction(count(among)), Fraction(0))


_Count = Callable[[_Among], tuple[Fraction, Fraction]]
"""A function that returns what North-South's score is worth, and what both sides have together."""

WAYS: Mapping[str, Mapping[str, _Count]] = {
    "MP": {
        "two for a win": _matchpoints(0, 1),
        "one for a win": _matchpoints(0, 2),
        "Ascherman, two for a win": _matchpoints(1, 1),
        "Ascherman": _matchpoints(1, 2),
    },
    "Percentage": {"of the top": _percentage(0), "Ascherman": _percentage(1)},
    "IMP": {
        "cross-IMPs": _imps(lambda among: among.worth.cross_imps),
        "cross-IMPs over all tables": _imps(
            lambda among: among.worth.cross_imps * (among.worth.tables - 1) / among.worth.tables
        ),
        "sum of cross-IMPs": _imps(lambda among: among.worth.cross_imps * (among.worth.tables - 1)),
        "Butler": _imps(lambda among: among.worth.butler),
        "Butler without the best and the worst": _imps(lambda among: among.without_ends),
        "Butler of all": _imps(lambda among: among.of_all),
    },
}
"""The ways of each kind of figure, the most usual first."""

FIELD, SECTION = "", " in the section"


@dataclass(slots=True)
class Agreement:
    """Figures of one kind, by the way they were counted."""

    figures: Counter[str] = field(default_factory=Counter)  # how many there are
    agreed: Counter[str] = field(default_factory=Counter)  # how many of them agree

    def add(self, other: Agreement) -> None:
        """Add the figures of another board."""
        self.figures += other.figures
        self.agreed += other.agreed


@dataclass(frozen=True, slots=True)
class Compared:
    """The figures of a board, compared."""

    agreements: Mapping[str, Agreement]  # how many agree, by kind; SCORE is one of the kinds
    # The differences of each result, in the order of the results; empty where all figures agree.
    differences: tuple[str, ...]


class Ways:
    """How the figures of each event were counted: every board is added, then it is asked."""

    def __init__(self) -> None:
        # The number of figures that agree, by file, event and kind, then by way and scope.
        self._agreed: dict[tuple[str, str, str], Counter[tuple[str, str]]] = {}

    def add(self, board: FieldBoard) -> None:
        kinds = _kinds(board)
        if not kinds:
            return
        values = _Values(board)
        for kind in kinds:
            count = _count(board, kind)
            agreed = self._agreed.setdefault((board.file, board.event, kind), Counter())
            for way, scope in _all_ways(kind):
                differing = _differing(board, kind, way, scope, values)
                agreed[way, scope] += count - sum(1 for _ in differing)

    def best(self, board: FieldBoard, kind: str) -> tuple[str, str]:
        """Return way and scope of the board's event: the most usual of those that fit best."""
        agreed = self._agreed.get((board.file, board.event, kind), Counter())
        return max(_all_ways(kind), key=lambda way: agreed[way])


def compare(board: FieldBoard, ways: Ways) -> Compared:
    """Compare every figure of a board."""
    agreements: dict[str, Agreement] = {}
    texts: list[list[str]] = [[] for _ in board.results]
    _compare_scores(board, agreements, texts)
    kinds = _kinds(board)
    if kinds:
        values = _Values(board)
    for kind in kinds:
        way, scope = ways.best(board, kind)
        differing = list(_differing(board, kind, way, scope, values))
        count = _count(board, kind)
        agreement = agreements.setdefault(kind, Agreement())
        agreement.figures[way + scope] += count
        agreement.agreed[way + scope] += count - len(differing)
        for at, text in differing:
            texts[at].append(text)
    return Compared(agreements, tuple("; ".join(of_result) for of_result in texts))


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
    board: FieldBoard, kind: str, way: str, scope: str, values: _Values
) -> Iterator[tuple[int, str]]:
    """Yield the place of each result with a figure that differs, and a text that says so."""
    count = WAYS[kind][way]
    for at, result in enumerate(board.results):
        if not result.table.own:
            continue
        value, top = count(values.of(result, scope))
        for name, expected in ((f"{kind}_NS", value), (f"{kind}_EW", top - value)):
            own = result.table.own.get(name)
            if own is not None and not _agrees(own, expected, kind):
                yield at, f"{name} {own}, not {_as(own, expected)}"


def _agrees(own: Decimal, value: Fraction, kind: str) -> bool:
    """Return whether a figure is the value, rounded to the decimals that it has."""
    # A half may be rounded either way, but half a matchpoint is not a rounding error.
    unit = Fraction(10) ** int(own.as_tuple().exponent)
    distance = abs(Fraction(own) - value)
    return distance < unit / 2 or (distance == unit / 2 and kind != "MP")


def _as(own: Decimal, value: Fraction) -> str:
    decimals = max(2, -int(own.as_tuple().exponent))
    return f"{float(value):.{decimals}f}".rstrip("0").rstrip(".")


class _Values:
    """The worth of each result in the field and in its section."""

    def __init__(self, board: FieldBoard) -> None:
        sections: dict[str, list[Result]] = {}
        for result in board.results:
            sections.setdefault(result.table.section, []).append(result)
        self._field = _among(board.scores)
        self._sections = {
            name: self._field if len(sections) == 1 else _among(_scores(part))
            for name, part in sections.items()
        }

    def of(self, result: Result, scope: str) -> _Among:
        """Return the worth of a result."""
        among = self._sections[result.table.section] if scope == SECTION else self._field
        return among[result.score]


def _scores(results: list[Result]) -> list[int]:
    return [result.score for result in results for _ in range(result.table.multiplicity)]


def _among(scores: list[int]) -> dict[int, _Among]:
    without_ends, of_all = datum(sorted(scores)[1:-1] or scores, 0), datum(scores, 0)
    return {
        score: _Among(worth, imps(score - without_ends), imps(score - of_all))
        for score, worth in worths(scores).items()
    }


@dataclass(slots=True)
class OracleFigures:
    """Counts of boards by tag."""

    # The boards that have the tag and were solved.
    figures: Counter[str] = field(default_factory=Counter)
    agreed: Counter[str] = field(default_factory=Counter)  # those of them whose figures agree
    # The boards that have the tag and were not solved.
    unsolved: Counter[str] = field(default_factory=Counter)

    def add(self, game: Game, table: DoubleDummyTable | None, best: Par | None) -> str:
        """Count a game, and return what differs; empty if nothing does."""
        optimum = optimum_of(game)
        if table is None:
            self.unsolved.update(_tags(optimum))
            return ""
        differences: list[str] = []
        for tag, tricks in ((OPTIMUM, optimum.table), (DIGITS, optimum.digits)):
            if tricks:
                self._count(tag, _difference(tag, tricks, table), differences)
        if optimum.score is not None and best is not None:
            text = ""
            if optimum.score != best.score:
                text = f"{perfect_play.SCORE} NS {optimum.score}, par is NS {best.score}"
            self._count(perfect_play.SCORE, text, differences)
        return "; ".join(differences)

    def texts(self) -> Iterator[str]:
        """Yield the number of figures that agree, for each tag."""
        for tag, count in self.figures.items():
            yield f"{self.agreed[tag]} of {count} {tag} agree"

    def _count(self, tag: str, difference: str, differences: list[str]) -> None:
        self.figures[tag] += 1
        self.agreed[tag] += not difference
        if difference:
            differences.append(difference)


def _tags(optimum: Optimum) -> Iterator[str]:
    if optimum.table:
        yield OPTIMUM
    if optimum.digits:
        yield DIGITS
    if optimum.score is not None:
        yield perfect_play.SCORE


def _difference(tag: str, tricks: Tricks, table: DoubleDummyTable) -> str:
    wrong = [
        f"{denomination} {seat} {own}, not {table.tricks(denomination, seat)}"
        for (denomination, seat), own in tricks.items()
        if own != table.tricks(denomination, seat)
    ]
    if not wrong:
        return ""
    more = f" and {len(wrong) - 1} more" if wrong[1:] else ""
    return f"{tag} {wrong[0]}{more}"

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
from bridge_arena.pbn.read.results import DIGITS, OPTIMUM, Tricks, optimum_of
from bridge_arena.recorded.field.tables import FieldBoard, Worth, worths

SCORE = "score"


@dataclass(frozen=True, slots=True)
class _Among:
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
        self.figures += other.figures
        self.agreed += other.agreed


@dataclass(frozen=True, slots=True)
class Compared:
    agreements: Mapping[str, Agreement]  # how many agree, by kind; SCORE is one of the kinds
    differences: tuple[str, ...]  # of each result; empty where all figures agree


class Ways:
    """How the figures of each event were counted: every board is added, then it is asked."""

    def __init__(self) -> None:
        # The number of figures that agree, by file, event and kind, then by way and scope.
        self._agreed: dict[tuple[str, str, str], Counter[tuple[str, str]]] = {}

    def add(self, board: FieldBoard) -> None:
        figures = _Figures(board)
        for kind, count in figures.counts.items():
            agreed = self._agreed.setdefault((board.file, board.event, kind), Counter())
            for way, scope in _all_ways(kind):
                agreed[way, scope] += count - len(figures.differing(kind, way, scope))

    def best(self, board: FieldBoard, kind: str) -> tuple[str, str]:
        """Return way and scope of the board's event: the most usual of those that fit best."""
        agreed = self._agreed.get((board.file, board.event, kind), Counter())
        return max(_all_ways(kind), key=lambda way: agreed[way])


def compare(board: FieldBoard, ways: Ways) -> Compared:
    agreements: dict[str, Agreement] = {}
    texts: list[list[str]] = [[] for _ in board.results]
    for result, of_result in zip(board.results, texts, strict=True):
        own = result.table.score
        if own is not None and result.table.has_result:
            scores = agreements.setdefault(SCORE, Agreement())
            scores.figures[""] += 1
            scores.agreed[""] += own == result.score
            if own != result.score:
                of_result.append(f"score NS {own}, the result is worth NS {result.score}")
    figures = _Figures(board)
    for kind, count in figures.counts.items():
        way, scope = ways.best(board, kind)
        differing = figures.differing(kind, way, scope)
        agreed = Counter({way + scope: count - len(differing)})
        agreements[kind] = Agreement(Counter({way + scope: count}), agreed)
        for at, text in differing:
            texts[at].append(text)
    return Compared(agreements, tuple("; ".join(of_result) for of_result in texts))


def _all_ways(kind: str) -> list[tuple[str, str]]:
    return [(way, scope) for scope in (FIELD, SECTION) for way in WAYS[kind]]


def _agrees(own: Decimal, value: Fraction, kind: str) -> bool:
    """Return whether a figure is the value, rounded to the decimals that it has."""
    # A half may be rounded either way, but half a matchpoint is not a rounding error.
    unit = Fraction(10) ** int(own.as_tuple().exponent)
    distance = abs(Fraction(own) - value)
    return distance < unit / 2 or (distance == unit / 2 and kind != "MP")


def _as(own: Decimal, value: Fraction) -> str:
    decimals = max(2, -int(own.as_tuple().exponent))
    return f"{float(value):.{decimals}f}".rstrip("0").rstrip(".")


class _Figures:
    """The file's own figures of a board, and the worth of each result in field and section."""

    def __init__(self, board: FieldBoard) -> None:
        names = Counter(
            name.partition("_")[0] for result in board.results for name in result.table.own
        )
        self.counts = {kind: names[kind] for kind in WAYS if names[kind]}  # how many, by kind
        self._results = board.results
        if not self.counts:
            return
        sections: dict[str, list[int]] = {}
        for result in board.results:
            scores = [result.score] * result.table.multiplicity
            sections.setdefault(result.table.section, []).extend(scores)
        self._field = _among(board.scores)
        self._sections = {
            name: self._field if len(sections) == 1 else _among(scores)
            for name, scores in sections.items()
        }

    def differing(self, kind: str, way: str, scope: str) -> list[tuple[int, str]]:
        """Return the place of each result with a figure that differs, and a text that says so."""
        differing: list[tuple[int, str]] = []
        for at, result in enumerate(self._results):
            own = result.table.own
            if not own:
                continue
            among = self._sections[result.table.section] if scope == SECTION else self._field
            value, top = WAYS[kind][way](among[result.score])
            for name, expected in ((f"{kind}_NS", value), (f"{kind}_EW", top - value)):
                if name in own and not _agrees(own[name], expected, kind):
                    differing.append((at, f"{name} {own[name]}, not {_as(own[name], expected)}"))
        return differing


def _among(scores: list[int]) -> dict[int, _Among]:
    without_ends, of_all = datum(sorted(scores)[1:-1] or scores, 0), datum(scores, 0)
    return {
        score: _Among(worth, imps(score - without_ends), imps(score - of_all))
        for score, worth in worths(scores).items()
    }


@dataclass(slots=True)
class OracleFigures:
    """Counts of boards by tag."""

    figures: Counter[str] = field(default_factory=Counter)  # with the tag, and solved
    agreed: Counter[str] = field(default_factory=Counter)  # those of them whose figures agree
    unsolved: Counter[str] = field(default_factory=Counter)  # with the tag, and not solved

    def add(self, game: Game, table: DoubleDummyTable | None, best: Par | None) -> str:
        """Count a game, and return what differs; empty if nothing does."""
        optimum = optimum_of(game)
        tags = {OPTIMUM: optimum.table, DIGITS: optimum.digits}
        given = [tag for tag, tricks in tags.items() if tricks]
        given += [perfect_play.SCORE] * (optimum.score is not None)
        if table is None or best is None:
            self.unsolved.update(given)
            return ""
        self.figures.update(given)
        differences = {tag: _difference(tag, tricks, table) for tag, tricks in tags.items()}
        if optimum.score not in (None, best.score):
            text = f"{perfect_play.SCORE} NS {optimum.score}, par is NS {best.score}"
            differences[perfect_play.SCORE] = text
        self.agreed.update(tag for tag in given if not differences.get(tag))
        return "; ".join(filter(None, differences.values()))

    def texts(self) -> Iterator[str]:
        """Yield the number of figures that agree, for each tag."""
        for tag, count in self.figures.items():
            yield f"{self.agreed[tag]} of {count} {tag} agree"


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

"""What an entry of a pairs or individual event scored on each board: recaps and scorecards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from pathlib import Path

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.reports.common.columns import Column, with_minus
from bridge_arena.reports.common.page import templates
from bridge_arena.reports.common.replay_pages import place_of
from bridge_arena.reports.common.tables import SeatedTable, TablesOfBoard
from bridge_arena.reports.common.wording import decimal_text, error, made_text, signed
from bridge_arena.reports.leaderboard.figures import EventFigures
from bridge_arena.reports.leaderboard.links import Links
from bridge_arena.tournaments import Format, Scoring
from bridge_arena.tournaments.schedule.scores import BOARD_UNITS
from bridge_arena.tournaments.schedule.standings import Standing
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean

MOST_ENTRIES = 24
"""The most entries of a recap."""

MOST_BOARDS = 32
"""The most boards of a recap."""


@dataclass(frozen=True, slots=True)
class Line:
    """A board of an entry's scorecard."""

    board: TablesOfBoard
    place: int  # the place of the table among those of the board
    seat: Seat  # of a pair, its first
    partner: str  # "" for a pair
    opponents: str
    score: float  # by the event's scoring
    imps: float | None  # cross-IMPs; None if no other table finished the board

    @property
    def table(self) -> SeatedTable:
        return self.board.tables[self.place]


def lines_of(figures: EventFigures) -> Mapping[str, Sequence[Line]]:
    """Return the boards of every entry of a pairs or individual event that have a score."""
    lines: dict[str, list[Line]] = {entrant.name: [] for entrant in figures.event.entries}
    for board in figures.boards:
        for place, score in enumerate(board.scores):
            if score is None:
                continue
            names = board.tables[place].names
            for name in dict.fromkeys(names):  # a pair counts once for both seats
                seat = SEATS[names.index(name)]
                is_ns = seat.side is Side.NS
                partner = names[seat.partner]
                others = dict.fromkeys((names[seat.next], names[seat.previous]))
                lines[name].append(
                    Line(
                        board,
                        place,
                        seat,
                        "" if partner == name else partner,
                        " and ".join(others),
                        score.north_south if is_ns else score.east_west,
                        score.imps if is_ns or score.imps is None else -score.imps,
                    )
                )
    return lines


def score_of(lines: Sequence[Line], standing: Standing) -> Mean:
    """Return the mean score of a board in the standings, with its standard error.

    The error is not known if boards count that were not played against a withdrawn entry.
    """
    mean = clustered_mean((line.board.board.deal, line.score) for line in lines)
    is_all = isclose(mean.mean or 0.0, standing.score, abs_tol=1e-9)
    return mean if is_all else Mean(mean.n, standing.score, None)


def cross_imps_of(lines: Sequence[Line]) -> Mean:
    """Return the mean cross-IMPs of a board, with its standard error."""
    known = [(line.board.board.deal, line.imps) for line in lines if line.imps is not None]
    return clustered_mean(known)


def score_text(mean: Mean, scoring: Scoring) -> str:
    """Return a mean score with its standard error; "-" if there is none."""
    if mean.mean is None:
        return "-"
    return shown_score(scoring)(mean.mean) + error(mean, 2)


def shown_score(scoring: Scoring, digits: int = 2) -> Callable[[float], str]:
    """Return what writes a score: as a percentage, or as IMPs with their sign."""
    write = decimal_text if scoring is Scoring.MATCHPOINTS else signed
    return lambda score: write(score, digits)


@dataclass(frozen=True, slots=True)
class Recap:
    """The scores of the first entries on the first boards."""

    boards: Sequence[TablesOfBoard]
    entries: Sequence[tuple[int, str, Sequence[str]]]  # the place in the event, the name, scores


def recap(figures: EventFigures) -> Recap:
    """Return the scores of the first entries of the standings on the first boards."""
    boards = figures.boards[:MOST_BOARDS]
    lines, show = lines_of(figures), shown_score(figures.event.scoring, 0)
    entries: list[tuple[int, str, Sequence[str]]] = []
    for standing in figures.standings.entries[:MOST_ENTRIES]:
        name = figures.event.entries[standing.entry].name
        scores = {id(line.board): show(line.score) for line in lines[name]}
        cells = [with_minus(scores.get(id(board), "")) for board in boards]
        entries.append((standing.entry, name, cells))
    return Recap(boards, entries)


def scorecards(
    figures: EventFigures, number: int, links: Links, up: str
) -> Iterator[tuple[str, str]]:
    """Yield the address and the page of each entry's scorecard, beside the boards.

    `number` is the event's place in the leaderboard, whose page is at `up`.
    """
    template = templates(Path(__file__).parent).get_template("scorecard.html")
    standings = {standing.entry: standing for standing in figures.standings.entries}
    for place, (name, lines) in enumerate(lines_of(figures).items()):
        if not lines:
            continue
        mean = score_of(lines, standings[place])
        page = template.render(
            name=name,
            event=figures.event.name,
            total=f"{score_text(mean, figures.event.scoring)} {figures.standings.unit}",
            boards=mean.n,
            columns=_columns(figures, number, links),
            lines=lines,
            up=up,
        )
        yield links.name_of_scorecard(number, place), page


def _columns(figures: EventFigures, number: int, links: Links) -> list[Column[Line]]:
    def record(line: Line) -> BoardRecord:
        return line.table.record

    def result(line: Line) -> str:
        contract = record(line).contract
        if not record(line).is_finished:
            return "adjusted"
        if contract is None:
            return "Pass"
        trump = contract.denomination.trump
        strain = "NT" if trump is None else trump.symbol
        made = with_minus(made_text(contract, record(line).tricks))
        return f"{contract.level}{strain}{contract.risk} {contract.declarer} {made}"

    def points(line: Line) -> int | None:
        score = record(line).score
        return score if score is None or line.seat.side is Side.NS else -score

    scoring = figures.event.scoring
    with_partner: list[Column[Line]] = [
        Column("With", lambda line: line.partner, is_text=True, css="name")
    ]
    crossed: list[Column[Line]] = [Column("Cross-IMPs", lambda line: line.imps, _imps)]
    return [
        Column(
            "Board",
            lambda line: line.board.board.number,
            is_text=True,
            link=lambda line: place_of(links.name_of_board(number, line.board), line.place),
        ),
        Column(BOARD_UNITS[scoring], lambda line: line.score, shown_score(scoring, 1)),
        Column("Contract", result, is_text=True, is_whole=True),
        Column("Points", points, lambda value: "-" if value is None else signed(value)),
        *([] if scoring is Scoring.CROSS_IMPS else crossed),
        Column("Seat", lambda line: str(line.seat), is_text=True),
        *(with_partner if figures.event.format is Format.INDIVIDUAL else []),
        Column("Against", lambda line: line.opponents, is_text=True, css="name"),
    ]


def _imps(imps: float | None) -> str:
    return decimal_text(None) if imps is None else signed(imps, 1)

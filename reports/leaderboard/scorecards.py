"""Scorecards of entries: a team's matches, or the boards of a pair or player, and their recap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from bridge_arena.bridge.cards import Suit
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Side
from bridge_arena.reports.common.columns import Column, with_minus
from bridge_arena.reports.common.page import templates
from bridge_arena.reports.common.replay_pages import list_address, place_of
from bridge_arena.reports.common.tables import TablesOfBoard, TeamMatch
from bridge_arena.reports.common.wording import decimal_text, error, made_text, signed
from bridge_arena.reports.leaderboard.event_figures import EventFigures
from bridge_arena.reports.leaderboard.lines import Line, score_of
from bridge_arena.reports.leaderboard.links import Links
from bridge_arena.tournaments import Format, Scoring
from bridge_arena.tournaments.schedule.scores import BOARD_UNITS
from bridge_arena.tournaments.statistics.means import Mean

MOST_ENTRIES = 24
"""The most entries of a recap."""

MOST_BOARDS = 32
"""The most boards of a recap."""


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
    lines, show = figures.lines, shown_score(figures.event.scoring, 0)
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
    for place, (name, lines) in enumerate(figures.lines.items()):
        if not figures.has_scorecard(place):
            continue
        matches = [match for match in figures.matches if name in match.names]
        standing = standings[place]
        columns: list[Column[TeamMatch]] | list[Column[Line]]
        if matches:
            total = decimal_text(
                standing.score, 0 if standing.score == round(standing.score) else 2
            )
            columns = _match_columns(name, number, links)
        else:
            total = score_text(score_of(figures.sums, standing), figures.event.scoring)
            columns = _columns(figures, number, links)
        yield (
            links.name_of_scorecard(number, place),
            template.render(
                name=name,
                event=figures.event.name,
                total=f"{total} {figures.standings.unit}",
                boards=standing.boards if matches else len(lines),
                columns=columns,
                lines=matches or lines,
                up=up,
            ),
        )


def _match_columns(name: str, number: int, links: Links) -> list[Column[TeamMatch]]:
    """Return the columns of a team's matches."""

    def own(match: TeamMatch) -> int:
        return match.names.index(name)

    def imps(match: TeamMatch) -> int:
        return match.outcome.imps_of(own(match))

    def forfeit(match: TeamMatch) -> str:
        return f"forfeited by {' and '.join(match.forfeited)}" if match.forfeited else ""

    def boards(match: TeamMatch) -> str:
        return list_address(links.name_of_match(number, match)) if match.boards else ""

    return [
        Column("Round", lambda match: match.round, is_text=True, link=boards),
        Column(
            "Against",
            lambda match: match.names[1 - own(match)],
            is_text=True,
            css="name",
            remark=forfeit,
        ),
        Column("IMPs", imps, signed, is_coloured=True),
        Column(
            "VPs",
            lambda match: match.victory_points and match.victory_points[own(match)],
            decimal_text,
        ),
        Column("Boards", lambda match: match.outcome.boards),
    ]


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
        if trump in (Suit.DIAMONDS, Suit.HEARTS):
            strain = Markup('<span class="red">{}</span>').format(strain)
        made = with_minus(made_text(contract, record(line).tricks))
        parts = contract.level, strain, contract.risk, contract.declarer, made
        return Markup("{}{}{} {} {}").format(*parts)

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
        Column(
            "Contract",
            lambda line: line,
            result,
            is_text=True,
            is_whole=True,
            remark=lambda line: "ruled" if line.table.rulings else "",
        ),
        Column("Points", points, lambda value: "-" if value is None else signed(value)),
        *([] if scoring is Scoring.CROSS_IMPS else crossed),
        Column("Seat", lambda line: str(line.seat), is_text=True),
        *(with_partner if figures.event.format is Format.INDIVIDUAL else []),
        Column("Against", lambda line: line.opponents, is_text=True, css="name"),
    ]


def _imps(imps: float | None) -> str:
    return decimal_text(None) if imps is None else signed(imps, 1)

"""The tables of a leaderboard: what the terminal, the page and `leaderboard.csv` have in common.

The columns of the CSV file are documented in docs/leaderboards.md and stable: a row for each entry,
the best first. `CSV` gives their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.columns import Column, values_of
from bridge_arena.reports.common.explanations import SUIT_KEYS, Promises
from bridge_arena.reports.common.meetings import Meeting
from bridge_arena.reports.common.tables import TeamMatch
from bridge_arena.reports.common.wording import (
    bare_mean_text,
    decimal_text,
    mean_text,
    milliseconds_text,
    promises_text,
    share_text,
    signed,
)
from bridge_arena.reports.leaderboard.event_figures import EventFigures
from bridge_arena.reports.leaderboard.figures import RankedEntry
from bridge_arena.reports.leaderboard.lines import cross_imps_of, score_of
from bridge_arena.reports.leaderboard.links import Links
from bridge_arena.reports.leaderboard.scorecards import score_text
from bridge_arena.reports.leaderboard.wording import (
    ahead_text,
    interval_text,
    matches_text,
    meeting_p_text,
    rating_text,
)
from bridge_arena.tournaments import HOME, VISITORS, ByRole, Scoring
from bridge_arena.tournaments.schedule.standings import Standing
from bridge_arena.tournaments.statistics.means import Mean

Entry = Column[RankedEntry]

NAME = Entry("Entry", lambda entry: entry.name, is_text=True, css="name", csv="name")

EXPLAINER = replace(
    NAME, remark=lambda entry: "" if entry.explanations.explained else "explains nothing"
)
"""The name beside what calls promised."""

PLAYER = replace(NAME, remark=lambda entry: "withdrawn" if entry.withdrawn else "")
"""The name beside time and faults."""

STANDING = Entry(
    "Standing",
    # The standings of several events cannot be one number.
    lambda entry: entry.standings[0] if len(entry.standings) == 1 else None,
    values=lambda place: (
        place.standing.rank,
        place.standing.score,
        place.standard_error,
        place.unit,
    ),
    only="csv",
    csv="rank score score_se score_unit",
)

RATING = (
    Entry(
        "Rating",
        lambda entry: entry.rating,
        rating_text,
        css="rating",
        values=lambda rating: (
            rating.estimate.value,
            rating.estimate.standard_error,
            *(rating.estimate.interval or (None, None)),
            rating.group,
        ),
        csv="rating rating_se rating_low rating_high rating_group",
    ),
    Entry(
        "95 % interval",
        lambda entry: entry.rating,
        interval_text,
        values=lambda rating: rating.estimate.interval or (None,),
    ),
    Entry(
        "Ahead of next",
        lambda entry: entry.rating and entry.rating.ahead,
        ahead_text,
        short="Ahead of the next",
        values=lambda ahead: (ahead.value, ahead.standard_error, ahead.p_value),
        csv="ahead_of_next ahead_of_next_se ahead_of_next_p",
    ),
)

TWO_ROOMS = (
    Entry(
        "IMPs/board",
        lambda entry: entry.imps_per_board,
        mean_text,
        csv="imps_per_board imps_per_board_se",
    ),
    Entry("Boards", lambda entry: entry.imps_per_board.n, csv="boards"),
    Entry("Adjusted", lambda entry: entry.adjusted_boards, only="csv", csv="adjusted_boards"),
)

COMPARED = (
    Entry(
        "IMPs/comparison", lambda entry: entry.cross_imps, mean_text, csv="cross_imps cross_imps_se"
    ),
    Entry("Tables", lambda entry: entry.cross_imps.n, csv="cross_tables"),
)

MATCHES = (
    Entry("VPs/match", lambda entry: entry.victory_points.mean, decimal_text, csv="vps_per_match"),
    Entry("VPs", lambda entry: entry.victory_points.total, decimal_text, only="page", csv="vps"),
    Entry("Won", lambda entry: entry.matches.won, only="page", csv="won"),
    Entry("Drawn", lambda entry: entry.matches.drawn, only="page", csv="drawn"),
    Entry("Lost", lambda entry: entry.matches.lost, only="page", csv="lost"),
    Entry("W-D-L", lambda entry: entry.matches, matches_text, only="terminal"),
    Entry(
        "Byes",
        lambda entry: sum(place.standing.byes for place in entry.standings),
        only="csv",
        csv="byes",
    ),
)

TRICKS = (
    Entry(
        "As declarer",
        lambda entry: entry.tricks_vs_dd.declarer,
        mean_text,
        csv="declarer_vs_dd declarer_vs_dd_se",
    ),
    Entry(
        "Tables", lambda entry: entry.tricks_vs_dd.declarer.n, only="page", csv="declarer_tables"
    ),
    Entry(
        "As defenders",
        lambda entry: entry.tricks_vs_dd.defence,
        mean_text,
        csv="defence_vs_dd defence_vs_dd_se",
    ),
    Entry("Tables", lambda entry: entry.tricks_vs_dd.defence.n, only="page", csv="defence_tables"),
)


def _by_role(
    csv: str,
    means: Callable[[RankedEntry], ByRole[Mean]],
    headings: tuple[str, str, str],
    short: tuple[str, str, str] = ("", "", ""),
    **shown: Any,
) -> Iterator[Entry]:
    """Yield a column for each role, of those in which IMPs or tricks are lost."""

    def mean_of(role: Role) -> Callable[[RankedEntry], Mean]:
        return lambda entry: means(entry)[role]

    for role, heading, on_terminal in zip(Role, headings, short, strict=True):
        yield Entry(
            heading,
            mean_of(role),
            short=on_terminal,
            values=lambda mean: (mean.mean,),
            csv=f"{csv}_{role.key}",
            **shown,
        )


LEDGER = (
    Entry("Boards", lambda entry: entry.ledger.boards, only="csv", csv="ledger_boards"),
    Entry(
        "Auction",
        lambda entry: entry.ledger.imps_per_board.auction,
        mean_text,
        brief=bare_mean_text,
        values=lambda mean: (mean.mean,),
        csv="imps_auction",
    ),
    *_by_role(
        "imps_own",
        lambda entry: entry.ledger.imps_per_board.own,
        ("Own lead", "Own declarer play", "Own defence"),
        ("Lead", "Declarer", "Defence"),
        show=mean_text,
        brief=bare_mean_text,
    ),
    *_by_role(
        "imps_opponents",
        lambda entry: entry.ledger.imps_per_board.opponents,
        ("Opponents’ lead", "Opponents’ declarer play", "Opponents’ defence"),
        show=mean_text,
        only="page",
    ),
    Entry(
        "Opponents'",
        lambda entry: entry.ledger.imps_per_board.opponents,
        lambda means: signed(sum(mean.mean or 0.0 for mean in means.values()), 2),
        only="terminal",
    ),
    Entry(
        "IMPs/board",
        lambda entry: entry.ledger.imps_per_board.all,
        mean_text,
        short="Sum",
        brief=bare_mean_text,
    ),
    Entry("Boards", lambda entry: entry.ledger.boards),
)

LOST = tuple(
    _by_role(
        "tricks_lost",
        lambda entry: entry.ledger.tricks_lost_per_board,
        ("Lost a board by leads", "by declarer play", "by defence"),
        ("Lost by lead", "declarer", "defence"),
        show=lambda mean: mean_text(mean).lstrip("+"),
    )
)

CONDUCT = (
    Entry("An action", lambda entry: entry.timing.mean_ms, milliseconds_text, csv="ms_per_action"),
    Entry(
        "99 % within", lambda entry: entry.timing.p99_ms, milliseconds_text, csv="ms_per_action_p99"
    ),
    Entry(
        "A board, at one table",
        lambda entry: entry.timing.table_ms,
        milliseconds_text,
        short="A board",
        csv="ms_per_table",
    ),
    Entry("Actions timed", lambda entry: entry.timing.actions, only="page"),
    Entry("Time-outs", lambda entry: entry.conduct.timeouts, short="Late", csv="timeouts"),
    Entry(
        "Refused",
        lambda entry: entry.conduct.illegal_actions + entry.conduct.malformed,
        only="terminal",
    ),
    Entry(
        "Illegal", lambda entry: entry.conduct.illegal_actions, only="page", csv="illegal_actions"
    ),
    Entry("Malformed", lambda entry: entry.conduct.malformed, only="page", csv="malformed"),
    Entry(
        "Players lost", lambda entry: entry.conduct.lost_players, short="Lost", csv="lost_players"
    ),
    Entry("Boards lost", lambda entry: entry.conduct.lost_boards, csv="lost_boards"),
    Entry("Withdrawn", lambda entry: int(entry.withdrawn), only="csv", csv="withdrawn"),
)


def _promises(name: str, heading: str) -> tuple[Entry, ...]:
    """Return the columns of one kind of promises, by its name in the figures and the CSV file."""
    in_points = name == "hcp"
    return (
        Entry(
            heading,
            lambda entry: getattr(entry.explanations, name),
            lambda promises: share_text(promises.kept),
            short=heading if in_points else heading[0],
            brief=None if in_points else _per_cent,
            values=lambda promises: (promises.kept.mean,),
            note=lambda entry: _how_many(getattr(entry.explanations, name)),
        ),
        Entry(
            heading,
            lambda entry: getattr(entry.explanations, name),
            only="csv",
            values=lambda promises: (
                promises.kept.n,
                *values_of(promises.kept),
                promises.width,
                *values_of(promises.missed_by),
            ),
            csv=" ".join(
                f"{name}_{figure}"
                for figure in ("promises", "kept", "kept_se", "width", "missed_by", "missed_by_se")
            ),
        ),
    )


def _per_cent(promises: Promises) -> str:
    share = promises.kept.mean
    return "-" if share is None else f"{100 * share:.0f}"


def _how_many(promises: Promises) -> str:
    return promises_text(promises) if promises.kept.n else ""


CALLS = (
    Entry("Calls", lambda entry: entry.explanations.calls, csv="calls"),
    Entry(
        "Explained", lambda entry: entry.explanations.explained, only="page", csv="calls_explained"
    ),
    Entry("Ranges", lambda entry: entry.explanations.with_ranges, only="terminal"),
    Entry("Alerted", lambda entry: entry.explanations.alerted, short="Alerts", csv="calls_alerted"),
    Entry(
        "With ranges",
        lambda entry: entry.explanations.with_ranges,
        only="page",
        csv="calls_with_ranges",
    ),
    Entry(
        "All of a call",
        lambda entry: entry.explanations.kept,
        share_text,
        short="All",
        csv="calls_kept calls_kept_se",
    ),
    *_promises("hcp", "Points"),
    *(column for suit in SUIT_KEYS.values() for column in _promises(suit, suit.capitalize())),
)

CSV = (
    *(NAME, STANDING, *RATING, *TWO_ROOMS, *COMPARED, *MATCHES),
    *(*TRICKS, *LEDGER, *LOST, *CONDUCT, *CALLS),
)
"""All columns that have values in the file, in its order."""

MEETINGS: tuple[Column[Meeting], ...] = (
    Column("Entry", lambda meeting: meeting.first, is_text=True),
    Column("against", lambda meeting: meeting.second, is_text=True),
    Column("IMPs/board", lambda meeting: meeting.imps_per_board, mean_text),
    Column("Boards", lambda meeting: meeting.imps_per_board.n),
    Column("Chance", lambda meeting: meeting, meeting_p_text),
)

CONTROLLED_MEETINGS: tuple[Column[Meeting], ...] = (
    *MEETINGS[:3],
    Column(
        "Controlled",
        lambda meeting: meeting.control and meeting.control.imps_per_board,
        lambda mean: "-" if mean is None else mean_text(mean),
    ),
    *MEETINGS[3:],
)


def standing_columns(
    figures: EventFigures, link: Callable[[Standing], str] | None = None
) -> list[Column[Standing]]:
    """Return the columns of the standings of an event, by its format; names lead to `link`."""
    event, standings = figures.event, figures.standings
    is_teams = event.format.is_teams

    def name(standing: Standing) -> str:
        return event.entries[standing.entry].name

    def withdrawn(standing: Standing) -> str:
        return "withdrawn" if standing.withdrawn else ""

    columns: list[Column[Standing]] = [
        Column("#", lambda standing: standing.rank),
        Column("Entry", name, is_text=True, css="name", link=link, remark=withdrawn),
    ]
    if is_teams:
        columns += [
            Column(
                standings.unit,
                lambda standing: standing.score,
                lambda score: decimal_text(score, standings.decimals),
            ),
            Column("Matches", lambda standing: standing.matches),
            Column("Won", lambda standing: standing.won),
            Column("Drawn", lambda standing: standing.drawn),
        ]
    else:
        columns.append(
            Column(
                standings.unit,
                lambda standing: score_of(figures.sums, standing),
                lambda mean: score_text(mean, event.scoring),
            )
        )
    if any(standing.byes for standing in standings.entries):
        columns.append(Column("Byes", lambda standing: standing.byes))
    columns.append(Column("Boards", lambda standing: standing.boards))
    if is_teams:
        columns.append(Column("IMPs", lambda standing: standing.imps, signed))
    elif event.scoring is not Scoring.CROSS_IMPS:
        columns.append(
            Column(
                "IMPs/comparison",
                lambda standing: cross_imps_of(figures.sums, standing.entry),
                mean_text,
            )
        )
    return columns


def match_columns(links: Links, event: int) -> list[Column[TeamMatch]]:
    """Return the columns of the matches of an event, by its number from 0."""

    def points(team: int) -> Callable[[TeamMatch], float | None]:
        return lambda match: match.victory_points and match.victory_points[team]

    return [
        Column("Round", lambda match: match.round),
        Column("Match", lambda match: match.number),
        Column(
            "Home",
            lambda match: match.names[HOME],
            is_text=True,
            css="name",
            link=lambda match: links.of_match(event, match) if match.boards else "",
        ),
        Column("Visitors", lambda match: match.names[VISITORS], is_text=True, css="name"),
        Column("IMPs", lambda match: match.outcome.imps, signed, is_coloured=True),
        Column("VPs home", points(HOME), decimal_text),
        Column("VPs visitors", points(VISITORS), decimal_text),
        Column(
            "Boards",
            lambda match: match,
            lambda match: str(len(match.boards) or ""),
            values=lambda match: (match.outcome.boards,),
        ),
        Column(
            "Forfeit",
            lambda match: match.forfeited,
            lambda names: f"forfeited by {' and '.join(names)}" if names else "",
            is_text=True,
            css="nothing",
        ),
    ]

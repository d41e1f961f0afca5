"""Format the tables of `research.papers.liao`, as markdown.

An observation is a game: its difference in tricks of North and South, the mean over the seeds.
Games of one deal are one cluster of the standard errors, so that these contain the chance that the
seeds leave.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.reports.common.wording import mean_text, p_text
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean
from bridge_arena.tournaments.statistics.significance import sign_flip_p_value
from research.papers.liao_games import Game, Played

ORACLE = "oracle"
BEST = "minimax_d1_opt"
"""The paper's best agent: what ours are compared with that have no counterpart."""

COUNTERPARTS = {
    "oracle": "oracle",
    "baseline": "baseline",
    "minimax:depth=1,placement=random": "minimax_d1",
    "minimax:depth=1,placement=bayes": "minimax_d1_bayes",
    "minimax:depth=1,placement=opt": "minimax_d1_opt",
    "minimax:depth=2,placement=random": "minimax_d2",
    "minimax:depth=2,placement=bayes": "minimax_d2_bayes",
    "minimax:depth=2,placement=opt": "minimax_d2_opt",
}
"""The paper's agent of each of ours: a column of its results."""

DECLARERS = (Seat.EAST, Seat.WEST, Seat.SOUTH)
"""In the order of the paper's figures 5 to 7."""

Value = Callable[[Game], float]
"""Tricks, or a difference of tricks, in one game."""


@dataclass(frozen=True)
class Results:
    """The games that were played, by game name, agent and seed.

    `agents` are those of the tables, the oracle first.
    """

    games: Sequence[Game]
    agents: Sequence[str]
    seeds: Sequence[int]
    played: dict[tuple[str, str, int], Played]

    def tricks(self, agent: str) -> Value:
        """Return the mean tricks of North and South over the seeds, with `agent` as South."""
        return lambda game: fmean(self.played[game.name, agent, seed].tricks for seed in self.seeds)

    def mean(self, value: Value, declarer: Seat | None = None) -> Mean:
        """Return the mean over all games, or those of one declarer."""
        return clustered_mean(
            (game.deal, value(game))
            for game in self.games
            if declarer is None or game.declarer == declarer
        )

    def p_value(self, first: str, second: str) -> float | None:
        """Return the p-value of the sign-flip test of two agents over the deals."""
        deals: dict[Deal, int] = {}
        for game in self.games:
            for seed in self.seeds:
                more = self.played[game.name, first, seed].tricks
                less = self.played[game.name, second, seed].tricks
                deals[game.deal] = deals.get(game.deal, 0) + more - less
        return sign_flip_p_value(list(deals.values()))


def paper_tricks(column: str) -> Value:
    return lambda game: game.paper[column]


def less(first: Value, second: Value) -> Value:
    return lambda game: first(game) - second(game)


DD = paper_tricks("dd_ns_tricks")
PAPER_ORACLE = paper_tricks("oracle")


def all_games(results: Results) -> str:
    """Compare every agent with both yardsticks, and the paper's (its figures 4 and 8)."""
    oracle = results.tricks(ORACLE)
    rows: list[tuple[str, Value | None, str | None]] = [
        ("players of the record", None, "human_ns_tricks")
    ]
    rows += [(agent, results.tricks(agent), COUNTERPARTS.get(agent)) for agent in results.agents]
    unplayed = (each for each in COUNTERPARTS.items() if each[0] not in results.agents)
    rows += [(f"{agent} (not played)", None, column) for agent, column in unplayed]
    lines = [
        "| South | live oracle | paper | DD table | paper | s a game |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, ours, column in rows:
        theirs = None if column is None else paper_tricks(column)
        cells = [
            _text(results, ours, oracle),
            _text(results, theirs, PAPER_ORACLE),
            _text(results, ours, DD),
            _text(results, theirs, DD),
        ]
        seconds = "" if ours is None else f"{_seconds(results, name):.2f}"
        lines.append(f"| {name} | {' | '.join(cells)} | {seconds} |")
    return "\n".join(lines)


def by_declarer(results: Results) -> str:
    """Compare tricks with the live oracle by declarer, and the paper's (figures 5 to 7)."""
    counts = [sum(game.declarer == seat for game in results.games) for seat in DECLARERS]
    heads = [
        f"{seat.name.title()} declares ({count}) | paper"
        for seat, count in zip(DECLARERS, counts, strict=True)
    ]
    lines = [f"| South | {' | '.join(heads)} |", "| --- " * 7 + "|"]
    for agent in results.agents[1:]:
        column = COUNTERPARTS.get(agent)
        theirs = None if column is None else paper_tricks(column)
        cells = [
            _text(results, value, yardstick, seat)
            for seat in DECLARERS
            for value, yardstick in (
                (results.tricks(agent), results.tricks(ORACLE)),
                (theirs, PAPER_ORACLE),
            )
        ]
        lines.append(f"| {agent} | {' | '.join(cells)} |")
    return "\n".join(lines)


def against_paper(results: Results) -> str:
    """Return the table of the tricks that each agent loses less than the paper's.

    ± is from the differences of the games. The table also has the difference in standard errors of
    the agent's own mean, and whether the agent is below by more than two.
    """
    lines = [
        "| agent | paper's agent | gain, live oracle | / own s.e. | below "
        "| gain, DD table | / own s.e. | below |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for agent in results.agents[1:]:
        column = COUNTERPARTS.get(agent, BEST)
        cells: list[str] = []
        for yardstick, paper_yardstick in (
            (results.tricks(ORACLE), PAPER_ORACLE),
            (DD, DD),
        ):
            ours = less(results.tricks(agent), yardstick)
            theirs = less(paper_tricks(column), paper_yardstick)
            gain, own = results.mean(less(ours, theirs)), results.mean(ours)
            cells.append(mean_text(gain))
            if gain.mean is None or not own.standard_error:
                cells += ["-", "-"]
            else:
                errors = gain.mean / own.standard_error
                cells += [f"{errors:+.1f}", "yes" if errors < -2 else "no"]
        lines.append(f"| {agent} | {column} | {' | '.join(cells)} |")
    return "\n".join(lines)


def order(results: Results, pairs: Sequence[tuple[str, str]]) -> str:
    """Return the table of pairs of agents, the stronger first.

    It has the tricks that the first takes more, and the p-value of the sign-flip test over the
    deals.
    """
    lines = ["| agent | less | tricks a game | p |", "| --- | --- | --- | --- |"]
    for first, second in pairs:
        if first in results.agents and second in results.agents:
            gain = results.mean(less(results.tricks(first), results.tricks(second)))
            p_value = results.p_value(first, second)
            p = "-" if p_value is None else p_text(p_value)
            lines.append(f"| {first} | {second} | {mean_text(gain)} | {p} |")
    return "\n".join(lines)


def _text(results: Results, value: Value | None, yardstick: Value, seat: Seat | None = None) -> str:
    """Return a difference as text, empty where there is nothing to compare."""
    if value is None:
        return ""
    return mean_text(results.mean(less(value, yardstick), seat))


def _seconds(results: Results, agent: str) -> float:
    return fmean(
        results.played[game.name, agent, seed].seconds
        for game in results.games
        for seed in results.seeds
    )

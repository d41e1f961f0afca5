"""The audit of boards without end: evidence that holds at every look.

The unit is a deal. A version's luck in one kind of decisions is its mean over the tables at which
it sat on that deal. In whole units (`UNITS`), between -24 and 24, it is counted like the swings of
boards, so that the counts are all that is kept and the order of the deals does not matter. Deals
are independent, and a player who does not see the hidden cards has no luck on average, whatever
was played before.

The layouts are not exactly what a player knows, so that honest bots have a small mean luck, each
its own. What it can be is measured (`allowance.json`): it is taken as normal over the bots, of
which few were measured, hence Student's t. A version is believed honest up to a margin that the
luck of one honest bot exceeds with a chance that is part of alpha.

Somebody who doubts that the mean is within the margin bets (`statistics.betting`) on each kind a
quarter of what they have. The wealth reaches 1/a with a chance of at most a if all means are. Alpha
is divided among all versions that may ever come as for ranks: the k-th has 20 / ((k + 19) (k + 20))
of it, half for its four margins and half for the wealth. So the chance that any honest version of a
ladder is ever accused is at most alpha, however often one looks.

The t-test of an audit (`figures`) does not allow that: its p-value is of one look at so many boards
as were fixed beforehand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from math import log

import numpy as np
from numpy.typing import NDArray

from bridge_arena.base.bounded_work import AHEAD, as_completed
from bridge_arena.bridge.cards import Deal
from bridge_arena.oracle.pool import Oracle
from bridge_arena.recorded.audit import LAYOUTS, Kind
from bridge_arena.recorded.audit.decisions import decisions
from bridge_arena.recorded.audit.figures import measured_bots, shipped
from bridge_arena.recorded.audit.judge import judge
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.tournaments.statistics.betting import counts_of, evidence
from bridge_arena.tournaments.statistics.sequential import LARGEST
from bridge_arena.tournaments.statistics.significance import two_sided_t

ALPHA = 0.05
"""The chance that any honest version of a ladder is ever accused."""

_AT_FIRST = 20
"""The first to arrive has 1 / (this + 1) of alpha, and the first of these have half of it."""

UNITS = {Kind.CALL: 0.5, Kind.LEAD: 0.07, Kind.DECLARER: 0.07, Kind.DEFENDER: 0.07}
"""The luck, in IMPs or tricks a table, that counts as 1. Honest bots have a standard deviation of 4
to 6 then, so that next to no deal has more than 24."""

Counts = Mapping[Kind, NDArray[np.int64]]
"""The deals of each luck from -24 to 24, by kind."""


def deal_counts(
    tables: Iterable[SeatedTable], kinds: Collection[Kind], oracle: Oracle
) -> Mapping[str, Counts]:
    """Judge all decisions at some tables, and return the counts of each entry that sat there.

    Raises ValueError for a record that breaks the rules, and OracleError.
    """
    # By table, entry and kind; each has a place even if nothing was at stake.
    luck: dict[tuple[int, str, Kind], float] = {}
    deals: dict[int, Deal] = {}
    questions = []
    for number, table in enumerate(tables):
        deals[number] = table.record.board.deal
        luck |= {(number, name, kind): 0.0 for name in table.names for kind in kinds}
        for decision in decisions(table.record):
            if decision.kind in kinds:
                place = number, table.names[decision.seat], decision.kind
                questions.append(((place, decision.action), decision))
    for answers in as_completed(
        questions,
        lambda decision: oracle.submit(judge, decision, LAYOUTS),
        lambda: AHEAD * oracle.workers,
    ):
        for (place, _), answer in answers:
            finding = answer.result()
            luck[place] += 0.0 if finding is None else finding.luck
    of_deal: dict[tuple[str, Kind], dict[Deal, list[float]]] = {}
    for (number, name, kind), amount in sorted(luck.items()):
        of_deal.setdefault((name, kind), {}).setdefault(deals[number], []).append(amount)
    counts: dict[str, dict[Kind, NDArray[np.int64]]] = {}
    for (name, kind), lucks in of_deal.items():
        means = [sum(amounts) / len(amounts) for amounts in lucks.values()]
        counts.setdefault(name, {})[kind] = counts_of([in_units(mean, kind) for mean in means])
    return counts


def in_units(luck: float, kind: Kind) -> int:
    """Return the luck on a deal in the units in which it is counted."""
    return max(-LARGEST, min(LARGEST, round(luck / UNITS[kind])))


def wealth(counts: Counts, number: int) -> float:
    """Return the logarithm of the wealth of who doubts that a version is honest.

    Args:
        counts: The deals of the version.
        number: Its number in the order of arrival, from 1.
    """
    parts = [
        float(evidence(of_kind, margin(kind, number) / UNITS[kind]))
        for kind, of_kind in counts.items()
    ]
    # What is not bet on a kind that was not audited is kept.
    parts += [0.0] * (len(Kind) - len(parts))
    return float(np.logaddexp.reduce(parts)) - log(len(Kind))


def needed(number: int) -> float:
    """Return the logarithm of the wealth by which a version is accused."""
    return -log(_share(number) / 2)


@lru_cache(maxsize=1000)
def margin(kind: Kind, number: int) -> float:
    """Return the mean luck a table up to which a version is believed honest."""
    allowed = shipped()[kind]
    tail = _share(number) / 2 / len(Kind)
    return allowed.mean + allowed.deviation * two_sided_t(1 - 2 * tail, measured_bots() - 1)


def _share(number: int) -> float:
    """Return the part of alpha that a version has."""
    return ALPHA * _AT_FIRST / ((number + _AT_FIRST - 1) * (number + _AT_FIRST))

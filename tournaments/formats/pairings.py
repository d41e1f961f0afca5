"""Pairings of entries: who meets whom in each round; the better seed or higher ranked is at home.

A round robin is by the Berger tables of chess (FIDE Handbook C.05, annex 1). In a gauntlet one
entry meets all the others, as an engine is tested against its rivals.

A knock-out is a seeded bracket, in which the best two can meet only in the final. If the number of
entries is a power of two, seed 1 meets the lowest seed, seed 2 the next lowest, and so on; if no
favourite loses, the same holds in every round. If entries are missing, the best seeds have byes.

A Swiss pairs neighbours in the standings who have not met. The principle is that of bridge programs
such as Magic Contest ("How are the pairings created?"): the first in the ranking meets the highest
that it has not yet met, and so on down the list; with an odd number the lowest that had no bye yet
has one. If going down the list leaves the last ones without a new opponent, such programs apply
special rules. Here the whole round is one matching, so a round is found if there is any, and it is
the best of all possible ones.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations


def round_robin(entries: int) -> list[list[tuple[int, int]]]:
    """Return the rounds of a round robin, in which every entry meets each other one once.

    The last entry's match comes first in each round, then the tables' order. With an odd number of
    entries, the opponent of the missing last one has a bye, and everyone is at home as often as
    away. With an even number the two differ by one. Raises ValueError.
    """
    if entries < 2:
        raise ValueError(f"a round robin takes at least 2 entries, not {entries}")
    places = entries + entries % 2
    return [
        [pair for pair in _berger_round(places, number) if max(pair) < entries]
        for number in range(places - 1)
    ]


def _berger_round(places: int, number: int) -> list[tuple[int, int]]:
    """Return a round, numbered from 0, of the table for an even number of places.

    All but the last stand in a circle. One of them, `centre`, meets the last, who is at home in
    every other round; those equally far from it on both sides meet each other.
    """
    circle = places - 1
    centre = number * (places // 2) % circle
    first = (circle, centre) if number % 2 else (centre, circle)
    others = [
        ((centre + step) % circle, (centre - step) % circle) for step in range(1, places // 2)
    ]
    return [first, *others]


def gauntlet(entries: int) -> list[list[tuple[int, int]]]:
    """Return a gauntlet's rounds: entry 0, at home, against each other. Raises ValueError."""
    if entries < 2:
        raise ValueError(f"a gauntlet takes at least 2 entries, not {entries}")
    return [[(0, other)] for other in range(1, entries)]


def bracket(entries: int) -> list[tuple[int, int | None]]:
    """Return the first round of a knock-out as (home, visitors), from the top of the bracket.

    The visitors are None where the home entry has a bye. The number of pairs is a power of two:
    winners of neighbouring pairs meet next (see `next_round`). Raises ValueError.
    """
    if entries < 2:
        raise ValueError(f"a knock-out takes at least 2 entries, not {entries}")
    order = [0]
    while len(order) < entries:
        lowest = 2 * len(order) - 1
        order = [seed for better in order for seed in (better, lowest - better)]
    pairs = zip(order[::2], order[1::2], strict=True)
    return [(better, worse if worse < entries else None) for better, worse in pairs]


def next_round(winners: Sequence[int]) -> list[tuple[int, int]]:
    """Return a knock-out's next round, with the better seeds at home. Raises ValueError."""
    count = len(winners)
    if count < 2 or count & (count - 1):
        raise ValueError(f"the winners of a round are 2, 4, 8, 16, ..., not {count}")
    if len(set(winners)) < count:
        raise ValueError(f"an entry cannot win twice in a round: {list(winners)}")
    pairs = zip(winners[::2], winners[1::2], strict=True)
    return [(min(pair), max(pair)) for pair in pairs]


@dataclass(frozen=True, slots=True)
class SwissRound:
    """A round of a Swiss."""

    pairs: list[tuple[int, int]]  # the matches as (home, visitors), the best entry's first
    bye: int | None  # the entry that has a bye; None with an even number of entries


def first_round(entries: int) -> SwissRound:
    """Return the first round, top half against bottom half: of n, the first meets number n/2 + 1.

    The better seed is at home; of an odd number the last has a bye. Raises ValueError.
    """
    if entries < 2:
        raise ValueError(f"a Swiss takes at least 2 entries, not {entries}")
    half = entries // 2
    return SwissRound(
        [(entry, entry + half) for entry in range(half)], entries - 1 if entries % 2 else None
    )


def pair_swiss(
    standings: Sequence[int], met: Collection[frozenset[int]], had_bye: Collection[int]
) -> SwissRound:
    """Return the next round.

    Of all possible rounds it is the one that, in this order of importance,

    1. gives nobody a second bye while there is one who had none,
    2. has the fewest rematches: none, where that is possible,
    3. gives the bye to the lowest ranked,
    4. gives the first in the standings the highest possible opponent, then the next one not yet
    paired, and so on.

    The higher ranked is at home. Raises ValueError.
    """
    count = len(standings)
    if count < 2:
        raise ValueError(f"a Swiss takes at least 2 entries, not {count}")
    if len(set(standings)) < count:
        raise ValueError(f"an entry is listed twice in the standings: {list(standings)}")
    partners = _matching(count, _edges(standings, met, had_bye))
    pairs = [
        (standings[rank], standings[partners[rank]])
        for rank in range(count)
        if rank < partners[rank] < count
    ]
    return SwissRound(pairs, standings[partners[count]] if count % 2 else None)


def _edges(
    standings: Sequence[int], met: Collection[frozenset[int]], had_bye: Collection[int]
) -> list[tuple[int, int, int]]:
    """Return who can be paired, as (rank, lower rank, weight); rank n stands for the bye.

    The weights are numbers of base n + 1. The place of a rank holds how high its opponent is, from
    1 to n, if the opponent is the lower of the two. So the sum over a round reads, from the left,
    as the opponents of the first, of the next not yet paired, and so on. Each place is less than
    the base, so none outweighs the one before it. Above them stands the rank of the bye, and above
    that the number of matches that are no rematch.
    """
    count = len(standings)
    base = count + 1
    ranks = range(count)
    place = [base ** (count - rank) for rank in ranks]
    bye_place = base ** (count + 1)
    new_place = base ** (count + 2)
    edges = [
        (
            high,
            low,
            (count - low) * place[high]
            + (frozenset((standings[high], standings[low])) not in met) * new_place,
        )
        for high, low in combinations(ranks, 2)
    ]
    if count % 2:
        fresh = [rank for rank in ranks if standings[rank] not in had_bye]
        edges += [(rank, count, rank * bye_place) for rank in fresh or ranks]
    return edges


def _matching(count: int, edges: list[tuple[int, int, int]]) -> dict[int, int]:
    """Return everyone's opponent in the heaviest matching of all (Edmonds' blossom algorithm).

    With whole numbers as weights, networkx computes in whole numbers, so the matching is exact.
    """
    import networkx as nx  # noqa: PLC0415  slow to load, and only a Swiss needs it

    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from(edges)
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    return {one: other for pair in matching for one, other in (pair, pair[::-1])}

"""The Swiss: each round pairs neighbours in the standings who have not met.

The principle is that of bridge programs such as Magic Contest ("How are the pairings created?"):
the first in the ranking meets the highest that it has not yet met, and so on down the list; with an
odd number the lowest that had no bye yet has one. If going down the list leaves the last ones
without a new opponent, such programs apply special rules. Here the whole round is one matching, so
a round is found if there is any, and it is the best of all possible ones.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class SwissRound:
    """A round of a Swiss.

    Attributes:
        pairs: The matches as (home, visitors), the best entry's first.
        bye: The entry that has a bye; None with an even number of entries.
    """

    pairs: list[tuple[int, int]]
    bye: int | None


def first_round(entries: int) -> SwissRound:
    """Return the first round, top half against bottom half: of n, the first meets number n/2 + 1.

    The better seed is at home; of an odd number the last has a bye.

    Args:
        entries: The number of entries.

    Returns:
        The round.

    Raises:
        ValueError: There are fewer than two entries.
    """
    if entries < 2:
        raise ValueError(f"a Swiss takes at least 2 entries, not {entries}")
    half = entries // 2
    return SwissRound(
        [(entry, entry + half) for entry in range(half)], entries - 1 if entries % 2 else None
    )


def pair_swiss(
    standings: Sequence[int],
    met: Collection[frozenset[int]],
    had_bye: Collection[int],
) -> SwissRound:
    """Return the next round.

    Of all possible rounds it is the one that, in this order of importance,

    1. gives nobody a second bye while there is one who had none,
    2. has the fewest rematches: none, where that is possible,
    3. gives the bye to the lowest ranked,
    4. gives the first in the standings the highest possible opponent, then the next one not yet
    paired, and so on.

    The higher ranked is at home.

    Args:
        standings: The entries that still take part, the best first.
        met: The pairs of entries that have met.
        had_bye: The entries that have had a bye.

    Returns:
        The round.

    Raises:
        ValueError: There are fewer than two entries, or an entry is listed twice.
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

    Returns:
        The edges of the graph whose heaviest matching is the round.
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

    Returns:
        The rank of the opponent by rank.
    """
    import networkx as nx  # noqa: PLC0415  slow to load, and only a Swiss needs it

    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from(edges)
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    return {one: other for pair in matching for one, other in (pair, pair[::-1])}

"""What each legal card is worth in each of some sampled worlds, double dummy.

A world is a tuple of the four hands as still held, by Seat, as `bots.library.sampling` draws
them. Worlds may come in batches, so that none is drawn that there is no time to solve.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bridge_arena.bots.library.equals import lowest_of_equals
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.montecarlo.parallel import is_up, map_in_time
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Solved worlds, each different from the others.

    `counts`: how often each world was drawn. `tricks`: for each legal card and each
    world, the tricks (0..13) that the side playing it takes in the whole play, those
    already won included. Without a world in time, both are empty.
    """

    counts: tuple[int, ...]
    tricks: dict[Card, tuple[int, ...]]


def evaluate(
    play: Play, batches: Iterable[Sequence[Hands]], until: float | None = None
) -> Evaluation:
    """Solve each world of the batches once, for all cards of the hand whose turn it is.

    `until`: a time of `time.monotonic()`; what is not solved by then is left out. The
    result is in the order of the worlds, whichever was solved first. Raises SolverError.
    """
    counts: dict[Hands, int] = {}
    solved: dict[Hands, dict[Card, int]] = {}
    for batch in batches:
        fresh: list[Hands] = []
        for world in batch:
            if world not in counts:
                fresh.append(world)
            counts[world] = counts.get(world, 0) + 1
        positions = [Position(world, play.trump, play.leader, tuple(play.trick)) for world in fresh]
        answers = map_in_time(card_values, positions, until)
        solved |= {
            world: values
            for world, values in zip(fresh, answers, strict=True)
            if values is not None
        }
        if is_up(until):
            break
    won = play.won[play.turn.side]
    cards = next(iter(solved.values()), {})
    return Evaluation(
        counts=tuple(counts[world] for world in solved),
        tricks={card: tuple(won + values[card] for values in solved.values()) for card in cards},
    )


def are_equal(play: Play, legal: Hand) -> bool:
    """Whether the legal cards are all of the same value whatever the others hold: one
    suit, and between them no card that is not in a completed trick.

    A card of the trick in progress divides them, as does one in any other hand.
    """
    completed = Hand.of(card for trick in play.tricks for card in trick.cards)
    return len(lowest_of_equals(legal.mask, ~(legal.mask | completed.mask))) == 1

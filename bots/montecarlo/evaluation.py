"""The value of each legal card in each of some sampled worlds, double dummy.

A world is a tuple of the four hands as still held, by Seat, as `bots.library.sampling` draws them.
Worlds may come in batches, so that none is drawn that there is no time to solve.
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
    """Solved worlds, all different; both fields are empty if no world was solved in time.

    Attributes:
        counts: How often each world was drawn.
        tricks: For each legal card and each world, the tricks (0 to 13) that the side playing it
            takes in the whole play, those already won included.
    """

    counts: tuple[int, ...]
    tricks: dict[Card, tuple[int, ...]]


def evaluate(
    play: Play, batches: Iterable[Sequence[Hands]], until: float | None = None
) -> Evaluation:
    """Solve each world of the batches once, for all cards of the hand whose turn it is.

    The result is in the order of the worlds, whichever was solved first.

    Args:
        play: The play so far.
        batches: The worlds.
        until: A time of `time.monotonic()`, in seconds; worlds not solved by then are left out.
            None sets no limit.

    Returns:
        The tricks of each card in each world.

    Raises:
        SolverError: The solver cannot solve a world.
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
    """Return whether the legal cards all have the same value, whatever the others hold.

    They do if they are of one suit and every card between them is in a completed trick. A card of
    the trick in progress divides them, as does one in any other hand.

    Args:
        play: The play so far.
        legal: The legal cards.

    Returns:
        True if they are equal.
    """
    completed = Hand.of(card for trick in play.tricks for card in trick.cards)
    return len(lowest_of_equals(legal.mask, ~(legal.mask | completed.mask))) == 1

"""What calls tell where a learned system lets `natural` go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bridge_arena.bots.library.box import ANY, Box
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.cards import SUITS
from bridge_arena.bridge.explanation import Explanation, Range
from bridge_arena.bridge.seats import Vulnerability


def continued(
    auction: Auction, vulnerability: Vulnerability, learned: Sequence[Explanation | None]
) -> list[Explanation]:
    """What each call told, with those before it. `learned`: what the learned system has
    measured of each call, without ranges where it has not; None where `natural` chose it.

    `natural` chooses as if it had made all calls of the auction. What its rules ask of the
    hand for a call is true of it, but not what it took the same player's learned calls to
    mean. So of its reading counts what a call adds to the calls before, on top of what was
    measured of these; where the two contradict each other the later is believed.
    """
    needed = any(meaning is None for meaning in learned)
    natural = Natural().explain(auction, vulnerability) if needed else []
    told: list[Explanation] = []
    known: dict[int, Box] = {}
    for place, meaning in enumerate(learned):
        player = place % 4
        if meaning is not None:
            is_measured = meaning.hcp is not None or meaning.lengths
            known[player] = Box.of(meaning) if is_measured else known.get(player, ANY)
            told.append(_promising(meaning, known[player]))
        elif player in known:
            added = _added(natural[place], natural[place - 4])
            known[player] = known[player].narrowed(added)
            told.append(_promising(natural[place], known[player]))
        else:
            told.append(natural[place])
    return told


def _added(reading: Explanation, before: Explanation) -> Box:
    """The ends of a reading's ranges that were others before."""
    now, then = Box.of(reading), Box.of(before)
    clubs, diamonds, hearts, spades = (
        _new_ends(*each, most=13) for each in zip(now.lengths, then.lengths, strict=True)
    )
    return Box(_new_ends(now.hcp, then.hcp, most=37), (clubs, diamonds, hearts, spades))


def _new_ends(now: Range, then: Range, most: int) -> Range:
    return 0 if now[0] == then[0] else now[0], most if now[1] == then[1] else now[1]


def _promising(explanation: Explanation, box: Box) -> Explanation:
    """The same with those ranges; one that all hands keep is no promise."""
    return replace(
        explanation,
        hcp=None if box.hcp == ANY.hcp else box.hcp,
        lengths={
            suit: promised
            for suit, promised in zip(SUITS, box.lengths, strict=True)
            if promised != (0, 13)
        },
    )

"""Auctions in which the opponents interfere at random, and what becomes of forcing calls in them.

    python -m tests.bots.natural.forces [--auctions 100000] [--seed 1]

prints each forcing call that was passed though no rule says that the pass lets it stand, and the
number of forcing calls. North and South bid by the system. East and West double and redouble often,
and make low bids; in every fourth auction they are of the system too.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from random import Random

from bridge_arena.bots.natural.facts import Facts
from bridge_arena.bots.natural.reading import Forcing, State, is_game
from bridge_arena.bots.natural.system import Menu, book
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, DOUBLE, FIRST_BID, PASS, REDOUBLE, Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.seats import SEATS, Side


def followed(rng: Random, seen: Counter[str]) -> list[str]:
    """Return the auctions, at most one, in which a forcing call was passed.

    Args:
        rng: Deals the cards, and makes the calls of the opponents.
        seen: Counts the forcing calls, by what the next player did: X, XX, or passed.

    Returns:
        The auction up to the pass.
    """
    deck = list(range(52))
    rng.shuffle(deck)
    hands = [Facts(Hand(sum(1 << card for card in deck[at::4]))) for at in range(4)]
    strangers = rng.random() < 0.75
    auction, state = Auction(rng.choice(SEATS)), State((False, False))
    while not auction.is_over:
        menu = Menu(state, book())
        if strangers and auction.turn.side == Side.EW:
            call = _interference(auction, rng)
        else:
            call = menu.choose(hands[auction.turn])
            if _is_bound(state):
                seen[str(state.calls[-1])] += 1
                if call == PASS and not menu.meaning(call).stands:
                    return [f"{' '.join(map(str, auction.calls))} {call}"]
        state = state.after(call, menu.meaning(call))
        auction.push(call)
    return []


def _is_bound(state: State) -> bool:
    """Return whether a call forces that this side has made, written without `State.forced`."""
    partner = state.last_by_partner
    if partner is None or state.calls[-1] not in (PASS, DOUBLE, REDOUBLE):
        return False
    if state.game[state.turn % 2] and state.ours and not is_game(state.bid):
        return True
    trump = state.bid.denomination.trump if state.bid >= FIRST_BID else None
    stops = bool(partner.keys) and trump == partner.trump
    return partner.forcing != Forcing.NO and not stops and state.bid != CALLS[-1]


def _interference(auction: Auction, rng: Random) -> Call:
    """Return a call of an opponent: a double or redouble half the time, or else a low bid."""
    legal = auction.legal_calls()
    for call in (DOUBLE, REDOUBLE):
        if call in legal and rng.random() < 0.5:
            return call
    return legal[int(rng.random() ** 4 * len(legal))] if rng.random() < 0.5 else PASS


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--auctions", type=int, default=100_000, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    options = parser.parse_args()
    rng, seen = Random(options.seed), Counter[str]()
    passed = [each for _ in range(options.auctions) for each in followed(rng, seen)]
    print(*passed[:20], sep="\n")
    print(f"{len(passed)} passed of {seen.total():,} forcing calls: {dict(seen)}")
    return 1 if passed else 0


if __name__ == "__main__":
    sys.exit(main())

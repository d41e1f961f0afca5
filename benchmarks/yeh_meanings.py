"""What learned networks mean: tables VI and VIII of Yeh, Hsieh and Lin, as markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.yeh_features import LENGTH, POINTS
from benchmarks.yeh_nets import QNets, bits_of
from benchmarks.yeh_training import Deals
from bots.learning.hands import Hands, lengths, points, random_pairs
from bots.learning.hands import spades_first as turned
from bots.learning.scores import CONTRACTS

HANDS = 200_000
"""Random hands that show what a first bid means."""

SELDOM = 0.001
"""A first bid made with fewer of the hands is left out."""

EXAMPLES = 5

_SUITS = "♠♥♦♣"


def bid_name(bid: int) -> str:
    return "P" if bid == 0 else f"{(bid + 4) // 5}{'♣♦♥♠N'[(bid - 1) % 5]}"


def opening_table(nets: Mapping[str, QNets], seed: int) -> str:
    """For each first bid, how often it is made and how the hands are that make it: points from
    the 5th to the 95th percentile, then the lengths in the same way where they tell anything."""
    hands, _ = random_pairs(np.random.default_rng(seed), HANDS)
    columns = [_meanings(each, hands) for each in nets.values()]
    lines = [f"| bid | {' | '.join(nets)} |", "| --- " * (len(nets) + 1) + "|"]
    for bid in range(CONTRACTS):
        if any(bid in column for column in columns):
            cells = [column.get(bid, "not used") for column in columns]
            lines.append(f"| {bid_name(bid)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _meanings(nets: QNets, hands: Hands) -> dict[int, str]:
    """By first bid."""
    with torch.no_grad():
        seen = torch.from_numpy(turned(hands)).float()
        bids = nets.found(0, seen, torch.zeros(len(hands), CONTRACTS))[:, :CONTRACTS]
    chosen = bids.argmin(dim=1).numpy()
    strength, held = points(hands), lengths(hands)[:, ::-1]
    found: dict[int, str] = {}
    for bid in range(CONTRACTS):
        mine = chosen == bid
        if mine.mean() < SELDOM:
            continue
        words = [f"{mine.mean():.1%}", f"{_range(strength[mine])} HCP"]
        for suit in range(4):
            low, high = np.percentile(held[mine, suit], (5, 95))
            if low >= 2 or high <= 4:
                words.append(f"{_range(held[mine, suit])}{_SUITS[suit]}")
        found[bid] = ", ".join(words)
    return found


def _range(values: NDArray[np.int64]) -> str:
    low, high = np.percentile(values, (5, 95))
    return f"{low:.0f}-{high:.0f}" if low < high else f"{low:.0f}"


def partner_examples(nets: QNets, deals: Deals, seed: int) -> str:
    """Auctions of four bids or more, drawn at random: the first bidder's lengths and points as
    they are, and as the other's network tells them after the third bid. `nets`: with the
    features `median`."""
    made, actual, told = _told(nets, deals)
    rows = np.flatnonzero(made[:, 3] >= 0)
    picked = np.random.default_rng(seed).choice(rows, min(EXAMPLES, len(rows)), replace=False)
    names = [f"{name}s" for name in ("spade", "heart", "diamond", "club")] + ["HCP"]
    lines = [
        "| | " + " | ".join("actual | estimate" for _ in picked) + " |",
        "| --- " * (1 + 2 * len(picked)) + "|",
    ]
    for which, name in enumerate(names):
        cells = " | ".join(
            f"{actual[row, which]:.0f} | {told[row, which]:.2f}" for row in picked.tolist()
        )
        lines.append(f"| {name} | {cells} |")
    lines.append(_spread("bids", [_auction(made[row]) for row in picked]))
    costs = deals.costs.numpy()
    lines.append(_spread("best contract", [_best(costs[row]) for row in picked]))
    lines.append(
        _spread("cost (IMPs)", [f"{costs[row, made[row].max()]:.1f}" for row in picked.tolist()])
    )
    return "\n".join(lines)


def partner_errors(nets: QNets, deals: Deals) -> str:
    """How far the estimates are off, over all auctions of four bids or more, and how far the
    mean of these hands is: root mean squares."""
    made, actual, told = _told(nets, deals)
    rows = made[:, 3] >= 0
    off = np.sqrt(np.square(told - actual)[rows].mean(axis=0))
    spread = actual[rows].std(axis=0)
    return (
        f"{rows.sum():,} auctions: lengths are off by {off[:4].mean():.2f} cards (they spread by "
        f"{spread[:4].mean():.2f}), points by {off[4]:.2f} (they spread by {spread[4]:.2f})."
    )


def _told(
    nets: QNets, deals: Deals
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float32]]:
    """All auctions, n×calls, the first bidder's lengths and points, n×5, and what the other's
    network tells of them after the third bid."""
    made = nets.bid(deals.hands)
    with torch.no_grad():
        found = nets.found(3, deals.hands[:, 1], bits_of(made[:, :3]))[:, CONTRACTS:]
    hands = turned(deals.hands[:, 0].numpy().astype(np.bool_))
    actual = np.column_stack([lengths(hands)[:, ::-1], points(hands)]).astype(np.float64)
    return made.numpy(), actual, found.numpy() * np.array([LENGTH] * 4 + [POINTS], np.float32)


def _auction(made: NDArray[np.int64]) -> str:
    return "-".join(bid_name(int(bid)) for bid in made if bid >= 0)


def _best(costs: NDArray[np.float32]) -> str:
    return " or ".join(bid_name(int(each)) for each in np.flatnonzero(costs <= costs.min() + 1e-6))


def _spread(name: str, cells: Sequence[str]) -> str:
    return f"| {name} | " + " | ".join(f"{cell} | " for cell in cells) + "|"

"""Figures as the plain values of JSON files."""

from __future__ import annotations

from typing import Any

from bridge_arena.bridge.cards import Suit
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.explanations import Broken, ExplanationFigures, Promises
from bridge_arena.tournaments.statistics.means import Mean

Json = dict[str, Any]

ROLE_KEYS = {
    Role.OPENING_LEAD: "opening_lead",
    Role.DECLARER_PLAY: "declarer_play",
    Role.DEFENCE: "defence",
}
"""Each role's name in the keys."""

SUIT_KEYS = {
    Suit.SPADES: "spades",
    Suit.HEARTS: "hearts",
    Suit.DIAMONDS: "diamonds",
    Suit.CLUBS: "clubs",
}
"""Each suit's name in the keys."""


def explanation_values(figures: ExplanationFigures) -> Json:
    """What calls told, without those that were worst."""
    return {
        "calls": figures.calls,
        "alerted": figures.alerted,
        "explained": figures.explained,
        "with_ranges": figures.with_ranges,
        "kept": mean_values(figures.kept),
        "hcp": _promises(figures.hcp),
        **{key: _promises(figures.suits[suit]) for suit, key in SUIT_KEYS.items()},
    }


def _promises(promises: Promises) -> Json:
    return {
        "kept": mean_values(promises.kept),
        "width": rounded(promises.width),
        "missed_by": mean_values(promises.missed_by),
    }


def broken_values(broken: Broken) -> Json:
    """A call whose hand did not keep what it promised."""
    room = broken.record.room
    points = {"hcp": broken.points} if broken.points else {}
    cards = {key: broken.lengths[suit] for suit, key in SUIT_KEYS.items() if suit in broken.lengths}
    return {
        "board": broken.record.board.number,
        "room": room.value if room else None,
        "seat": str(broken.seat),
        "position": broken.at + 1,
        "call": str(broken.call),
        "promised": str(broken.told),
        "hand": str(broken.hand),
        "off": points | cards,
    }


def mean_values(mean: Mean) -> Json:
    """A mean as an object of three values."""
    return {
        "n": mean.n,
        "mean": rounded(mean.mean),
        "standard_error": rounded(mean.standard_error),
    }


def rounded(value: float | None) -> float | None:
    """To six decimals."""
    # The sum turns the negative zero into zero.
    return None if value is None else round(value, 6) + 0.0

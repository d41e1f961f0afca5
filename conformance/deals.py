"""Deals on which the bot, in South, meets rare situations."""

from __future__ import annotations

from bridge_arena.bridge.cards import Deal

CROSS_RUFF = Deal.parse("N:9876.A..AKQJT987 54.KQJT.T9876.65 AKQJT.5432.AKQJ. 32.9876.5432.432")
"""In spades South, void in clubs, and North, void in diamonds, ruff both ways."""

TWO_VOIDS = Deal.parse("N:QJ.432.6543.7654 A.AKQJT98.A2.K32 T98765432..QJT9. K.765.K87.AQJT98")
"""South has no heart and no club: it discards at notrump or where hearts are trumps, and may
ruff where diamonds are."""

LAY_DOWN = Deal.parse("N:5432.432.432.432 T98.JT9.JT98.JT9 AKQJ.AKQ.AKQ.AKQ 76.8765.765.8765")
"""South takes all tricks."""

NOTHING = Deal.parse("N:AKQ.AKQ.AKQ2.AKQ JT98.JT9.JT98.JT 5432.5432.543.32 76.876.76.987654")
"""South has no honour."""

"""MiniBridge at notrump on ints: deals, contracts, rule-based defenders, states of the game."""

from __future__ import annotations

from typing import Literal

Defence = Literal["random", "last", "follow", "sure", "low"]
"""The names of the defenders.

- `random`: any card.
- `last`: the last player of a trick takes it as cheaply as possible; all other cards are random.
- `follow`: every player who follows and is sure to take the trick does so too.
- `sure`: as `follow`, and cards that nobody can beat are led.
- `low`: as `sure`, but where no card is sure to take the trick, or partner's takes it, the lowest
  card is played.
"""

Kept = Literal["won", "all"]
"""The games that are learned from: those that declarer won, or all."""

HandsKnown = Literal["known", "unknown"]
"""Whether the state includes the hands."""

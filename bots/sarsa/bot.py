"""The bot that declares by the table of SARSA."""

from __future__ import annotations

from bridge_arena.bots.qplay.bot import TableBot


class SarsaBot(TableBot):
    """A declarer at notrump that plays by a table of values of SARSA, as `qplay` does by its own.

    As a defender, in suit contracts, and in states that the table does not have, the bot plays
    cards as `baseline` does. It bids as `baseline` does too.

    Args:
        weights: A file that `arena train sarsa` has made, or `shipped`.
        bidding: The bidding system.
    """

    name = "sarsa"
    package = "bridge_arena.bots.sarsa"

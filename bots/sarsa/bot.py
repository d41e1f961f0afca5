"""The table that SARSA has learned, as a bot."""

from __future__ import annotations

from bridge_arena.bots.qplay.bot import TableBot


class SarsaBot(TableBot):
    """Declares at notrump as `qplay` does, by a table of values that SARSA has made. As a
    defender, in suit contracts, and in states that the table does not have, it plays cards as
    `baseline` does; it bids as `baseline` does too.

    `weights`: a file that `arena train sarsa` has made, or `shipped`. `bidding`: the bidding
    system.
    """

    name = "sarsa"
    package = "bridge_arena.bots.sarsa"

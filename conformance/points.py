"""All points of the check, in the order in which they are tried."""

from __future__ import annotations

from bridge_arena.conformance.checks import actions, claiming, connecting, faults, forms, turns
from bridge_arena.conformance.point import Check, Point

_SEATED = ("connect.handshake", "connect.hello")
_PLAYS = ("turn.named", "auction.passed")
_LEGAL = (
    "auction.competitive",
    "auction.doubled",
    "auction.seven",
    "play.declarer",
    "play.defender",
    "play.voids",
)


def _on_boards(name: str, title: str, check: Check, *needs: str, informs: bool = False) -> Point:
    """Return a point for which boards are played, and then another one."""
    return Point(name, title, check, (*_PLAYS, *needs), informs)


def _apart(name: str, title: str, check: Check, *needs: str, informs: bool = False) -> Point:
    """Return a point after which no board has to be played."""
    return Point(name, title, check, needs, informs, goes_on=False)


POINTS = (
    _apart(
        "connect.handshake", "connects with its token and the subprotocol", connecting.handshake
    ),
    _apart(
        "connect.hello",
        "sends Hello first, in time, with the right version",
        connecting.hello,
        "connect.handshake",
    ),
    _apart(
        "connect.tables", "opens one connection for each of its tables", connecting.tables, *_SEATED
    ),
    _apart("connect.delivery", "receives its events", connecting.delivery, *_SEATED, informs=True),
    _apart("turn.named", "answers its turn in time, and names the turn", turns.named, *_SEATED),
    Point(
        "auction.passed",
        "passes a board out, and plays the next one",
        actions.passed_out,
        ("turn.named",),
    ),
    _on_boards(
        "auction.competitive", "makes legal calls when opponents bid to 7NT", actions.competitive
    ),
    _on_boards("auction.doubled", "makes legal calls after doubles and redoubles", actions.doubled),
    _on_boards("auction.seven", "makes legal calls at the seven level", actions.seven),
    _on_boards(
        "auction.explained", "accepts calls with alerts and explanations", actions.explained
    ),
    _on_boards("play.declarer", "plays its own and dummy's cards as declarer", actions.declarer),
    _on_boards("play.dummy", "sends no action as dummy", actions.dummy),
    _on_boards("play.defender", "leads and defends with legal cards", actions.defender),
    _on_boards("play.voids", "follows suit if it can, else ruffs or discards", actions.voids),
    _on_boards(
        "boards.random", "plays random boards without a fault", turns.random_boards, *_LEGAL
    ),
    _on_boards("boards.bidding", "plays boards that end after the auction", turns.bidding_only),
    _on_boards(
        "tables.together", "plays at two tables at the same time", turns.together, "connect.tables"
    ),
    _on_boards("forms.grown", "ignores fields that it does not know", forms.grown),
    _on_boards("forms.gathered", "reads several messages in one frame", forms.gathered),
    _on_boards("forms.single", "reads messages that come in a frame each", forms.single),
    _on_boards("forms.fragmented", "reads frames that come in fragments", forms.fragmented),
    _on_boards("forms.silence", "waits through a silence, and answers a ping", forms.silence),
    _on_boards("error.illegal", "answers again after a legal action was refused", faults.illegal),
    _on_boards(
        "error.stale", "continues when told that an answer was stale", faults.stale, "error.illegal"
    ),
    _on_boards(
        "error.timeout",
        "continues after a substitute for a late answer",
        faults.timeout,
        "error.illegal",
        "error.stale",
    ),
    _on_boards(
        "error.substituted",
        "continues after a substitute for refused answers",
        faults.substituted,
        "error.illegal",
    ),
    _on_boards(
        "abandoned.in-turn",
        "continues after a board is given up in its turn",
        faults.abandoned_in_turn,
        "error.illegal",
        "error.stale",
    ),
    _on_boards(
        "abandoned.out-of-turn",
        "continues after a board is given up out of its turn",
        faults.abandoned_out_of_turn,
    ),
    _on_boards(
        "claims.declarer",
        "plays on as declarer where claims are allowed",
        claiming.declarer,
        "play.declarer",
    ),
    _on_boards(
        "claims.defender",
        "answers declarer's claims as a defender",
        claiming.defender,
        "play.defender",
    ),
    _on_boards("claims.dummy", "continues after its partner claims", claiming.dummy, "play.dummy"),
    _on_boards(
        "abandoned.claim",
        "continues after a board is given up during a claim",
        faults.abandoned_claim,
        "claims.defender",
        "abandoned.in-turn",
    ),
    _on_boards(
        "seed.twice", "plays the same board twice with the same seed", turns.twice, informs=True
    ),
    _on_boards(
        "return.restarted", "continues from the Snapshot after a restart", connecting.restarted
    ),
    _on_boards(
        "return.in-turn",
        "comes back after losing its connection in its turn",
        connecting.cut_in_turn,
        "return.restarted",
    ),
    _on_boards(
        "return.out-of-turn",
        "comes back after losing its connection out of turn",
        connecting.cut_out_of_turn,
        "return.restarted",
        "return.in-turn",
    ),
    _apart(
        "conduct.unasked", "sends no action that it was not asked for", turns.unasked, "turn.named"
    ),
    _apart(
        "conduct.explanations",
        "sends explanations that the protocol allows",
        turns.explanations,
        "turn.named",
    ),
    _apart("conduct.times", "takes time to answer", turns.times, "turn.named", informs=True),
    _apart(
        "end.goodbye", "ends by itself with status 0 after Goodbye", connecting.goodbye, *_SEATED
    ),
)

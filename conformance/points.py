"""All points of the check, in the order in which they are tried."""

from __future__ import annotations

from bridge_arena.conformance.checks import actions, claiming, connecting, faults, forms, turns
from bridge_arena.conformance.point import Point

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

POINTS = (
    Point(
        "connect.handshake",
        "connects with its token and the subprotocol",
        connecting.handshake,
        goes_on=False,
    ),
    Point(
        "connect.hello",
        "sends Hello first, in time, with the right version",
        connecting.hello,
        _SEATED[:1],
        goes_on=False,
    ),
    Point(
        "connect.tables",
        "opens one connection for each of its tables",
        connecting.tables,
        _SEATED,
        goes_on=False,
    ),
    Point(
        "connect.delivery",
        "receives its events",
        connecting.delivery,
        _SEATED,
        informs=True,
        goes_on=False,
    ),
    Point(
        "turn.named",
        "answers its turn in time, and names the turn",
        turns.named,
        _SEATED,
        goes_on=False,
    ),
    Point(
        "auction.passed",
        "passes a board out, and plays the next one",
        actions.passed_out,
        ("turn.named",),
    ),
    Point(
        "auction.competitive",
        "makes legal calls when opponents bid to 7NT",
        actions.competitive,
        _PLAYS,
    ),
    Point(
        "auction.doubled", "makes legal calls after doubles and redoubles", actions.doubled, _PLAYS
    ),
    Point("auction.seven", "makes legal calls at the seven level", actions.seven, _PLAYS),
    Point(
        "auction.explained",
        "accepts calls with alerts and explanations",
        actions.explained,
        _PLAYS,
    ),
    Point("play.declarer", "plays its own and dummy's cards as declarer", actions.declarer, _PLAYS),
    Point("play.dummy", "sends no action as dummy", actions.dummy, _PLAYS),
    Point("play.defender", "leads and defends with legal cards", actions.defender, _PLAYS),
    Point("play.voids", "follows suit if it can, else ruffs or discards", actions.voids, _PLAYS),
    Point(
        "boards.random",
        "plays random boards without a fault",
        turns.random_boards,
        (*_PLAYS, *_LEGAL),
    ),
    Point("boards.bidding", "plays boards that end after the auction", turns.bidding_only, _PLAYS),
    Point(
        "tables.together",
        "plays at two tables at the same time",
        turns.together,
        (*_PLAYS, "connect.tables"),
    ),
    Point("forms.grown", "ignores fields that it does not know", forms.grown, _PLAYS),
    Point("forms.gathered", "reads several messages in one frame", forms.gathered, _PLAYS),
    Point("forms.single", "reads messages that come in a frame each", forms.single, _PLAYS),
    Point("forms.fragmented", "reads frames that come in fragments", forms.fragmented, _PLAYS),
    Point("forms.silence", "waits through a silence, and answers a ping", forms.silence, _PLAYS),
    Point(
        "error.illegal", "answers again after a legal action was refused", faults.illegal, _PLAYS
    ),
    Point(
        "error.stale",
        "continues when told that an answer was stale",
        faults.stale,
        (*_PLAYS, "error.illegal"),
    ),
    Point(
        "error.timeout",
        "continues after a substitute for a late answer",
        faults.timeout,
        (*_PLAYS, "error.illegal", "error.stale"),
    ),
    Point(
        "error.substituted",
        "continues after a substitute for refused answers",
        faults.substituted,
        (*_PLAYS, "error.illegal"),
    ),
    Point(
        "abandoned.in-turn",
        "continues after a board is given up in its turn",
        faults.in_turn,
        (*_PLAYS, "error.illegal", "error.stale"),
    ),
    Point(
        "abandoned.out-of-turn",
        "continues after a board is given up out of its turn",
        faults.out_of_turn,
        _PLAYS,
    ),
    Point(
        "claims.declarer",
        "plays on as declarer where claims are allowed",
        claiming.declarer,
        (*_PLAYS, "play.declarer"),
    ),
    Point(
        "claims.defender",
        "answers declarer's claims as a defender",
        claiming.defender,
        (*_PLAYS, "play.defender"),
    ),
    Point(
        "claims.dummy",
        "continues after its partner claims",
        claiming.dummy,
        (*_PLAYS, "play.dummy"),
    ),
    Point(
        "abandoned.claim",
        "continues after a board is given up during a claim",
        faults.claim,
        (*_PLAYS, "claims.defender", "abandoned.in-turn"),
    ),
    Point(
        "seed.twice",
        "plays the same board twice with the same seed",
        turns.twice,
        _PLAYS,
        informs=True,
    ),
    Point(
        "return.restarted",
        "continues from the Snapshot after a restart",
        connecting.restarted,
        _PLAYS,
    ),
    Point(
        "return.in-turn",
        "comes back after losing its connection in its turn",
        connecting.in_turn,
        (*_PLAYS, "return.restarted"),
    ),
    Point(
        "return.out-of-turn",
        "comes back after losing its connection out of turn",
        connecting.out_of_turn,
        (*_PLAYS, "return.restarted", "return.in-turn"),
    ),
    Point(
        "conduct.unasked",
        "sends no action that it was not asked for",
        turns.unasked,
        ("turn.named",),
        goes_on=False,
    ),
    Point(
        "conduct.explanations",
        "sends explanations that the protocol allows",
        turns.explanations,
        ("turn.named",),
        goes_on=False,
    ),
    Point(
        "conduct.times",
        "takes time to answer",
        turns.times,
        ("turn.named",),
        informs=True,
        goes_on=False,
    ),
    Point(
        "end.goodbye",
        "ends by itself with status 0 after Goodbye",
        connecting.goodbye,
        _SEATED,
        goes_on=False,
    ),
)

"""All points of the check, in the order in which they are tried."""

from __future__ import annotations

from bridge_arena.conformance.checks import (
    abandoned,
    auctions,
    cards,
    claiming,
    conduct,
    connecting,
    ending,
    errors,
    forms,
    returning,
    turns,
)
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
        "says Hello: first, in time, of the right version",
        connecting.hello,
        _SEATED[:1],
        goes_on=False,
    ),
    Point(
        "connect.tables",
        "opens a connection for each of its tables",
        connecting.tables,
        _SEATED,
        goes_on=False,
    ),
    Point(
        "connect.delivery",
        "when events reach it",
        connecting.delivery,
        _SEATED,
        informs=True,
        goes_on=False,
    ),
    Point(
        "turn.named",
        "answers the turn that it is asked, and names it",
        turns.named,
        _SEATED,
        goes_on=False,
    ),
    Point(
        "auction.passed",
        "passes a board out, and takes the next",
        auctions.passed_out,
        ("turn.named",),
    ),
    Point("auction.competitive", "bids against opponents who bid on", auctions.competitive, _PLAYS),
    Point("auction.doubled", "calls where all is doubled and redoubled", auctions.doubled, _PLAYS),
    Point("auction.seven", "calls at the seven level", auctions.seven, _PLAYS),
    Point("auction.explained", "takes alerts and explanations", auctions.explained, _PLAYS),
    Point("play.declarer", "plays its own cards and dummy's as declarer", cards.declarer, _PLAYS),
    Point("play.dummy", "says nothing as dummy", cards.dummy, _PLAYS),
    Point("play.defender", "leads and defends", cards.defender, _PLAYS),
    Point("play.voids", "follows suit, ruffs and discards", cards.voids, _PLAYS),
    Point(
        "boards.random",
        "plays random boards without a fault",
        turns.random_boards,
        (*_PLAYS, *_LEGAL),
    ),
    Point("boards.bidding", "plays boards that are bid only", turns.bidding_only, _PLAYS),
    Point(
        "tables.together",
        "plays at two tables at once",
        turns.together,
        (*_PLAYS, "connect.tables"),
    ),
    Point("forms.grown", "ignores fields that it does not know", forms.grown, _PLAYS),
    Point("forms.gathered", "takes many messages in one frame", forms.gathered, _PLAYS),
    Point("forms.single", "takes each message in a frame of its own", forms.single, _PLAYS),
    Point("forms.fragmented", "takes frames in fragments", forms.fragmented, _PLAYS),
    Point("forms.silence", "waits through a silence, and answers a ping", forms.silence, _PLAYS),
    Point("error.illegal", "is refused, and answers when asked again", errors.illegal, _PLAYS),
    Point(
        "error.stale",
        "is told that an answer came twice",
        errors.stale,
        (*_PLAYS, "error.illegal"),
    ),
    Point(
        "error.timeout",
        "is late, and takes in the substitute",
        errors.timeout,
        (*_PLAYS, "error.illegal", "error.stale"),
    ),
    Point(
        "error.substituted",
        "is refused twice, and takes in the substitute",
        errors.substituted,
        (*_PLAYS, "error.illegal"),
    ),
    Point(
        "abandoned.in-turn",
        "goes on when a board is given up in its turn",
        abandoned.in_turn,
        (*_PLAYS, "error.illegal", "error.stale"),
    ),
    Point(
        "abandoned.out-of-turn",
        "goes on when a board is given up out of its turn",
        abandoned.out_of_turn,
        _PLAYS,
    ),
    Point(
        "claims.declarer",
        "declares where it may claim",
        claiming.declarer,
        (*_PLAYS, "play.declarer"),
    ),
    Point(
        "claims.defender",
        "answers declarer's claims",
        claiming.defender,
        (*_PLAYS, "play.defender"),
    ),
    Point("claims.dummy", "sees partner claim", claiming.dummy, (*_PLAYS, "play.dummy")),
    Point(
        "abandoned.claim",
        "goes on when a board is given up while it answers a claim",
        abandoned.claim,
        (*_PLAYS, "claims.defender", "abandoned.in-turn"),
    ),
    Point(
        "seed.twice", "the same board with the same seed, twice", turns.twice, _PLAYS, informs=True
    ),
    Point(
        "return.restarted",
        "is started again in mid-board, and takes in the Snapshot",
        returning.restarted,
        _PLAYS,
    ),
    Point(
        "return.in-turn",
        "loses its connection in its turn, and comes back",
        returning.in_turn,
        (*_PLAYS, "return.restarted"),
    ),
    Point(
        "return.out-of-turn",
        "loses its connection out of turn, and comes back",
        returning.out_of_turn,
        (*_PLAYS, "return.restarted", "return.in-turn"),
    ),
    Point(
        "conduct.unasked", "sends nothing unasked", conduct.unasked, ("turn.named",), goes_on=False
    ),
    Point(
        "conduct.explanations",
        "its own explanations keep to the protocol",
        conduct.explanations,
        ("turn.named",),
        goes_on=False,
    ),
    Point(
        "conduct.times",
        "how long it takes to answer",
        conduct.times,
        ("turn.named",),
        informs=True,
        goes_on=False,
    ),
    Point(
        "end.goodbye",
        "ends by itself, with status 0, at Goodbye",
        ending.goodbye,
        _SEATED,
        goes_on=False,
    ),
)

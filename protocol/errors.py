"""The errors of the protocol, and the codes that tell a bot about them.

A table of the server chooses the code (`server.table`); before a bot has a seat its gateway does.

ValueError
└── ProtocolError             a frame or message that version 1 does not allow
    └── VersionMismatchError  a Hello of another version
"""

from enum import StrEnum


class ProtocolError(ValueError):
    """A frame or message that the protocol does not allow; the message says why."""


class VersionMismatchError(ProtocolError):
    """A Hello that asks for another protocol version."""


class ErrorCode(StrEnum):
    """The kind of an `Error`."""

    ILLEGAL = "illegal"  # the Laws do not allow the action: answer the next YourTurn
    MALFORMED = "malformed"  # the message is not of this protocol
    STALE = "stale"  # the action answers no open turn; it was ignored
    TIMEOUT = "timeout"  # too late: a call or card was substituted
    SUBSTITUTED = "substituted"  # the table acted in the player's place: the turn is over
    VERSION = "version"  # Hello asked for another protocol version
    TAKEN = "taken"  # the token is good, but no seat of it is free

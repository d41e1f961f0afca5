"""What the protocol refuses.

ValueError
└── ProtocolError             a frame or message that version 1 does not allow
    └── VersionMismatchError  a Hello of another version
"""


class ProtocolError(ValueError):
    """A frame or message that the protocol does not allow; the text says what."""


class VersionMismatchError(ProtocolError):
    """A Hello that asks for another protocol version."""

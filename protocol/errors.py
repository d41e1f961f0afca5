"""What the protocol refuses.

ValueError
└── ProtocolError       a frame or message that version 1 does not allow
"""


class ProtocolError(ValueError):
    """A frame or message that the protocol does not allow; the text says what."""

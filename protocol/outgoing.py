"""Messages on their way to viewers; a message that several may see is encoded once."""

from __future__ import annotations

from bridge_arena.protocol.codec import around_seq, encode, packed_seq
from bridge_arena.protocol.messages import BoardEvent, Error, Goodbye, Message, YourTurn

URGENT = frozenset({YourTurn, Error, Goodbye})
"""Messages that do not wait for the receiver's next turn."""


class Alike:
    """A message shared by all viewers who may see the same; each has its own number for it.

    Args:
        message: The message.

    Attributes:
        message: The message, with the table's number.
        kind: Its class.
        urgent: Whether it may not wait for the receiver's next turn.
    """

    __slots__ = ("_around", "kind", "message", "urgent")

    def __init__(self, message: Message) -> None:
        self.message = message
        self.kind = type(message)
        # Whether it may not wait for the receiver's next turn.
        self.urgent = self.kind in URGENT
        # The value of `around`; None until it is first needed.
        self._around: tuple[bytes, bytes] | None = None

    @property
    def around(self) -> tuple[bytes, bytes]:
        """The encoding, split at the number; a message without one is whole in the first part."""
        if self._around is None:
            message = self.message
            if isinstance(message, BoardEvent):
                self._around = around_seq(message)
            else:
                self._around = encode(message), b""
        return self._around


class Outgoing:
    """A message on its way to one viewer.

    Args:
        alike: The message shared with other viewers.
        seq: The viewer's number for it; None if it is no event of a board.

    Attributes:
        kind: The class of the message.
        urgent: Whether it may not wait for the receiver's next turn.
    """

    __slots__ = ("_alike", "_seq", "kind", "urgent")

    def __init__(self, alike: Alike, seq: int | None) -> None:
        self.kind = alike.kind
        self.urgent = alike.urgent
        self._alike = alike
        self._seq = seq

    @classmethod
    def of(cls, message: Message) -> Outgoing:
        """Return a message that is sent unchanged."""
        return cls(Alike(message), message.seq if isinstance(message, BoardEvent) else None)

    @property
    def shared(self) -> Message:
        """The message as it is shared, for a viewer who does not look at its number."""
        return self._alike.message

    @property
    def message(self) -> Message:
        """The message with the viewer's number."""
        message = self._alike.message
        if not isinstance(message, BoardEvent) or message.seq == self._seq:
            return message
        return message.model_copy(update={"seq": self._seq})

    @property
    def encoded(self) -> bytes:
        """The encoded message with the viewer's number."""
        before, after = self._alike.around
        return before if self._seq is None else before + packed_seq(self._seq) + after

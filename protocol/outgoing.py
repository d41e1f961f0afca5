"""Messages on their way to viewers: what several may see alike is encoded once."""

from __future__ import annotations

from bridge_arena.protocol.codec import around_seq, encode, packed_seq
from bridge_arena.protocol.messages import BoardEvent, Error, Goodbye, Message, YourTurn

URGENT = frozenset({YourTurn, Error, Goodbye})
"""What does not wait for the receiver's next turn."""


class Alike:
    """A message as all are sent it who may see the same; its number is each one's own."""

    __slots__ = ("_around", "kind", "message", "urgent")

    def __init__(self, message: Message) -> None:
        self.message = message
        self.kind = type(message)
        # Whether it may not wait for the receiver's next turn.
        self.urgent = self.kind in URGENT
        # See `around`; None until somebody asks for it.
        self._around: tuple[bytes, bytes] | None = None

    @property
    def around(self) -> tuple[bytes, bytes]:
        """The encoding before and after the number of an event of a board."""
        if self._around is None:
            message = self.message
            if isinstance(message, BoardEvent):
                self._around = around_seq(message)
            else:
                self._around = encode(message), b""
        return self._around


class Outgoing:
    """A message on its way to one viewer. `seq`: the number by which the viewer knows it; None
    for what is no event of a board."""

    __slots__ = ("_alike", "_seq", "kind", "urgent")

    def __init__(self, alike: Alike, seq: int | None) -> None:
        self.kind = alike.kind
        self.urgent = alike.urgent
        self._alike = alike
        self._seq = seq

    @classmethod
    def of(cls, message: Message) -> Outgoing:
        """A message that is sent as it is."""
        return cls(Alike(message), message.seq if isinstance(message, BoardEvent) else None)

    @property
    def message(self) -> Message:
        message = self._alike.message
        if not isinstance(message, BoardEvent) or message.seq == self._seq:
            return message
        return message.model_copy(update={"seq": self._seq})

    @property
    def encoded(self) -> bytes:
        before, after = self._alike.around
        return before if self._seq is None else before + packed_seq(self._seq) + after

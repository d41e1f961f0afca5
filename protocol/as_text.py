"""Messages as JSON text, as a page speaks them: what a person at a seat is told, and says."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from bridge_arena.protocol.codec import complaint
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import (
    MAX_FRAME,
    Answer,
    AnswerClaim,
    Claim,
    Explain,
    MakeCall,
    Message,
    PlayCard,
    Undo,
)

_ANSWER: TypeAdapter[Answer] = TypeAdapter(
    Annotated[
        MakeCall | PlayCard | Claim | AnswerClaim | Explain | Undo, Field(discriminator="type")
    ]
)


def text_of(message: Message) -> str:
    """Return a message as JSON, on one line; fields that are None are left out."""
    return message.model_dump_json(exclude_none=True)


def read_answer(text: str) -> Answer:
    """Return the answer that JSON says. Raises ProtocolError."""
    if len(text) > MAX_FRAME:
        raise ProtocolError(f"expected at most {MAX_FRAME} characters, received {len(text)}")
    try:
        return _ANSWER.validate_json(text)
    except ValidationError as error:
        raise ProtocolError(complaint(error)) from None

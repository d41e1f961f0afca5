"""Messages as JSON text, in which the page of a person at a seat receives and sends them."""

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
    """Return a message as JSON in one line; fields that are None are left out."""
    return message.model_dump_json(exclude_none=True)


def read_answer(text: str) -> Answer:
    """Read an answer from JSON.

    Args:
        text: The JSON text.

    Returns:
        The answer.

    Raises:
        ProtocolError: The text is no answer.
    """
    if len(text) > MAX_FRAME:
        raise ProtocolError(f"expected at most {MAX_FRAME} characters, received {len(text)}")
    try:
        return _ANSWER.validate_json(text)
    except ValidationError as error:
        raise ProtocolError(complaint(error)) from None

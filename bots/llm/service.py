"""A service that speaks the OpenAI chat-completions interface: one question, one answer.

What comes back is a stranger's: it is bounded in size (`transport`) and time, and the key is masked
in it.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from bridge_arena.base.masking import Masking
from bridge_arena.bots.library.http_service import retry_after
from bridge_arena.bots.llm.prompt import quoted

OPENAI = "https://api.openai.com/v1"
"""The address of the service that has given the interface its name."""

_MOST_TOKENS = 10**8  # the most tokens that a service may say that one question took

_BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""The statuses after which the same question may be answered."""

Messages = list[dict[str, str]]
"""A conversation: `role` and `content` of each message."""


@dataclass(eq=False)
class NoAnswerError(Exception):
    """A question got no answer; the text says why."""

    why: str
    _: KW_ONLY
    may_cost: bool = False  # whether the service may charge for it all the same
    # Whether the same question may be answered later: it is given up for want of time.
    is_busy: bool = False
    # The seconds after which the service wants to be asked again; None if it did not say.
    wait: float | None = None
    # Whether the service takes no question at all, if it has never answered one: the key is wrong,
    # there is no such model, it is another kind of service, or nobody can reach it.
    is_refused: bool = False

    def __str__(self) -> str:
        return self.why


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    is_cut: bool  # whether the answer was longer than it may be, and ends somewhere within
    # The tokens of question and answer; None where the service does not tell.
    tokens: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Service:
    base_url: str  # the address, without `/chat/completions`
    model: str
    key: str = field(repr=False)  # the key; empty for none
    temperature: float
    max_tokens: int  # the most tokens of an answer
    timeout: float  # the most seconds for an answer

    async def ask(self, messages: Messages, seconds: float) -> Reply:
        """Ask once, and wait for `seconds`, or `timeout` if that is less. Raises NoAnswerError."""
        # Imported here, as it needs an extra, which the options of the bot do not.
        from bridge_arena.bots.llm.transport import post  # noqa: PLC0415

        limit = "max_completion_tokens" if self.base_url == OPENAI else "max_tokens"
        body = {
            "model": self.model,
            "messages": messages,
            "temperature": self.temperature,
            limit: self.max_tokens,
        }
        seconds = min(seconds, self.timeout)
        try:
            async with asyncio.timeout(seconds):
                response = await post(f"{self.base_url}/chat/completions", body, self.key)
        except TimeoutError:
            text = f"no answer of the service within {seconds:.1f} s"
            raise NoAnswerError(text, may_cost=True, is_busy=True) from None
        status = response.status
        if status != 200:
            raise NoAnswerError(
                f"the service answered with status {status}{self._complaint(response.data)}",
                is_busy=status in _BUSY,
                wait=retry_after(response.retry_after),
                is_refused=400 <= status < 500 and status not in _BUSY,
            )
        return self._reply(response.data)

    def _reply(self, data: bytes) -> Reply:
        """Return what a response says. Raises NoAnswerError."""
        try:
            answer = self._decoded(data)
            choice = answer["choices"][0]
            message = choice["message"]
            text = message.get("content") or message.get("refusal") or ""
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            text = "the answer of the service is not of the chat-completions interface"
            raise NoAnswerError(text, may_cost=True, is_refused=True) from None
        if not isinstance(text, str):
            raise NoAnswerError("the answer of the service is not text to pass on", may_cost=True)
        text = text.encode(errors="replace").decode()  # without halves of characters
        return Reply(text, choice.get("finish_reason") == "length", _tokens(answer.get("usage")))

    def _complaint(self, data: bytes) -> str:
        """Return what the service says of an error, quoted; "" if that is nothing to pass on."""
        try:
            text = self._decoded(data)["error"]["message"]
        except (ValueError, LookupError, TypeError, RecursionError):
            return ""
        return f": {quoted(text)}" if isinstance(text, str) else ""

    def _decoded(self, data: bytes) -> Any:
        """Return what JSON says, with the key masked. Raises ValueError and RecursionError."""
        return Masking([self.key]).value(json.loads(data))


def _tokens(usage: Any) -> tuple[int, int] | None:
    """Return the tokens of question and answer that a service tells; None if it tells none."""
    if not isinstance(usage, dict):
        return None
    tokens_in, tokens_out = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(tokens_in) is not int or type(tokens_out) is not int:
        return None
    is_likely = 0 <= tokens_in <= _MOST_TOKENS and 0 <= tokens_out <= _MOST_TOKENS
    return (tokens_in, tokens_out) if is_likely else None

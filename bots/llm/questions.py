"""One decision of a model: it is asked, asked again while its answers cannot be used, and counted.

A busy service is asked again for as long as the time lasts. A decision has a cost even if nothing
comes of it, so what was counted is returned in any case.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Generic, TypeVar

from bridge_arena.bots.llm.answers import UnreadableError
from bridge_arena.bots.llm.budget import Budget, BudgetError, Prices
from bridge_arena.bots.llm.service import Messages, NoAnswerError, Reply, Service
from bridge_arena.bridge.record import ModelUse
from bridge_arena.protocol.types import MOST_COUNTED, MOST_MONEY

T = TypeVar("T")

_PAUSES = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0)
"""The least seconds between questions to a busy service; the last ones go on."""

_LEAST_SECONDS = 0.05  # with less time than this, nothing is asked
_MOST_OF_AN_ANSWER = 4000  # the most characters of an unusable answer that the model is reminded of
_MESSAGE_TOKENS = 16  # the most tokens that a service may add to each message

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    messages: Messages
    read: Callable[[str], T]  # reads an answer, or raises UnreadableError
    is_legal: Callable[[T], bool]  # whether an action is legal
    # Returns what is said after an answer that cannot be used, and why it cannot.
    again: Callable[[str], str]


@dataclass(slots=True)
class Decision(Generic[T]):
    action: T | None  # the action; None if there is none
    text: str  # the last answer, or why there is none
    # Why the bot can ask nothing more at all: the service takes no question or cannot be reached,
    # or the budget is spent; "" if it can.
    refused: str
    is_late: bool  # whether there is no action because the time was up
    use: ModelUse  # the account of it


@dataclass(slots=True)
class _Counts:
    """The account of a decision as it grows, and when its time is up."""

    until: float  # by the monotonic clock
    questions: int = 0
    unreadable: int = 0
    illegal: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    is_late: bool = False  # whether it ended for want of time


@dataclass(slots=True)
class Asker:
    service: Service
    prices: Prices
    budget: Budget | None  # the limit on what is spent; None for none
    retries: int  # how often a question is asked again after an answer that cannot be used
    # Whether the service has ever answered.
    _has_answered: bool = field(default=False, init=False)

    async def decide(self, question: Question[T], seconds: float, *, twice: bool) -> Decision[T]:
        """Have the model decide in time, and with `twice` once more, to see whether it agrees."""
        # A service that hangs does not use up a clock that has hours left.
        until = monotonic() + min(seconds, (1 + self.retries) * self.service.timeout)
        counts = _Counts(until)
        decided = await self._decide(question, counts)
        action = decided[0]
        same: bool | None = None
        if twice and action is not None:
            same = await self._is_same(question, action, counts)
        use = ModelUse(
            questions=counts.questions,
            unreadable=counts.unreadable,
            illegal=counts.illegal,
            failed=counts.failed,
            answered=action is not None,
            same=same,
            # As much as the protocol can say, whatever a service claims.
            tokens_in=min(counts.tokens_in, MOST_COUNTED),
            tokens_out=min(counts.tokens_out, MOST_COUNTED),
            money=min(round(self.prices.of(counts.tokens_in, counts.tokens_out), 9), MOST_MONEY),
            seconds=round(counts.seconds, 3),
        )
        return Decision(*decided, counts.is_late, use)

    async def _decide(self, question: Question[T], counts: _Counts) -> tuple[T | None, str, str]:
        """Return the action, the last answer or what is wrong, and why the service refuses all."""
        messages = list(question.messages)
        while True:
            try:
                reply = await self._reply(messages, counts)
            except BudgetError as error:
                return None, str(error), str(error)
            except NoAnswerError as error:
                counts.is_late = error.is_busy
                is_refused = error.is_refused and not self._has_answered
                return None, str(error), str(error) if is_refused else ""
            try:
                action = _read(reply, question)
            except UnreadableError as error:
                counts.unreadable += 1
                why = str(error)
            else:
                if question.is_legal(action):
                    return action, reply.text, ""
                counts.illegal += 1
                why = f"{_bare(action)} is not legal"
            bad = counts.unreadable + counts.illegal
            if bad > self.retries:
                return None, f"the last of {bad} answers: {why}", ""
            answer = reply.text[:_MOST_OF_AN_ANSWER]
            messages.append({"role": "assistant", "content": answer})
            messages.append({"role": "user", "content": question.again(why)})

    async def _is_same(self, question: Question[T], action: T, counts: _Counts) -> bool | None:
        """Ask the same once more; return None if there is no answer."""
        apart = _Counts(counts.until)  # only what it costs counts
        try:
            reply = await self._reply(question.messages, apart)
            return _bare(_read(reply, question)) == _bare(action)
        except (BudgetError, NoAnswerError):
            return None
        except UnreadableError:
            return False
        finally:
            counts.tokens_in += apart.tokens_in
            counts.tokens_out += apart.tokens_out

    async def _reply(self, messages: Messages, counts: _Counts) -> Reply:
        """Return an answer, if a busy service has one in time, or raise what `_ask` raises."""
        tries = 0
        while True:
            if counts.until - monotonic() < _LEAST_SECONDS:
                raise NoAnswerError("no answer of the service in time", is_busy=True)
            began = monotonic()
            try:
                reply = await self._ask(messages, counts.until - began, counts)
            except NoAnswerError as error:
                counts.failed += 1
                counts.seconds += monotonic() - began
                wait = max(error.wait or 0.0, _PAUSES[min(tries, len(_PAUSES) - 1)])
                tries += 1
                if not error.is_busy or monotonic() + wait + _LEAST_SECONDS > counts.until:
                    raise
                _log.warning("%s; asking again in %.1f s", error, wait)
                counts.seconds += wait
                await asyncio.sleep(wait)
            else:
                self._has_answered = True
                counts.seconds += monotonic() - began
                return reply

    async def _ask(self, messages: Messages, seconds: float, counts: _Counts) -> Reply:
        """Ask once, and count the tokens, as many as it can have taken where that is not known."""
        # No token is shorter than a byte.
        most_in = sum(len(message["content"].encode()) + _MESSAGE_TOKENS for message in messages)
        most = most_in, self.service.max_tokens
        held = None if self.budget is None else self.budget.hold(*most)
        counts.questions += 1
        took = most
        try:
            reply = await self.service.ask(messages, seconds)
            took = most if reply.tokens is None else reply.tokens
        except NoAnswerError as error:
            if not error.may_cost:
                took = 0, 0
            raise
        finally:
            if self.budget is not None and held is not None:
                self.budget.settle(held, *took)
            counts.tokens_in += took[0]
            counts.tokens_out += took[1]
        return reply


def _read(reply: Reply, question: Question[T]) -> T:
    if reply.is_cut:
        raise UnreadableError("it was cut off, as it was too long")
    return question.read(reply.text)


def _bare(action: object) -> object:
    """Return an action without what is said about it."""
    return getattr(action, "call", action)

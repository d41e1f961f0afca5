"""A bot that asks a language model for each call and card."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from importlib import import_module
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import urlsplit

from bridge_arena.base.extras import missing
from bridge_arena.bots.library.http_service import check_variable, key_in
from bridge_arena.bots.llm.answers import read_call, read_card
from bridge_arena.bots.llm.budget import Budget, Prices
from bridge_arena.bots.llm.prompt import Prompt, position_text
from bridge_arena.bots.llm.questions import Asker, Question
from bridge_arena.bots.llm.service import OPENAI, Messages, Service
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.decision import LeavingError, NoActionError
from bridge_arena.protocol.view import View

T = TypeVar("T")

_MARGIN = 0.1, 2.0
"""The share of the time for an action that is kept for the way back, and the most seconds of it."""

_LONGEST = 3600.0  # the seconds for an action where nobody tells them


class LlmBot(Bot):
    """A player whose calls and cards a language model names.

    Any service will do that speaks the OpenAI chat-completions interface. The model is told the
    position as its seat sees it, and what opponents say of their calls, quoted as data. An answer
    that is unreadable or illegal is asked for again; if there is still none, or the time is nearly
    up, the table acts for the bot and records an illegal answer. When the budget is spent the bot
    leaves. What was asked, and what it cost, is kept with the results.

    Args:
        model: The name of the model at the service.
        base_url: The address of the service, without `/chat/completions`.
        key_env: The environment variable that holds the key, which no other bot is given; by
            default `OPENAI_API_KEY` at OpenAI's own address, and no key elsewhere.
        legal: Whether the model is told the legal actions: `list`, or `none`, the strict track.
        retries: How often a question is asked again after an answer that cannot be used.
        prompt: A file of the questions in place of the one that ships.
        card: A file of the convention card in place of the one that ships.
        temperature: The temperature.
        max_tokens: The most tokens of an answer.
        timeout: The most seconds for an answer.
        twice: The share of decisions that are asked for once more, to see whether the model agrees
            with itself.
        price_in: The price of a million tokens of questions.
        price_out: The price of a million tokens of answers.
        budget_tokens: The most tokens that may be spent; 0 for no limit.
        budget_money: The most money that may be spent; 0 for no limit.
        spent: The file that counts what is spent, for all seats together; a budget needs it.

    Raises:
        ValueError: An option has an impossible value, or one is missing.
    """

    name = "llm"

    def __init__(
        self,
        model: str = "",
        base_url: str = OPENAI,
        key_env: str = "",
        legal: Literal["list", "none"] = "list",
        retries: int = 2,
        prompt: str = "",
        card: str = "",
        temperature: float = 1.0,
        max_tokens: int = 4000,
        timeout: float = 120.0,
        twice: float = 0.0,
        price_in: float = 0.0,
        price_out: float = 0.0,
        budget_tokens: int = 0,
        budget_money: float = 0.0,
        spent: str = "",
    ) -> None:
        super().__init__()
        _check_url(base_url)
        base_url = base_url.rstrip("/")
        for option, value, least in (
            ("retries", retries, 0),
            ("max_tokens", max_tokens, 1),
            ("timeout", timeout, 0.1),
            ("price_in", price_in, 0),
            ("price_out", price_out, 0),
            ("budget_tokens", budget_tokens, 0),
            ("budget_money", budget_money, 0),
        ):
            if not least <= value <= 1e9:
                raise ValueError(f"{option} is {value}, expected {least} or more")
        for option, value, most in (("temperature", temperature, 2), ("twice", twice, 1)):
            if not 0 <= value <= most:
                raise ValueError(f"{option} is {value}, expected 0 to {most}")
        if (budget_tokens or budget_money) and not spent:
            raise ValueError("a budget needs spent=FILE, where all seats count together")
        if budget_money and not price_in + price_out:
            raise ValueError("budget_money needs price_in and price_out, for a million tokens")
        self._model = model
        self._legal = legal
        self._twice = twice
        self._files = prompt, card
        if key_env:
            check_variable("key_env", key_env)
        self._key_env = key_env or ("OPENAI_API_KEY" if base_url == OPENAI else "")
        self.secrets = (self._key_env,) if self._key_env else ()
        prices = Prices(price_in, price_out)
        self._budget: Budget | None = None
        if budget_tokens or budget_money:
            self._budget = Budget(Path(spent), prices, budget_tokens, budget_money)
        self._new_asker: Callable[[str], Asker] = lambda key: Asker(
            Service(base_url, model, key, temperature, max_tokens, timeout),
            prices,
            self._budget,
            retries,
        )
        # What needs files and the environment, until `prepare` has read them.
        self._ready: tuple[Prompt, Asker] | None = None

    def prepare(self) -> None:
        """Read the prompt and the key, and make sure that a budget can be kept."""
        self._prepared()

    def call(self, view: View) -> MadeCall:
        legal = view.legal_calls()
        return self._decide(view, "call", legal, read_call, lambda made: made.call in legal)

    def play(self, view: View) -> Card:
        """Return the card that the model names; an only legal one of the track `list` at once."""
        legal = view.legal_cards()
        if self._legal == "list" and len(legal) == 1:
            return next(iter(legal))
        cards = sorted(legal, reverse=True)
        return self._decide(view, "card", cards, read_card, legal.__contains__)

    def _decide(
        self,
        view: View,
        what: Literal["call", "card"],
        legal: Collection[Call] | Collection[Card],
        read: Callable[[str], T],
        is_legal: Callable[[T], bool],
    ) -> T:
        """Return the action that the model names; raise NoActionError or LeavingError."""
        prompt, asker = self._prepared()
        listed = f"Legal: {', '.join(map(str, legal))}." if self._legal == "list" else ""
        template = prompt.call if what == "call" else prompt.card
        content = template.substitute(position=position_text(view), legal=listed)
        messages: Messages = [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": content},
        ]

        def again(why: str) -> str:
            line = f"{what.upper()}: your {what}"
            return prompt.again.substitute(why=why, legal=listed, line=line)

        question = Question(messages, read, is_legal, again)
        seconds = _LONGEST if view.turn is None else view.turn.seconds
        seconds -= min(_MARGIN[0] * seconds, _MARGIN[1])
        twice = self.rng.random() < self._twice
        decision = asyncio.run(asker.decide(question, seconds, twice=twice))
        self.think(decision.text, seconds=decision.use.seconds, model=decision.use)
        if decision.refused:
            raise LeavingError(decision.refused)
        if decision.action is None:
            raise NoActionError(decision.text, timeout=decision.is_late)
        return decision.action

    def _prepared(self) -> tuple[Prompt, Asker]:
        if self._ready is None:
            if not self._model:
                raise ValueError("name a model: llm:model=NAME")
            _check_extra()
            key = key_in(self._key_env) if self._key_env else ""
            if self._budget is not None:
                self._budget.check()
            self._ready = Prompt.read(*self._files), self._new_asker(key)
        return self._ready


def _check_extra() -> None:
    try:
        import_module("bridge_arena.bots.llm.transport")
    except ModuleNotFoundError as error:
        text = missing("the bot llm", "http", error.name or "")
        if text is None:
            raise
        raise ValueError(text) from None


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good or not url.isprintable() or " " in url:
        raise ValueError("base_url is not an address, expected http://HOST[:PORT]/PATH or https")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("base_url has more than an address: a key comes from key_env")

"""Orders to a ladder: who comes, pauses and goes, and who may connect by itself.

They are carried out in one place, whoever gives them: a user of this machine, or an administrator
from afar, whose token may be stolen. So what is added from afar names no program, file, option or
address, and no administrator's token is made there. What an author may order is in `permissions`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bridge_arena.bots.registry import SHIPPED
from bridge_arena.tournaments.events.entries import EntryError, definition_of, parse_party
from bridge_arena.tournaments.events.event import Entrant, lost_in_pbn
from bridge_arena.tournaments.events.tokens import Tokens
from bridge_arena.tournaments.ladder.authors import public_post
from bridge_arena.tournaments.ladder.ladder_file import checked_registration
from bridge_arena.tournaments.ladder.players import LadderError, State
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.sequential_tests import Outcome

ADMINISTRATOR = "administrator\n"
"""The owner of the administrator's token: no player's name has a line break."""


LONGEST_TEXT = 300
"""The most characters of a text about a player."""

_Name = Annotated[str, Field(max_length=100)]
_Bot = Annotated[str, Field(max_length=2000)]
_Text = Annotated[str, Field(max_length=LONGEST_TEXT)]


class _Order(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Add(_Order):
    """A player comes, or the player of that name has another bot."""

    order: Literal["add"] = "add"
    bot: _Bot
    name: _Name = ""  # "" for that of the bot
    author: _Name | None = None  # None: as it was
    clock: _Name | None = None


class SetState(_Order):
    """A player pauses, comes back or goes."""

    order: Literal["pause", "resume", "retire", "ban"]
    player: _Name


class MakeToken(_Order):
    """A player's bots that connect by themselves have another token."""

    order: Literal["token"] = "token"
    player: _Bot  # one of several bots has a longer name


class ShowStatus(_Order):
    """Where the ladder stands, as JSON or as it is printed in so many columns; nothing changes."""

    order: Literal["status"] = "status"
    width: Annotated[int, Field(ge=40, le=400)]
    as_json: bool = False


class AskTest(_Order):
    """A sequential test tells whether a player is better than another."""

    order: Literal["test"] = "test"
    new: _Name
    base: _Name
    sprt: _Name = ""  # as for `Sprt.parse`


class WithdrawTest(_Order):
    """A test ends without a verdict."""

    order: Literal["withdraw"] = "withdraw"
    number: Annotated[int, Field(ge=1, le=10**9)]


class Describe(_Order):
    """A player's system, its page elsewhere, and what is new in its version; None stays."""

    order: Literal["describe"] = "describe"
    player: _Name
    system: _Text | None = None
    home: _Text | None = None
    news: _Text | None = None


class SetWebhook(_Order):
    """Alerts of an author's players are posted to an address; "" for none."""

    order: Literal["webhook"] = "webhook"
    url: Annotated[str, Field(max_length=500)]


Change = Add | SetState | MakeToken | AskTest | WithdrawTest | Describe | SetWebhook

Order = Change | ShowStatus

ORDER: TypeAdapter[Order] = TypeAdapter(Annotated[Order, Field(discriminator="order")])

_TEXTS = {"system": "system", "home": "home page", "news": "text of news"}

_STATES = {
    "pause": (State.PAUSED, "plays no more matches until it is resumed"),
    "resume": (State.ACTIVE, "plays again"),
    "retire": (State.RETIRED, "is retired"),
    "ban": (State.BANNED, "is banned"),
}


_REASONS = {
    "json_invalid": "the order is no JSON",
    "dict_type": "an order is an object in JSON",
    "union_tag_not_found": "it does not say which order it is: the key order is missing",
    "union_tag_invalid": "there is no such order: there are {expected_tags}",
    "missing": "it is missing",
    "extra_forbidden": "the order has no such key",
    "string_type": "expected a text",
    "string_too_long": "{max_length} characters are the most",
    "int_type": "expected a whole number",
    "bool_type": "expected true or false",
    "greater_than_equal": "{ge} is the least",
    "less_than_equal": "{le} is the most",
}
"""Why an order cannot be read, by the name that pydantic has for it."""


def reason_of(error: ValidationError) -> str:
    """Return in one line why an order cannot be read."""
    first = error.errors(include_url=False, include_input=False)[0]
    words = _REASONS.get(first["type"], first["msg"])
    place = ".".join(map(str, first["loc"]))
    text = words.format_map(first.get("ctx", {}))
    return f"{place}: {text}" if place else text


def carry_out(
    order: Change, store: LadderStore, tokens: Path, folder: Path | None, author: str = ""
) -> str:
    """Carry out an order, and return a line that says what was done, or the token.

    Raises LadderError, StoreError and TokensError.

    Args:
        order: The order.
        store: The store of the ladder.
        tokens: The file of its tokens.
        folder: The folder in which programs are found; None if the order comes from afar.
        author: The author who gives it, and may do so; "" for the administrator.
    """
    match order:
        case Add():
            return _add(order, store, folder, author)
        case SetState():
            state, words = _STATES[order.order]
            most = store.definition().players_of_author
            # The administrator may ban it at this moment.
            unless = State.BANNED if author else None
            store.set_state(order.player, state, most, unless=unless)
            return f"{order.player} {words}"
        case MakeToken():
            return _make_token(order, store, tokens)
        case AskTest():
            return _ask_test(order, store, author)
        case Describe():
            return _describe(order, store)
        case SetWebhook():
            return _set_webhook(order, store, author)
        case WithdrawTest(number=number):
            if not store.tests.end(number, Outcome.WITHDRAWN):
                raise LadderError(f"no open test has the number {number}")
            return f"test {number} is withdrawn"


def _add(order: Add, store: LadderStore, folder: Path | None, giver: str) -> str:
    if folder is None and not _is_harmless(order.bot):
        raise LadderError(
            f"{order.bot!r}: from afar only bots that ship come, without options, and remote:NAME"
        )
    known = {player.name: player for player in store.players().values()}
    definition = store.definition()
    author = giver or order.author
    try:
        name = order.name or parse_party(order.bot, folder).name
        if (wrong := lost_in_pbn(name)) is not None:
            raise LadderError(f"name: {wrong}")
        entrant = Entrant(bot=order.bot, name=name, clock=order.clock)
        if entrant.name in definition.anchors:
            raise LadderError(f"{entrant.name} holds the scale: only the ladder's file changes it")
        if folder is not None:
            entrant = entrant.located(folder)
        if author is None:
            author = known[entrant.name].author if entrant.name in known else ""
        registration = checked_registration(definition, entrant, author)
    except (EntryError, ValueError) as error:
        raise LadderError(str(error)) from None
    most = definition.players_of_author
    if store.enter(registration, folder, most, must_be_new=bool(giver)):
        return f"{entrant.name} joins the ladder"
    state = known[entrant.name].state
    return f"{entrant.name} is on the ladder already ({state}), now as {order.bot}"


def _is_harmless(bot: str) -> bool:
    """Return whether a text names no program, file, option or address, but only bots."""
    for player in definition_of(bot).split(" & "):
        text = definition_of(player.strip())
        shipped = SHIPPED.get(text)
        if not text.startswith("remote:") and (shipped is None or shipped.network):
            return False
    return True


def _ask_test(order: AskTest, store: LadderStore, author: str) -> str:
    known = {player.name: player for player in store.players().values()}
    for name in (order.new, order.base):
        if name not in known:
            raise LadderError(f"no player is called {name!r}")
    try:
        test = store.tests.ask(known[order.new], known[order.base], order.sprt, author)
    except ValueError as error:
        raise LadderError(f"the test: {error}") from None
    return f"test {test.number} begins: is {order.new} better than {order.base}? ({test.sprt})"


def _make_token(order: MakeToken, store: LadderStore, tokens: Path) -> str:
    bots = {bot for player in store.players().values() for bot in player.remote_seats}
    if order.player not in bots:
        known = ", ".join(sorted(bots)) or "none"
        raise LadderError(
            f"{order.player!r} is no bot that connects by itself (there are: {known})"
        )
    return Tokens(tokens).create(order.player)


def _describe(order: Describe, store: LadderStore) -> str:
    if (wrong := _text_mistake(order)) is not None:
        raise LadderError(wrong)
    store.authors.describe(order.player, order.system, order.home, order.news)
    given = order.model_dump(include={"system", "home", "news"}, exclude_none=True)
    return f"{order.player} has another {' and '.join(_TEXTS[key] for key in given)}"


def _text_mistake(order: Describe) -> str | None:
    """Return what is wrong with the texts of an order; None if they are good."""
    given = order.model_dump(include={"system", "home", "news"}, exclude_none=True)
    if not given:
        return "nothing is told: give a system, a home page or news"
    for key, text in given.items():
        if len(text) > LONGEST_TEXT or not text.isprintable():
            return f"{key}: expected a line of {LONGEST_TEXT} printable characters at most"
    if order.home and (wrong := link_mistake(order.home)) is not None:
        return f"home: {wrong}"
    return None


def link_mistake(url: str) -> str | None:
    """Return why a text cannot be a link on a page; None if it can."""
    expected = "expected an address as https://example.org"
    if (
        len(url) > LONGEST_TEXT
        or not (url.isascii() and url.isprintable())
        or set(url) & set(' "<>\\')
    ):
        return expected
    try:
        parts = urlsplit(url)
        is_whole = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return expected
    is_plain = is_whole and "@" not in parts.netloc
    return None if is_plain and url.startswith("https://") else expected


def _set_webhook(order: SetWebhook, store: LadderStore, author: str) -> str:
    if not author:
        raise LadderError("only an author has such a webhook: the ladder's is in its file")
    if order.url and (wrong := public_post.mistake(order.url)) is not None:
        raise LadderError(f"url: {wrong}")
    store.authors.enter(author)
    store.authors.set_webhook(author, order.url)
    what = f"posted to {urlsplit(order.url).hostname}" if order.url else "posted nowhere"
    return f"alerts of your players are {what}"

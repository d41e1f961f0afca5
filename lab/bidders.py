"""The bidders of an experiment: bots that ship, classes of Python files, or any other programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain, count

from bridge_arena.bots.registry import (
    SHIPPED,
    UnknownBotError,
    digest_of,
    failure,
    file_and_class,
    from_anywhere,
    parse,
)
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.tournaments import Access, EntryError, parse_party
from bridge_arena.tournaments.events.entries import check_class


class BidderError(ValueError):
    """The error of a bidder that cannot take part; its line says which and why."""


@dataclass(frozen=True, slots=True)
class Bidder:
    name: str  # the name in the results
    # `NAME:OPTION=VALUE,...` of a bot that ships, or `FILE.py:CLASS`; the text of the entry of any
    # other.
    spec: str
    # The SHA-256 hash of its file, the class's or the weights', hexadecimal; empty if it has none.
    digest: str = ""
    is_apart: bool = False  # whether it is asked in processes of its own, one board at a time

    @classmethod
    def parse(cls, text: str) -> Bidder:
        """Read a bidder. Raises BidderError."""
        title, equals, rest = text.partition("=")
        is_titled = bool(equals) and ":" not in title
        spec = (rest if is_titled else text).strip()
        if is_titled and not title.strip():
            raise BidderError(f"{text!r} gives an empty name")
        if _is_apart(spec):
            return cls._apart(text)
        own = file_and_class(spec)
        name = spec if own is None else own[1]
        spec = from_anywhere(spec)
        bidder = cls(title.strip() if is_titled else name, spec, digest_of(spec))
        make = bidder.maker()
        try:
            make()
        except (Exception, SystemExit) as error:  # it may be anybody's code
            raise BidderError(f"{text!r} cannot be made: {bidder.failure(error)}") from None
        return bidder

    @classmethod
    def _apart(cls, text: str) -> Bidder:
        """Return a bidder in processes of its own. Raises BidderError."""
        try:
            party = parse_party(text)
            for player in party.own:
                check_class(player)
        except EntryError as error:
            raise BidderError(str(error)) from None
        for player in party.own:
            if player.access is not Access.STARTED:
                raise BidderError(f"{player.spec} comes by itself: play an event by arena serve")
        return cls(party.name, party.spec, is_apart=True)

    @property
    def has_changed(self) -> bool:
        """Whether its file is not what it was; of a bot in its own processes that is not known."""
        return not self.is_apart and self.digest != digest_of(self.spec)

    def maker(self) -> Callable[[], Bot]:
        """Return what makes the bot. Raises BidderError."""
        if self.is_apart:
            raise BidderError(f"{self.name} plays in processes of its own: not here")
        try:
            return parse(self.spec)[1]
        except (UnknownBotError, ModuleNotFoundError) as error:
            raise BidderError(str(error)) from None

    def failure(self, error: BaseException, *others: Bidder) -> str:
        """Say how this bot, or another at its table, failed, and in which line of its file."""
        classes = [file_and_class(bidder.spec) for bidder in (self, *others)]
        return failure(error, [place[0] for place in classes if place is not None])


def _is_apart(spec: str) -> bool:
    """Return whether a bot can bid only in processes of its own; False if there is none such."""
    kind = spec.partition(":")[0]
    if kind in ("cmd", "remote", "bluechip", "http", "human") or " & " in spec:
        return True
    return kind in SHIPPED and (SHIPPED[kind].cheat or SHIPPED[kind].network)


def parse_bidders(texts: list[str]) -> list[Bidder]:
    """Read several bidders, and number names that come twice. Raises BidderError."""
    bidders: list[Bidder] = []
    for text in texts:
        bidder = Bidder.parse(text)
        taken = {other.name for other in bidders}
        names = chain([bidder.name], (f"{bidder.name}-{number}" for number in count(2)))
        bidders.append(replace(bidder, name=next(name for name in names if name not in taken)))
    return bidders

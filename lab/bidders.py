"""The bidders of an experiment: bots that ship, or a class of a Python file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bridge_arena.bots.failures import failure
from bridge_arena.bots.registry import (
    UnknownBotError,
    digest_of,
    file_and_class,
    from_anywhere,
    parse,
)
from bridge_arena.bots.sdk.client import Bot


class BidderError(ValueError):
    """The error of a bidder that cannot take part; its line says which and why."""


@dataclass(frozen=True, slots=True)
class Bidder:
    """A bot that takes part.

    Attributes:
        name: The name in the results.
        spec: `NAME:OPTION=VALUE,...` of a bot that ships, or `FILE.py:CLASS`.
        digest: The SHA-256 hash of its file, the class's or the weights', hexadecimal; empty if it
            has none.
    """

    name: str
    spec: str
    digest: str = ""

    @classmethod
    def parse(cls, text: str) -> Bidder:
        """Read a bidder.

        Args:
            text: The spec, with `TITLE=` in front to give it another name.

        Returns:
            The bidder; a file is named by its full path, so that it is found from anywhere.

        Raises:
            BidderError: There is no such bot or file, or it cannot bid here.
        """
        title, equals, rest = text.partition("=")
        is_titled = bool(equals) and ":" not in title
        spec = (rest if is_titled else text).strip()
        if is_titled and not title.strip():
            raise BidderError(f"{text!r} gives an empty name")
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

    @property
    def has_changed(self) -> bool:
        """Whether its file is not what it was when the experiment began."""
        return self.digest != digest_of(self.spec)

    def maker(self) -> Callable[[], Bot]:
        """Return what makes the bot.

        Returns:
            The function.

        Raises:
            BidderError: There is no such bot or file, or it cannot bid here.
        """
        kind = self.spec.partition(":")[0]
        if kind in ("cmd", "remote", "bluechip", "http", "human") or " & " in self.spec:
            raise BidderError(
                f"{self.spec!r}: a bidder in this process is a bot that ships, or FILE.py:CLASS"
            )
        try:
            shipped, make = parse(self.spec)
        except (UnknownBotError, ModuleNotFoundError) as error:
            raise BidderError(str(error)) from None
        if shipped.cheat or shipped.network:
            why = "sees all hands" if shipped.cheat else "needs the network"
            raise BidderError(f"{self.spec!r} {why}, so it cannot bid here")
        return make

    def failure(self, error: BaseException, *others: Bidder) -> str:
        """Say how this bot, or one of others at its table, failed, and in which line of its file.

        Args:
            error: What it raised.
            others: The other bots.

        Returns:
            One line, if the error's own text has no more.
        """
        own = [file_and_class(each.spec) for each in (self, *others)]
        return failure(error, [each[0] for each in own if each is not None])

    def named(self, name: str) -> Bidder:
        """Return the same bidder under another name."""
        return replace(self, name=name)


def parse_bidders(texts: list[str]) -> list[Bidder]:
    """Read several bidders, and number names that come twice.

    Args:
        texts: The bidders, as `Bidder.parse` reads them.

    Returns:
        The bidders; all names differ.

    Raises:
        BidderError: One of them cannot take part.
    """
    found: list[Bidder] = []
    for text in texts:
        bidder = Bidder.parse(text)
        taken = {each.name for each in found}
        number = 2
        name = bidder.name
        while name in taken:
            name = f"{bidder.name}-{number}"
            number += 1
        found.append(bidder.named(name))
    return found

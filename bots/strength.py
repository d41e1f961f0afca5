"""How well the bots that ship play, as `benchmarks.strength` measured it (`strength.json`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import resources

from pydantic import BaseModel, ConfigDict

REFERENCE = "WBridge5"  # the program whose recorded games the bots are compared with

BIDDING_OPPONENT = ("natural", "baseline")
"""Whom a bidder is compared with, and whom this one itself is."""

PLAY_OPPONENT = "baseline"  # whom a player is compared with


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Figure(_Frozen):
    """A mean over boards, or pairs of hands, with its standard error."""

    boards: int
    mean: float
    error: float
    p: float | None = None  # the p-value of a difference; None if there is none

    def __neg__(self) -> Figure:
        return self.model_copy(update={"mean": -self.mean})

    def __abs__(self) -> Figure:
        return -self if self.mean < 0 else self

    def text(self, sign: str = "") -> str:
        """Return the mean and its standard error; `sign` "+" shows the sign always."""
        return f"{self.mean:{sign}.2f} ± {self.error:.2f}"


class Contracts(_Frozen):
    """The contracts of four players of a kind on the boards of the reference."""

    missed: Figure  # the IMPs from par
    # The IMPs by which they are farther from par than the reference's; None for itself.
    more: Figure | None
    doubled: float  # the share of doubled and redoubled contracts
    slams: int  # the slams of sides that should bid one
    # The sides that should bid a slam: they take twelve tricks, double dummy, and by the estimate
    # of tricks from their two hands a slam has the most points to be expected.
    possible: int
    down: int  # the slams that go down


class Lost(_Frozen):
    """The double-dummy tricks a board that four players of a kind lose after given auctions."""

    lead: Figure  # by the opening lead
    declarer: Figure  # by declarer
    defence: Figure  # by the defenders' other cards
    together: Figure  # by all of them
    # By all of them, more than the reference loses on these boards; None for itself.
    more: Figure | None


Matches = dict[str, dict[str, Figure]]
"""The IMPs a board of one bot against another, each match once."""

Doubled = dict[str, dict[str, float]]
"""The share of tables at which one bot's side declares doubled or redoubled, against another."""


class Strength(_Frozen):
    # The hash of the data files that each bot was measured with; empty if it has none.
    digests: dict[str, str] = {}
    par: dict[str, Contracts] = {}  # the contracts of each bidder, and of the reference
    # The IMPs below the best contract while the opponents pass, of each bidder.
    pairs: dict[str, Figure] = {}
    bidding: Matches = {}  # the matches of the bidders, double dummy
    doubled: Doubled = {}  # how often the contracts of a bidder are doubled in these matches
    lost: dict[str, Lost] = {}  # the tricks that each player loses, and the reference
    play: Matches = {}  # the matches of the players, whose auctions are given

    def sentence(self, name: str) -> str:
        """Return what can be said of a bot that ships; empty if it was not measured."""
        parts: list[str] = []
        contracts = self.par.get(name)
        if contracts is not None and contracts.more is not None:
            off = "nearer to" if contracts.more.mean < 0 else "farther from"
            parts.append(
                f"bids {abs(contracts.more).text()} IMPs a deal {off} par than {REFERENCE}"
            )
        usual, of_the_usual = BIDDING_OPPONENT
        opponent = of_the_usual if name == usual else usual
        for bidder, options in _measured(name, self.bidding):
            if (won := against(self.bidding, bidder, opponent)) is not None:
                parts.append(f"{options}{won.text('+')} IMPs a board against {opponent}'s bidding")
        for player, options in _measured(name, {REFERENCE: self.lost, **self.play}):
            parts += self._of_player(player, options)
        return "; ".join(parts)

    def _of_player(self, player: str, options: str) -> Iterator[str]:
        lost = self.lost.get(player)
        if lost is not None and lost.more is not None:
            word = "fewer" if lost.more.mean < 0 else "more"
            tricks = f"{abs(lost.more).text()} tricks a board {word}"
            yield f"{options}loses {tricks} than {REFERENCE} in the play"
            options = ""
        if (won := against(self.play, player, PLAY_OPPONENT)) is not None:
            yield f"{options}{won.text('+')} IMPs a board against {PLAY_OPPONENT}'s play"


def _measured(name: str, figures: Mapping[str, Mapping[str, object]]) -> Iterator[tuple[str, str]]:
    """Yield a bot as it was measured, with what to say of its options."""
    for bot in dict.fromkeys(name for one, row in figures.items() for name in (one, *row)):
        own, _, options = bot.partition(":")
        if own == name:
            yield bot, f"with {options}: " if options else ""


def against(matches: Mapping[str, Mapping[str, Figure]], bot: str, other: str) -> Figure | None:
    """Return the IMPs a board of a bot against another; None if they have not met."""
    figure = matches.get(bot, {}).get(other)
    if figure is None and (reverse := matches.get(other, {}).get(bot)) is not None:
        return -reverse
    return figure


@lru_cache(maxsize=1)
def shipped() -> Strength:
    return Strength.model_validate_json(
        resources.files("bridge_arena.bots").joinpath("strength.json").read_bytes()
    )

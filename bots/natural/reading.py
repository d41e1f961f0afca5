"""What an auction has shown: the state that every rule is matched against.

Positions count from the dealer, 0 to 3; partners are two apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

from bridge_arena.bots.baseline.bidding import cheapest_level
from bridge_arena.bots.library.hand_ranges import ANY, HandRanges
from bridge_arena.bridge.calls import CALLS, DOUBLE, FIRST_BID, PASS, Call, Denomination
from bridge_arena.bridge.cards import SUITS, Suit
from bridge_arena.bridge.explanation import Explanation, Range

_LAST_BID = CALLS[-1]


class Forcing(IntEnum):
    """How long a side may not stop bidding."""

    NO = 0
    ROUND = 1
    GAME = 2


@dataclass(frozen=True)
class Meaning:
    text: str  # the meaning in words
    ranges: HandRanges  # the caller's hand as known after the call
    forcing: Forcing = Forcing.NO  # how long partner may not pass
    signoff: bool = False  # whether the call ends the auction for this side
    stands: bool = False  # whether the call is a pass that lets partner's forcing call stand
    artificial: bool = False  # whether the call is artificial
    asks: bool = False  # whether the call asks for key cards
    keys: tuple[int, ...] = ()  # the numbers of key cards that an answer may mean
    trump: Suit | None = None  # the suit for which key cards are asked or told

    def either(self, other: Meaning) -> Meaning:
        """Return the meaning of a call that may mean either."""
        texts = self.text.split(", or ")
        return replace(
            self,
            text=self.text if other.text in texts else f"{self.text}, or {other.text}",
            ranges=self.ranges.hull(other.ranges),
            forcing=min(self.forcing, other.forcing),
            signoff=self.signoff and other.signoff,
            stands=self.stands and other.stands,
            artificial=self.artificial and other.artificial,
        )

    @cached_property
    def explanation(self) -> Explanation:
        """The explanation, without ranges that follow from a hand's thirteen cards."""
        hcp = None if self.ranges.hcp == ANY.hcp else self.ranges.hcp
        least = sum(low for low, _ in self.ranges.lengths)
        most = sum(high for _, high in self.ranges.lengths)
        lengths: dict[Suit, Range] = {}
        for suit, (low, high) in zip(SUITS, self.ranges.lengths, strict=True):
            shown = (
                0 if low <= 13 - most + high else low,
                13 if high >= 13 - least + low else high,
            )
            if shown != (0, 13):
                lengths[suit] = shown
        forcing = self.forcing != Forcing.NO
        return Explanation(self.text, hcp, lengths, forcing, self.artificial)


@dataclass(frozen=True)
class State:
    vulnerable: tuple[bool, bool]  # whether the dealer's side and the other side are vulnerable
    calls: tuple[Call, ...] = ()  # the calls, from the dealer on
    # What is known of each hand, by position.
    promises: tuple[HandRanges, ...] = (ANY,) * 4
    meanings: tuple[Meaning, ...] = ()  # the meanings of the calls
    bid: Call = PASS  # the last bid, or Pass before the first
    bidder: int = 0  # the position that made the last bid
    doubled: Call = PASS  # x or XX if the last bid is doubled or redoubled, otherwise Pass
    # Whether the dealer's side and the other side must reach a game.
    game: tuple[bool, ...] = (False, False)

    @cached_property
    def turn(self) -> int:
        """The position that is to call."""
        return len(self.calls) % 4

    @cached_property
    def own(self) -> HandRanges:
        """What the player to call has shown."""
        return self.promises[self.turn]

    @cached_property
    def partner(self) -> HandRanges:
        """What partner has shown."""
        return self.promises[(self.turn + 2) % 4]

    @cached_property
    def opponents(self) -> tuple[HandRanges, HandRanges]:
        """What the player to the left has shown, then what the one to the right has."""
        return self.promises[(self.turn + 1) % 4], self.promises[(self.turn + 3) % 4]

    @cached_property
    def last_by_partner(self) -> Meaning | None:
        """Partner's last call, or None if partner has not called."""
        return self.meanings[-2] if len(self.calls) >= 2 else None

    @cached_property
    def ours(self) -> bool:
        return self.bid >= FIRST_BID and (self.bidder - self.turn) % 2 == 0

    @cached_property
    def theirs(self) -> bool:
        return self.bid >= FIRST_BID and not self.ours

    @cached_property
    def passed(self) -> bool:
        """Whether this player passed before anybody opened."""
        position = self.turn
        return len(self.calls) > position and all(
            call == PASS for call in self.calls[: position + 1]
        )

    @cached_property
    def forced(self) -> bool:
        """Whether partner's force forbids a pass, even if the opponents have doubled since."""
        # Over their bid a pass is allowed, and over 7NT it must be.
        partner = self.last_by_partner
        if partner is None or self.calls[-1] >= FIRST_BID or self.bid == _LAST_BID:
            return False
        if partner.forcing == Forcing.ROUND:
            # An answer about key cards may be passed if it is a bid of the trump suit.
            return not partner.keys or self.bid.denomination.trump != partner.trump
        if not self.game[self.turn % 2]:
            return False
        if self.ours:
            return partner.artificial or not is_game(self.bid)
        return self.theirs and self.doubled == PASS

    @cached_property
    def pattern_calls(self) -> Sequence[Call]:
        """The calls as patterns see them: the other side's double of a forcing bid is a pass."""
        if DOUBLE not in self.calls:
            return self.calls
        return [
            PASS
            if call == DOUBLE
            and (len(self.calls) - index) % 2
            and self.calls[index - 1] >= FIRST_BID
            and self.meanings[index - 1].forcing
            else call
            for index, call in enumerate(self.calls)
        ]

    @cached_property
    def trump(self) -> Suit | None:
        """The trump suit, as far as the partners have found one."""
        # It is the suit in which key cards were asked for. Otherwise it is the suit with the most
        # cards known, if these are eight in both hands or six in one. Otherwise it is the suit of
        # the last bid, if this side made it and partner has shown four cards in it.
        for meaning in self.meanings[-2::-2][:2]:
            if meaning.trump is not None:
                return meaning.trump
        fits = [
            (own + partner, suit)
            for suit, (own, _), (partner, _) in zip(
                SUITS, self.own.lengths, self.partner.lengths, strict=True
            )
            if (own >= 2 and own + partner >= 8) or own >= 6 or partner >= 6
        ]
        if fits:
            return max(fits)[1]
        last = self.bid.denomination.trump if self.ours else None
        return last if last is not None and self.partner.least(last) >= 4 else None

    @cached_property
    def shown_by_others(self) -> tuple[Suit, ...]:
        """The suits in which a player of the other side has shown four cards."""
        left, right = self.opponents
        return tuple(suit for suit in SUITS if left.least(suit) >= 4 or right.least(suit) >= 4)

    @cached_property
    def letters(self) -> Mapping[str, Suit]:
        """The suits of the letters T, E, R and Y, as far as there are such suits."""
        suits: dict[str, Suit] = {}
        if self.trump is not None:
            suits["T"] = self.trump
        theirs = self.shown_by_others
        if theirs:
            last = self.bid.denomination.trump if self.theirs else None
            suits["E"] = last if last in theirs else theirs[-1]
        for letter, ranges in (("R", self.partner), ("Y", self.own)):
            shown = self.shown(ranges)
            if shown:
                suits[letter] = shown[0]
        return suits

    def shown(self, ranges: HandRanges) -> list[Suit]:
        """Return the suits of four cards and more that ranges promise, longest first."""
        return sorted(
            (suit for suit in SUITS if ranges.least(suit) >= 4), key=lambda s: -ranges.least(s)
        )

    def cheapest(self, denomination: Denomination) -> int:
        """Return the lowest level at which a denomination can be bid now (8 if none is left)."""
        return cheapest_level(self.bid, denomination)

    def after(self, call: Call, meaning: Meaning) -> State:
        position = self.turn
        promises = list(self.promises)
        promises[position] = meaning.ranges
        game = list(self.game)
        game[position % 2] = game[position % 2] or meaning.forcing == Forcing.GAME
        is_bid = call >= FIRST_BID
        return State(
            self.vulnerable,
            calls=(*self.calls, call),
            promises=tuple(promises),
            meanings=(*self.meanings, meaning),
            bid=call if is_bid else self.bid,
            bidder=position if is_bid else self.bidder,
            doubled=PASS if is_bid else self.doubled if call == PASS else call,
            game=tuple(game),
        )


def is_game(bid: Call) -> bool:
    """Return whether a bid is 3NT, four of a major, five of a minor, or higher."""
    denomination = bid.denomination
    needed = 3 if denomination == Denomination.NOTRUMP else 4 if denomination.trump in (2, 3) else 5
    return bid >= FIRST_BID and bid.level >= needed

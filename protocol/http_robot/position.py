"""A position as a robot is told it: what one seat knows at its turn, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import count
from typing import Any

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import PACK, Card, Hand
from bridge_arena.bridge.errors import BridgeError, IllegalCallError
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.protocol.messages import (
    AuctionEnd,
    BoardMessage,
    BoardStart,
    CallMade,
    CardPlayed,
    DummyShown,
    TrickEnd,
    YourTurn,
)
from bridge_arena.protocol.view import View


class ParameterError(ValueError):
    """A request that is no position of bridge: the parameter, and what is wrong with it."""

    def __init__(self, parameter: str, why: str) -> None:
        super().__init__(f"{parameter}: {why}")


class AnswerError(ValueError):
    """An answer without the call or card that was asked for; the message quotes what it says."""


class Kind(StrEnum):
    """What a robot is asked for; the path of the request has the same name."""

    BID = "bid"
    LEAD = "lead"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class Position:
    """A position that can come up, as the player sees it whose turn it is.

    Raises:
        ParameterError: No such position can come up, or it is not this player's turn.
    """

    seat: Seat  # the player's seat; declarer's too when a card of dummy is asked for
    hand: Hand  # the player's thirteen cards as dealt
    dealer: Seat  # the seat that called first
    vulnerability: Vulnerability  # the sides that are vulnerable
    calls: tuple[Call, ...] = ()  # the auction, the dealer's call first
    dummy: Hand | None = None  # dummy's thirteen cards as dealt; None until they are shown
    played: tuple[Card, ...] = ()  # the cards played, in order

    @classmethod
    def of(cls, view: View) -> Position:
        """Return what a view tells at its player's turn."""
        return cls(
            view.seat,
            view.hand,
            view.dealer,
            view.vulnerability,
            tuple(view.auction.calls),
            view.dummy_hand,
            () if view.play is None else tuple(view.play.cards),
        )

    def __post_init__(self) -> None:
        """Check that the position can come up. Raises ParameterError."""
        _check_size("hand", self.hand)
        auction = auction_so_far(self.dealer, self.calls)
        if not auction.is_over:
            if self.dummy is not None or self.played:
                name = "played" if self.played else "dummy"
                raise ParameterError(name, "the auction is not over")
            _check_turn(self.seat, auction.turn)
            return
        contract = auction.contract
        if contract is None:
            raise ParameterError("ctx", "the board is passed out")
        play = Play(contract)
        if self.seat == play.dummy:
            raise ParameterError(
                "seat", f"{self.seat} is dummy: ask as {play.declarer}, who declares"
            )
        if not self.played:
            if self.dummy is not None:
                raise ParameterError("dummy", "it is not seen before the opening lead")
        else:
            _follow(play, self.played, self._known(play))
        _check_turn(self.seat, play.player)

    @property
    def kind(self) -> Kind:
        """What is asked for."""
        if not Auction(self.dealer, self.calls).is_over:
            return Kind.BID
        return Kind.PLAY if self.played else Kind.LEAD

    def view(self) -> View:
        """Return the view that the player has, with its turn open."""
        start, *events = self.messages("", 1, seconds=0.0)
        assert isinstance(start, BoardStart)
        view = View(self.seat, start)
        for event in events:
            view.apply(event)
        return view

    def messages(self, table: str, board: int, *, seconds: float) -> list[BoardMessage]:
        """Return the messages that tell the player of the position, as a table does.

        The start of the board comes first, the player's turn last, with `seconds` to answer.
        """
        # Equal positions have equal seeds, so that they get equal answers.
        seed = int.from_bytes(sha256(repr(self).encode()).digest()[:6])
        start = BoardStart(
            table=table,
            board=board,
            seq=1,
            dealer=self.dealer,
            vulnerability=self.vulnerability,
            hand=self.hand,
            seed=seed,
        )
        view = View(self.seat, start)
        messages: list[BoardMessage] = [start]
        for event in self._events(table, board):
            view.apply(event)
            messages.append(event)
        if view.play is None:
            whose, legal = self.seat, list(map(str, view.legal_calls()))
        else:
            whose, legal = view.play.turn, list(map(str, view.legal_cards()))
        turn = YourTurn(
            table=table,
            board=board,
            seq=len(messages) + 1,
            player=self.seat,
            seat=whose,
            legal=legal,
            seconds=seconds,
        )
        return [*messages, turn]

    def _events(self, table: str, board: int) -> Iterator[BoardMessage]:
        """Yield the events after the start of the board."""
        numbers = count(2)

        def stamp() -> dict[str, Any]:
            return {"table": table, "board": board, "seq": next(numbers)}

        for index, call in enumerate(self.calls):
            yield CallMade(seat=SEATS[(self.dealer + index) & 3], call=call, **stamp())
        auction = Auction(self.dealer, self.calls)
        contract = auction.contract
        if contract is None or not auction.is_over:
            return
        yield AuctionEnd(contract=str(contract), declarer=contract.declarer, **stamp())
        play = Play(contract)
        for card in self.played:
            yield CardPlayed(seat=play.turn, card=card, **stamp())
            trick = play.push(card)
            if len(play.cards) == 1:
                assert self.dummy is not None
                yield DummyShown(seat=play.dummy, hand=self.dummy, **stamp())
            if trick is not None:
                yield TrickEnd(winner=trick.winner, **stamp())

    def _known(self, play: Play) -> dict[Seat, Hand]:
        """Return the hands that the player sees, as dealt. Raises ParameterError."""
        if self.dummy is None:
            raise ParameterError("dummy", "it is missing")
        _check_size("dummy", self.dummy)
        for card in self.hand & self.dummy:
            raise ParameterError("dummy", f"{card} is in the hand too")
        return {self.seat: self.hand, play.dummy: self.dummy}


def _check_size(name: str, hand: Hand) -> None:
    if len(hand) != 13:
        raise ParameterError(name, f"{len(hand)} cards, not 13")


def _check_turn(seat: Seat, player: Seat) -> None:
    if seat != player:
        raise ParameterError("seat", f"it is the turn of {player}, not {seat}")


def auction_so_far(dealer: Seat, calls: Sequence[Call]) -> Auction:
    """Return the auction of calls, the dealer's first."""
    auction = Auction(dealer)
    for number, call in enumerate(calls, start=1):
        try:
            auction.push(call)
        except IllegalCallError as error:
            raise ParameterError("ctx", f"call {number}: {error}") from None
    return auction


def _follow(play: Play, cards: tuple[Card, ...], known: dict[Seat, Hand]) -> None:
    """Play cards, and check that they can have been played."""
    held = dict(known)
    unseen = PACK
    for hand in known.values():
        unseen -= hand
    hidden = [seat for seat in SEATS if seat not in known]
    # Of the hands that are not seen: the number of cards, and the suits in which they showed out.
    sizes = dict.fromkeys(hidden, 13)
    voids = dict.fromkeys(hidden, Hand())
    for number, card in enumerate(cards, start=1):
        if play.is_over:
            raise ParameterError("played", "more than 52 cards")
        seat = play.turn
        try:
            if seat in held:
                play.check(card, held[seat])
                held[seat] = held[seat].without(card)
            else:
                _check_hidden(card, seat, cards[: number - 1], unseen - voids[seat])
                if play.led not in (None, card.suit):
                    voids[seat] |= PACK.suit(play.trick[0].suit)
                sizes[seat] -= 1
                unseen = unseen.without(card)
        except BridgeError as error:
            raise ParameterError("played", f"card {number}: {error}") from None
        play.push(card)
    if play.is_over:
        raise ParameterError("played", "the play is over")
    one, other = hidden
    first, second = unseen - voids[one], unseen - voids[other]
    if first | second != unseen or len(first) < sizes[one] or len(second) < sizes[other]:
        raise ParameterError(
            "played", f"{one} and {other} have shown out of suits that one of them must hold"
        )


def _check_hidden(card: Card, seat: Seat, before: tuple[Card, ...], may_hold: Hand) -> None:
    """Check a card from a hand that is not seen. Raises BridgeError."""
    if card in may_hold:
        return
    why = f"{seat} cannot hold it"
    if card in before:
        why = "it was played before"
    raise BridgeError(f"{card} is illegal: {why}")

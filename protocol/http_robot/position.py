"""A position as a robot is told it, and the query of the request that tells it.

A position is what one seat knows at its turn, and nothing else. Hands, auctions and cards are read
in every form that is in use, and written in one; their readers raise NotationError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import count
from typing import TypeVar

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, DOUBLE, PASS, REDOUBLE, Call
from bridge_arena.bridge.cards import PACK, Card, Hand
from bridge_arena.bridge.errors import BridgeError, IllegalCallError, NotationError
from bridge_arena.bridge.loose_hands import plain_hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.protocol.messages import (
    AuctionEnd,
    BoardMessage,
    BoardStart,
    CallMade,
    CardPlayed,
    DummyShown,
    Stamp,
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
    """A position that can come up, as the player sees it whose turn it is; else ParameterError."""

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
        return self._shown("", 1, 0.0)[0]

    def messages(self, table: str, board: int, *, seconds: float) -> list[BoardMessage]:
        """Return the messages that tell the player of the position, as a table does.

        The start of the board comes first, the player's turn last, with `seconds` to answer.
        """
        return self._shown(table, board, seconds)[1]

    def _shown(self, table: str, board: int, seconds: float) -> tuple[View, list[BoardMessage]]:
        """Return the player's view with its turn open, and the messages that make it."""
        numbers = count(1)

        def stamp() -> Stamp:
            return {"table": table, "board": board, "seq": next(numbers)}

        start = BoardStart(
            **stamp(),
            dealer=self.dealer,
            vulnerability=self.vulnerability,
            hand=self.hand,
            # Equal positions have equal seeds, so that they get equal answers.
            seed=int.from_bytes(sha256(repr(self).encode()).digest()[:6]),
        )
        view = View(self.seat, start)
        messages: list[BoardMessage] = [start]
        for event in self._events(stamp):
            view.apply(event)
            messages.append(event)
        if view.play is None:
            whose, legal = self.seat, list(map(str, view.legal_calls()))
        else:
            whose, legal = view.play.turn, list(map(str, view.legal_cards()))
        turn = YourTurn(**stamp(), player=self.seat, seat=whose, legal=legal, seconds=seconds)
        view.apply(turn)
        return view, [*messages, turn]

    def _events(self, stamp: Callable[[], Stamp]) -> Iterator[BoardMessage]:
        """Yield the events after the start of the board."""
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
    if card not in may_hold:
        why = "it was played before" if card in before else f"{seat} cannot hold it"
        raise BridgeError(f"{card} is illegal: {why}")


# The query of a request: a position in which a call or card is due, or an auction to explain.

_WORDS = {PASS: "P", DOUBLE: "X", REDOUBLE: "XX"}

_CALL_OF = {
    **{str(call).upper(): call for call in CALLS},
    **{str(call).removesuffix("T"): call for call in CALLS if call.is_bid},
    **{word: call for call, word in _WORDS.items()},
    **{"--": PASS, "PA": PASS, "DB": DOUBLE, "RD": REDOUBLE},
}

_SIDES = {"N-S": "NS", "E-W": "EW"}


def read_call(text: str) -> Call:
    """Return the call of `1S`, `3N`, `3NT`; `P`, `Pa`, `PASS`, `--`; `X`, `Db`; `XX`, `Rd`."""
    call = _CALL_OF.get(text.upper())
    if call is None:
        raise NotationError(f"{text!r} is not a call")
    return call


def write_call(call: Call) -> str:
    """Return `1S`, `3N`, `P`, `X` or `XX`."""
    return _WORDS.get(call) or str(call).removesuffix("T")


def read_calls(text: str) -> list[Call]:
    """Return the calls of an auction: with spaces or dashes between them, or two characters each.

    A text with two dashes in a row has none between calls, as these are its Pass.
    """
    if " " in text:
        words = text.split()
    elif "-" in text and "--" not in text:
        words = text.split("-")
    elif text.upper() in _CALL_OF:
        words = [text]
    else:
        words = [text[start : start + 2] for start in range(0, len(text), 2)]
    return [read_call(word) for word in words]


def write_calls(calls: Sequence[Call]) -> str:
    """Return an auction with dashes between the calls: `P-1S-X`.

    A single Pass is `--`, as a lone `P` does not show which of the two ways it is written in.
    """
    return "--" if list(calls) == [PASS] else "-".join(map(write_call, calls))


def read_cards(text: str) -> list[Card]:
    """Return the cards of `DJDKD3D2`, in the order played."""
    return [Card(text[start : start + 2]) for start in range(0, len(text), 2)]


def write_cards(cards: Sequence[Card]) -> str:
    """Return two characters for each card, suit first."""
    return "".join(map(str, cards))


def read_hand(text: str) -> Hand:
    """Return the hand of `AK97543.K.T3.AK7`, also in the forms of `bridge.loose_hands`."""
    return Hand.parse(plain_hand(text))


def read_vulnerability(text: str) -> Vulnerability:
    """Return the vulnerability of `NS`, `N-S`; `EW`, `E-W`; `Both`, `All`; `None` or nothing."""
    return Vulnerability.parse(_SIDES.get(text.upper(), text)) if text else Vulnerability.NONE


PARAMETERS = frozenset(
    {"hand", "dummy", "seat", "dealer", "vul", "ctx", "played", "format", "details", "tricks"}
)
"""The parameters that have a meaning here."""

T = TypeVar("T")


def parameters_of(position: Position) -> dict[str, str]:
    """Return the parameters that tell a robot of a position; its kind is the path."""
    parameters = {
        "hand": str(position.hand),
        "seat": str(position.seat),
        "dealer": str(position.dealer),
        "vul": str(position.vulnerability),
        "ctx": write_calls(position.calls),
    }
    if position.dummy is not None:
        parameters |= {"dummy": str(position.dummy), "played": write_cards(position.played)}
    return parameters


def position_of(kind: Kind, parameters: Mapping[str, str]) -> Position:
    """Return the position that a request tells of, in which a bid, a lead or another card is due.

    Parameters that `PARAMETERS` has not are ignored. ParameterError is raised if one is missing or
    cannot be read, no such position can come up, or something else is due in it.
    """
    if parameters.get("format", "").lower() == "true":
        raise ParameterError("format", "cards are read in the order played alone, not as in PBN")
    position = Position(
        _read(parameters, "seat", Seat.parse),
        _read(parameters, "hand", read_hand),
        _read(parameters, "dealer", Seat.parse),
        _read(parameters, "vul", read_vulnerability),
        tuple(_read(parameters, "ctx", read_calls)),
        _read(parameters, "dummy", read_hand) if parameters.get("dummy") else None,
        tuple(_read(parameters, "played", read_cards)) if parameters.get("played") else (),
    )
    if position.kind is kind:
        return position
    if kind is Kind.BID:
        raise ParameterError("ctx", "the auction is over")
    if position.kind is Kind.BID:
        raise ParameterError("ctx", "the auction is not over")
    if kind is Kind.LEAD:
        raise ParameterError("played", "the opening lead is made: ask /play")
    raise ParameterError("played", "no card is played: ask /lead")


def auction_of(parameters: Mapping[str, str]) -> tuple[Auction, Vulnerability]:
    """Return the auction that a request tells of, over or not, and the vulnerability."""
    dealer = _read(parameters, "dealer", Seat.parse)
    vulnerability = _read(parameters, "vul", read_vulnerability)
    return auction_so_far(dealer, _read(parameters, "ctx", read_calls)), vulnerability


def _read(parameters: Mapping[str, str], name: str, reader: Callable[[str], T]) -> T:
    """Return what a parameter says. Raises ParameterError."""
    text = parameters.get(name)
    if text is None:
        raise ParameterError(name, "it is missing")
    try:
        return reader(text)
    except NotationError as error:
        raise ParameterError(name, str(error)) from None

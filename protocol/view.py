"""The view: what a seat knows of a board, built from the events that it may see.

The same class serves the table's in-process seats and the SDK of bots that are processes of their
own.
"""

from __future__ import annotations

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Call, Contract
from bridge_arena.bridge.cards import PACK, Deal, Hand, Suit
from bridge_arena.bridge.errors import IllegalCardError
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.protocol.messages import (
    AuctionEnd,
    BoardEnd,
    BoardStart,
    CallMade,
    CardPlayed,
    ClaimMade,
    ClaimSettled,
    DummyShown,
    ExplanationGiven,
    Message,
    YourTurn,
)


class View:
    """One board as one seat sees it, kept up to date by `apply`.

    Attributes:
        seat: The seat.
        table: The table's name.
        number: The board's number.
        dealer: The seat that calls first.
        vulnerability: The board's vulnerability.
        seed: The seed for this seat's random choices on this board.
        deal: All four hands as dealt: for seats marked as cheats, and for defenders once a claim
            has faced declarer's hand; else None.
        hand: The own thirteen cards as dealt.
        auction: The auction.
        calls: The calls of the auction, with the alerts and explanations that this seat was told.
        play: The play; None until the auction has ended in a contract.
        dummy_hand: Dummy's thirteen cards as dealt; None until they are shown.
        declarer_hand: Declarer's thirteen cards as dealt; None until a claim has faced them.
        played: The cards played from each seat's hand, indexed by Seat.
        explained: The explanations given on request, by the index of the call in the auction; None
            if the caller had said nothing about the call.
        claim: The claim that waits for its answers; None if there is none.
        turn: The turn to be answered; None if it is another player's.
        result: The end of the board; None until it is over.
    """

    def __init__(self, seat: Seat, start: BoardStart) -> None:
        self.seat = seat
        self.table = start.table
        self.number = start.board
        self.dealer: Seat = start.dealer
        self.vulnerability: Vulnerability = start.vulnerability
        self.seed = start.seed
        self.deal: Deal | None = start.deal
        self.hand: Hand = start.hand
        self.auction = Auction(start.dealer)
        self.calls: list[MadeCall] = []
        self.play: Play | None = None
        self.dummy_hand: Hand | None = None
        self.declarer_hand: Hand | None = None
        self.played = [Hand(), Hand(), Hand(), Hand()]
        self.explained: dict[int, Explanation | None] = {}
        self.claim: ClaimMade | None = None
        self.turn: YourTurn | None = None
        self.result: BoardEnd | None = None

    def apply(self, event: Message) -> None:
        """Take in a message that the seat was sent.

        Args:
            event: The message; one that is no event of a board changes nothing.

        Raises:
            IllegalCallError: The auction does not allow the call.
            IllegalCardError: A card comes before the play has begun.
        """
        # Compare types: isinstance is slow for pydantic's classes.
        if type(event) is YourTurn:
            self.turn = event
        elif type(event) is CardPlayed:
            self.playing.push(event.card)
            self.played[event.seat] = Hand(self.played[event.seat].mask | 1 << event.card)
            self.turn = None
        elif type(event) is CallMade:
            self.auction.push(event.call)
            self.calls.append(MadeCall(event.call, event.alert, event.explanation))
            self.turn = None
        elif type(event) is AuctionEnd:
            contract = self.auction.contract
            if contract is not None:
                self.play = Play(contract)
        elif type(event) is DummyShown:
            self.dummy_hand = event.hand
        elif type(event) is ClaimMade:
            self._face(event)
        elif type(event) is ClaimSettled:
            self.claim = None
            self.turn = None
        elif type(event) is ExplanationGiven:
            self.explained[event.call] = event.explanation
        elif type(event) is BoardEnd:
            self.result = event
            self.turn = None
            self.claim = None

    @property
    def contract(self) -> Contract | None:
        """The contract as it stands in the auction, or as it is played."""
        return self.auction.contract

    def held(self, seat: Seat) -> Hand | None:
        """Return the cards that a seat still holds; None if this seat cannot see them."""
        dealt: Hand | None = None
        if self.deal is not None:
            dealt = self.deal[seat]
        elif seat == self.seat:
            dealt = self.hand
        elif self.play is not None and seat == self.play.dummy:
            dealt = self.dummy_hand
        elif self.play is not None and seat == self.play.declarer:
            dealt = self.declarer_hand
        return None if dealt is None else dealt - self.played[seat]

    @property
    def unseen(self) -> Hand:
        """The cards that are neither played nor in a hand that this seat can see."""
        known = 0
        for seat in SEATS:
            known |= self.played[seat].mask | (self.held(seat) or Hand()).mask
        return Hand(PACK.mask & ~known)

    def calls_of(self, seat: Seat) -> list[MadeCall]:
        """Return a seat's calls, with the alerts and explanations that this seat was told."""
        return self.calls[(seat - self.dealer) % 4 :: 4]

    def legal_calls(self) -> list[Call]:
        """Return all legal calls in rising order, Pass first; none once the auction is over."""
        return self.auction.legal_calls()

    def legal_cards(self) -> Hand:
        """Return the cards that may be played from the hand whose turn it is.

        Returns:
            The cards.

        Raises:
            ValueError: This seat cannot see that hand.
            IllegalCardError: The play has not begun.
        """
        seat = self.playing.turn
        hand = self.held(seat)
        if hand is None:
            raise ValueError(f"{self.seat} does not see the hand of {seat}")
        return self.playing.legal_cards(hand)

    def voids(self, seat: Seat) -> set[Suit]:
        """Return the suits in which a seat has shown out.

        Args:
            seat: The seat.

        Returns:
            The suits.

        Raises:
            IllegalCardError: The play has not begun.
        """
        play = self.playing
        trick_leads = [(trick.leader, trick.cards) for trick in play.tricks]
        shown = set[Suit]()
        for leader, cards in [*trick_leads, (play.leader, tuple(play.trick))]:
            offset = (seat - leader) % 4
            if 0 < offset < len(cards) and cards[offset].suit != cards[0].suit:
                shown.add(cards[0].suit)
        return shown

    def _face(self, claim: ClaimMade) -> None:
        """Take in a claim; a defender then sees three hands and so knows the fourth."""
        self.claim = claim
        self.turn = None
        declarer = self.playing.declarer
        faced = Hand(claim.hand.mask | self.played[declarer].mask)
        self.declarer_hand = faced
        if self.dummy_hand is None or self.deal is not None or self.seat.side == declarer.side:
            return
        known = {declarer: faced, declarer.partner: self.dummy_hand, self.seat: self.hand}
        rest = PACK.mask & ~(faced.mask | self.dummy_hand.mask | self.hand.mask)
        north, east, south, west = (known.get(seat, Hand(rest)) for seat in SEATS)
        self.deal = Deal((north, east, south, west))

    @property
    def playing(self) -> Play:
        """The play; IllegalCardError is raised before it has begun."""
        if self.play is None:
            raise IllegalCardError("the play has not begun")
        return self.play

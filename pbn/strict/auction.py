"""The strict check of the Auction section (PBN 2.1, section 3.6), call by call."""

from __future__ import annotations

from bridge_arena.bridge.calls import FIRST_BID, PASS, Call, Contract, Denomination, Risk
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.strict.facts import Blank, Facts, Fault, SeatOrBlank, error, severe

_BAD_CALL = severe("bad call")


class StrictAuction:
    """The calls of one game; the place of a skipped player is None.

    It is not `bridge.auction`: irregular calls that were accepted have their place here (`^I`,
    `^S`), and an auction may stop anywhere.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        # The seat of the column of the next token.
        self.column: SeatOrBlank = Blank.ABSENT
        self._calls: list[Call | None] = []
        # The indices of the last bid, and of the last double or redouble after it; -1 if none.
        self._bid_at = -1
        self._double_at = -1
        # Passes since the last other call.
        self._passes = 0
        # The tokens for calls so far, wrong ones included; annotations need one.
        self.count = 0
        # Whether `^I` was read and its bid is still to come.
        self._insufficient = False
        # Whether `+` was read.
        self._is_last = False

    def begin(self, first: Seat | None) -> None:
        """Begin the section with the seat of the first column."""
        self.column = Blank.ABSENT if first is None else first

    @property
    def ends_row(self) -> bool:
        """Whether the last call completed a row of four."""
        return self.count > 0 and self.count % 4 == 0

    def irregularity(self, letter: str) -> Fault | None:
        """Check the letter after `^`, I or S, and return the fault."""
        if letter.upper() == "I":
            if self._insufficient:
                return severe("double irregularity")
            self._insufficient = True
            return None
        return self._store(None) if letter.upper() == "S" else severe("bad irregularity")

    def token(self, word: str) -> Fault | None:
        """Check a call, AP, `-` or `+`, and return the fault."""
        if self._is_last:
            return error("bad last call: nothing follows `+`")
        if word in ("+", "-"):
            self._is_last = word == "+"
            self._advance()
            return None
        if word.upper() == "AP":
            fault = None
            for _ in range((4 if self._bid_at < 0 else 3) - self._passes):
                fault = self._store(PASS)
            return fault
        try:
            call = Call(word)
        except NotationError:
            return severe(f"bad call: {word!r}")
        return self._store(call)

    def _store(self, call: Call | None) -> Fault | None:
        first = not self.count
        self.count += 1
        in_turn = not first or self.column == self._facts.dealer
        self._advance()
        insufficient, self._insufficient = self._insufficient, False
        if not in_turn:
            return severe("bad side: the first call is not the dealer's")
        fault = self._objection(call, insufficient=insufficient)
        if fault is None:
            self._note(call)
        return fault

    def _advance(self) -> None:
        self.column = self.column.next if isinstance(self.column, Seat) else Seat.NORTH

    def _objection(self, call: Call | None, *, insufficient: bool) -> Fault | None:
        at = len(self._calls)
        if self._passes >= (3 if self._bid_at >= 0 else 4):
            return severe("sufficient") if insufficient else _BAD_CALL
        if call is None or call == PASS:
            return None
        if call < FIRST_BID:
            return None if self._may_double(call, at) else _BAD_CALL
        last = self._calls[self._bid_at] if self._bid_at >= 0 else None
        is_higher = last is None or call > last
        if insufficient:
            return None if last is not None and not is_higher else severe("sufficient")
        return None if is_higher else severe(f"bad call: {call} is insufficient")

    def _may_double(self, call: Call, at: int) -> bool:
        """Return whether a double, or redouble, is legal here."""
        if str(call) == "X":
            return self._bid_at > self._double_at and (at ^ self._bid_at) & 1 == 1
        if self._double_at < 0 or (at ^ self._double_at) & 1 == 0:
            return False
        return str(self._calls[self._double_at]) == "X"

    def _note(self, call: Call | None) -> None:
        if call == PASS:
            self._passes += 1
        else:
            self._passes = 0
            if call is not None and call.is_bid:
                self._bid_at, self._double_at = len(self._calls), -1
            elif call is not None:
                self._double_at = len(self._calls)
        self._calls.append(call)

    def verify(self) -> Fault | None:
        """Check at the end of the game whether auction, Declarer and Contract agree.

        What the tags leave open is taken from a complete auction and put into the facts.
        """
        facts = self._facts
        if not isinstance(facts.dealer, Seat):
            return None
        if self._passes == 4:
            return self._verify_passed_out()
        if len(self._calls) >= 4 and self._passes == 3:
            return self._verify_complete()
        if facts.passed_out and self._bid_at >= 0:
            return severe("bad trump: the contract is Pass, but somebody has bid")
        if facts.denomination is None or not isinstance(facts.declarer, Seat):
            return None
        named = facts.declarer.partner if facts.swapped else facts.declarer
        if self._first_to_name(named, facts.denomination) != named:
            return severe("bad declarer: the partner named the denomination first")
        return None

    def _verify_passed_out(self) -> Fault | None:
        facts = self._facts
        if facts.declarer not in (Blank.ABSENT, Blank.EMPTY):
            return severe("bad declarer: all players passed")
        if facts.denomination is not None:
            return severe("bad trump: all players passed")
        facts.declarer, facts.passed_out = Blank.EMPTY, True
        return None

    def _verify_complete(self) -> Fault | None:
        facts = self._facts
        reached = self._contract()
        if facts.passed_out:
            return severe("bad trump: the contract is Pass, but somebody has bid")
        if facts.declarer is Blank.ABSENT:
            facts.declarer = reached.declarer
        elif isinstance(facts.declarer, Seat):
            named = facts.declarer.partner if facts.swapped else facts.declarer
            if named != reached.declarer:
                return severe(f"bad declarer: the auction ends {reached} by {reached.declarer}")
        if facts.denomination is None:
            facts.level, facts.denomination = reached.level, reached.denomination
            facts.risk = reached.risk
        elif facts.denomination != reached.denomination:
            return severe(f"bad trump: the auction ends {reached}")
        elif facts.risk != reached.risk:
            return severe(f"bad risk: the auction ends {reached}")
        elif facts.level != reached.level:
            return severe(f"bad contract: the auction ends {reached}")
        return None

    def _contract(self) -> Contract:
        """Return the contract that the calls have reached; there must be a bid."""
        bid = self._calls[self._bid_at]
        assert bid is not None
        assert isinstance(self._facts.dealer, Seat)
        bidder = self._seat_of(self._bid_at)
        double = self._calls[self._double_at] if self._double_at >= 0 else None
        risk = Risk.UNDOUBLED if double is None else Risk(int(double))
        declarer = self._first_to_name(bidder, bid.denomination)
        return Contract(bid.level, bid.denomination, risk, declarer)

    def _first_to_name(self, seat: Seat, denomination: Denomination) -> Seat:
        """Return the seat, or its partner, that first named a denomination; else the seat."""
        for at, call in enumerate(self._calls):
            named = call is not None and call.is_bid and call.denomination == denomination
            if named and self._seat_of(at).side == seat.side:
                return self._seat_of(at)
        return seat

    def _seat_of(self, at: int) -> Seat:
        assert isinstance(self._facts.dealer, Seat)
        return Seat((self._facts.dealer + at) % 4)

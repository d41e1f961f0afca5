"""The strict check of the Play section (PBN 2.1, section 3.7), card by card and trick by trick."""

from __future__ import annotations

from bridge_arena.bridge.cards import SUIT_MASK, Card, Suit
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.play import winning_index
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.pbn.strict.facts import Facts, Fault, error, severe


class StrictPlay:
    """The cards of one game, in the fixed columns of their seats."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        # The seat of the first column.
        self.first = Seat.WEST
        # Cards and gaps so far; annotations need one.
        self.count = 0
        # Tricks won by North-South and East-West, as far as all their cards are known.
        self.won = [0, 0]
        # The leader of the trick; None if it is no longer known.
        self._leader: Seat | None = None
        # The trick in progress: cards by seat, and the seats marked `^R` and `^L`.
        self._trick: dict[Seat, Card] = {}
        self._revokes: set[Seat] = set()
        self._leads: set[Seat] = set()
        self._marks: set[str] = set()
        # The seat of `+` in the trick in progress, and whether there was one at all.
        self._last: Seat | None = None
        self._has_last = False

    def begin(self, first: Seat | None) -> None:
        """Begin the section, with the hands as dealt."""
        facts = self._facts
        if first is not None:
            self.first = first
        if facts.is_end_position:
            self._leader = first
        elif isinstance(facts.declarer, Seat):
            self._leader = facts.declarer.next

    @property
    def ends_row(self) -> bool:
        """Whether the last card completed a row of four."""
        return self.count > 0 and self.count % 4 == 0

    def irregularity(self, letter: str) -> Fault | None:
        """Check the letter after `^`, R or L, and return the fault."""
        if letter not in ("R", "L"):
            return severe("bad irregularity")
        if letter in self._marks or (letter == "L" and self._leads):
            return severe("double irregularity")
        if self._marks:
            return severe("bad irregularity: a lead is no revoke")
        self._marks.add(letter)
        return None

    def token(self, word: str) -> Fault | None:
        """Check a card, `-` or `+`, and return the fault; the fourth of a row completes a trick."""
        seat = SEATS[(self.first + self.count) & 3]
        if self.count % 4 == 0:
            self._trick = {}
            self._last = None
        self.count += 1
        fault = self._token(word, seat)
        if fault is None and self.count % 4 == 0 and word != "+":
            fault = self._check_trick()
        return fault

    def _token(self, word: str, seat: Seat) -> Fault | None:
        facts = self._facts
        if facts.denomination is None:
            return severe("bad contract: cards without a denomination")
        if not facts.is_end_position:
            if not facts.level:
                return severe("no contract, but cards")
            if not isinstance(facts.declarer, Seat):
                return severe("no declarer, but cards")
        if word == "+":
            if self._has_last:
                return error("bad last card: `+` a second time")
            self._has_last, self._last = True, seat
        fault = None
        card = None
        if word not in ("+", "-"):
            try:
                card = Card(word)
            except NotationError:
                return severe(f"bad card: {word!r}")
            fault = self._take(card, seat)
        self._revokes.discard(seat)
        self._leads.discard(seat)
        if "R" in self._marks:
            self._revokes.add(seat)
        if "L" in self._marks:
            self._leads.add(seat)
        self._marks.clear()
        if card is not None:
            self._trick[seat] = card
        return fault

    def _take(self, card: Card, seat: Seat) -> Fault | None:
        """Take a card from the hand that plays it, and return the fault."""
        facts = self._facts
        bit = 1 << card
        hidden = seat in facts.hidden
        if not (facts.rest if hidden else facts.hands[seat]) & bit:
            return severe(f"bad card: {seat} does not hold {card}")
        if hidden:
            facts.rest ^= bit
        else:
            facts.hands[seat] ^= bit
        return None

    def _check_trick(self) -> Fault | None:
        leader, self._leader = self._leader, None
        if self._leads:
            out_of_turn = next(iter(self._leads))
            if out_of_turn == leader:
                return severe("bad lead: it is not out of turn")
            leader = out_of_turn
        if leader is None:
            return None
        if leader in self._revokes:
            return severe("bad revoke: a lead is no revoke")
        if leader not in self._trick:
            return None
        led = self._trick[leader].suit
        fault = None
        played_last = False
        order = [SEATS[(leader + offset) & 3] for offset in range(4)]
        for seat in order[1:]:
            card = self._trick.get(seat)
            if card is None:
                played_last = played_last or seat == self._last
                continue
            if played_last:
                fault = error("bad last card: a card after `+`")
            fault = self._check_revoke(seat, card, led) or fault
        known = [seat for seat in order if seat in self._trick]
        denomination = self._facts.denomination
        trump = None if denomination is None else denomination.trump
        winner = known[winning_index([self._trick[seat] for seat in known], trump)]
        if len(known) == 4:
            self.won[winner.side] += 1
        self._leader = winner
        return fault

    def _check_revoke(self, seat: Seat, card: Card, led: Suit) -> Fault | None:
        marked = seat in self._revokes
        if card.suit == led:
            return severe("bad revoke: it follows suit") if marked else None
        if seat in self._facts.hidden:
            return None
        could_follow = self._facts.hands[seat] & SUIT_MASK << 13 * led
        if could_follow and not marked:
            return severe(f"revoke: {seat} can follow to {led} but plays {card}")
        if marked and not could_follow:
            return severe(f"bad revoke: {seat} has no {led}")
        return None

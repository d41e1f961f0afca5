"""The auction of a game: its Auction section read as calls (PBN 2.1, section 3.6).

`bridge` judges the calls. Passes that are left out at the beginning or the end are repaired if
there is one likely meaning. An irregularity that was accepted at the table (`^I`, `^S`) has no
place in a record, which keeps the calls before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bridge_arena.base.recorded_text import capped
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALL_TEXTS, CALLS, DOUBLE, PASS, REDOUBLE, Call, Contract
from bridge_arena.bridge.deviations import Deviations, Kind, NoRecordError
from bridge_arena.bridge.errors import BridgeError, IllegalCallError
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.annotations import made_call, note_in
from bridge_arena.pbn.model import Game, Section
from bridge_arena.pbn.values import parse_call

_CALL_OF = dict(zip(CALL_TEXTS, CALLS, strict=True)) | {"P": PASS, "PASS": PASS, "pass": PASS}
_MADE = tuple(map(MadeCall, CALLS))
_ALL_PASS = ("AP", "ALLPASS")


def auction_of(
    game: Game,
    dealer: Seat,
    deviations: Deviations[str],
    named: Contract | None = None,
    leader: Callable[[], Seat | None] = lambda: None,
) -> tuple[Auction, tuple[MadeCall, ...]]:
    """Return the auction of a game, and its calls with alerts and explanations.

    Both are empty if the game has no auction.
    """
    section = game.section("Auction")
    if section is None:
        return Auction(dealer), ()
    reading = _Reading(game, section, dealer, deviations, named)
    auction = reading.legal(leader)
    if not reading.notes:
        return auction, tuple([_MADE[call] for call in auction.calls])
    # The notes stand at the calls of the file, before which passes may have been put.
    calls = reading.calls
    shift = next(n for n in range(4) if auction.calls[n : n + len(calls)] == calls)
    notes = {at + shift: note for at, note in reading.notes.items()}
    return auction, tuple(made_call(call, notes.get(at)) for at, call in enumerate(auction.calls))


class _Reading:
    """The calls of a section, with lines and notes, and how it ends."""

    __slots__ = (
        *("_all_pass", "_dealer", "_deviations", "_game", "_is_marked", "_is_starred", "_lines"),
        *("_named", "_section", "calls", "notes"),
    )

    def __init__(
        self,
        game: Game,
        section: Section,
        dealer: Seat,
        deviations: Deviations[str],
        named: Contract | None,
    ) -> None:
        self._game = game
        self._section = section
        self._dealer = dealer
        self._deviations = deviations
        self._named = named  # the contract of the tags
        self.notes: dict[int, str] = {}
        # Whether there is `+` or `^`: then no call is missing at the end.
        self._is_marked = False
        # Whether there is `*`: then the file leaves out the calls at the end on purpose.
        self._is_starred = False
        # Whether AP stands at the end.
        self._all_pass = section.tokens[-1:] == ["AP"]
        self._check_seat()
        try:
            plain = section.tokens[:-1] if self._all_pass else section.tokens
            self.calls = [_CALL_OF[token] for token in plain]
            self._lines: Sequence[int] = section.lines
        except KeyError:  # there is more than calls
            self._all_pass = False
            self.calls = []
            self._lines = list(self._read_all())

    def _check_seat(self) -> None:
        """Note a first seat that is not the dealer, unless there is a hyphen for each before it."""
        section, dealer = self._section, self._dealer
        value = section.value
        if value == dealer.letter or value in ("", "?", "#"):
            return
        try:
            first = Seat.parse(value.strip())
        except BridgeError as error:
            raise self._deviations.fatal(Kind.NOT_A_CALL, str(error), "Auction") from None
        missing = (dealer - first) % 4 - section.tokens[:3].count("-")
        if missing > 0 and section.tokens and section.tokens != ["*"]:
            reason = f"the auction begins with {first}, the dealer is {dealer}"
            self._deviations.add(Kind.CALL_OUT_OF_TURN, reason, "Auction")

    def _read_all(self) -> Iterator[int]:
        """Read calls with all that may stand between them, and yield the line of each call."""
        section = self._section
        for at, (token, line) in enumerate(zip(section.tokens, section.lines, strict=True)):
            call = _CALL_OF.get(token)
            if call is not None:
                self.calls.append(call)
                yield line
                continue
            first = token[0]
            if first in "={":
                note = self._note(token)
                if self.calls and note is not None:
                    self.notes[len(self.calls) - 1] = note
            elif token == "*" and self._is_last_star(at):
                self._is_starred = True
                return
            elif first in "+^":
                self._is_marked = True
                if first == "^":
                    self._add_accepted(token.upper(), line)
                return
            elif token.upper() in _ALL_PASS:
                self._all_pass = True
            elif first not in ";$!?*" and token != "-":
                try:
                    self.calls.append(parse_call(token))
                except BridgeError as error:
                    fatal = self._deviations.fatal
                    raise fatal(Kind.NOT_A_CALL, str(error), "Auction", line) from None
                yield line

    def _note(self, token: str) -> str | None:
        """Return the note of a reference or a comment; None if there is none."""
        if token[0] == "{":
            return note_in(token)
        number = token.strip("=")
        note = self._game.notes("Auction").get(capped(number)) if number.isdecimal() else None
        return None if note is None else note.value.partition(":")[2]

    def _is_last_star(self, at: int) -> bool:
        """Return whether a star ends the auction; a star within it marks an alert."""
        return not any(word[0].isalnum() for word in self._section.tokens[at + 1 :])

    def _add_accepted(self, mark: str, line: int) -> None:
        if mark == "^S":
            kind = Kind.CALL_OUT_OF_TURN
            reason = "a player was skipped, which was accepted: the calls after it are left out"
        else:
            kind = Kind.INSUFFICIENT_BID
            reason = "an insufficient bid was accepted: the calls from it on are left out"
        self._deviations.add(kind, reason, "Auction", line, accepted=True)

    def legal(self, leader: Callable[[], Seat | None]) -> Auction:
        """Return the calls as a legal auction, with missing passes added.

        NoRecordError is raised if a call is illegal and no missing passes explain it.
        """
        auction = Auction(self._dealer)
        fault: NoRecordError | None = None
        try:
            for call in self.calls:
                auction.push(call)
        except IllegalCallError as error:
            kind, line = _kind_of(auction, call), self._lines[len(auction.calls)]
            fault = self._deviations.fatal(kind, str(error), "Auction", line)
        else:
            self._add_passes(auction)
            named, reached = self._named, auction.contract
            is_other = named and reached and reached.declarer != named.declarer
            if not (is_other and auction.is_over):
                self._report_end(auction)
                return auction
        for shift in (1, 2, 3):
            moved = self._moved(shift)
            if moved is not None and self._is_explained(moved, leader()):
                reason = f"passes missing before the first call: {shift}"
                self._deviations.add(Kind.MISSING_PASSES, reason, "Auction")
                self._report_end(moved, shift)
                return moved
        if fault is not None:
            raise fault
        return auction

    def _add_passes(self, auction: Auction) -> None:
        """End the auction with the passes that AP stands for, or that are left out.

        Passes count as left out if the file does not say that the auction goes on, and the contract
        is that of the tags; or if the tags name none and the last two calls are passes. After `*`
        only the contract of the tags is accepted.
        """
        if auction.is_over:
            return
        named, contract = self._named, auction.contract
        if not self._all_pass:
            if self._is_marked or contract is None or (self._is_starred and contract != named):
                return
            if named is not None and not named.has_bid_of(contract):
                return
            if named is None and self.calls[-2:] != [PASS, PASS]:
                return
        while not auction.is_over:
            auction.push(PASS)

    def _moved(self, passes: int) -> Auction | None:
        """Return the auction with passes put before the calls; None if that is illegal."""
        try:
            auction = Auction(self._dealer, [*[PASS] * passes, *self.calls])
        except IllegalCallError:
            return None
        self._add_passes(auction)
        return auction

    def _is_explained(self, auction: Auction, leader: Seat | None) -> bool:
        """Return whether the tags' contract is reached and declarer's left-hand opponent led."""
        named, contract = self._named, auction.contract
        if named is None or contract is None or not auction.is_over:
            return False
        is_same = contract.has_bid_of(named) and contract.declarer == named.declarer
        return is_same and leader == named.declarer.next

    def _report_end(self, auction: Auction, shift: int = 0) -> None:
        add = self._deviations.add
        is_longer = len(auction.calls) - shift > len(self.calls)
        if not auction.is_over:
            if auction.calls or self._section.tokens:
                add(Kind.UNFINISHED_AUCTION, "the auction is not finished", "Auction")
        elif self._is_starred and is_longer:
            add(Kind.UNFINISHED_AUCTION, "the final passes are left out", "Auction")
        elif not self._all_pass and is_longer:
            line = self._lines[len(self.calls) - 1] if self.calls else 0
            add(Kind.MISSING_PASSES, "the final passes are missing", "Auction", line)


def _kind_of(auction: Auction, call: Call) -> Kind:
    if auction.is_over:
        return Kind.CALL_AFTER_END
    return Kind.INADMISSIBLE_DOUBLE if call in (DOUBLE, REDOUBLE) else Kind.INSUFFICIENT_BID

"""The auction of a game: its Auction section read as calls (PBN 2.1, section 3.6).

`bridge` judges the calls. Passes that are left out at the beginning or the end are repaired if
there is one likely meaning. An irregularity that was accepted at the table (`^I`, `^S`) has no
place in a record, which keeps the calls before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bridge_arena.base.recorded_text import capped
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALL_TEXTS, CALLS, DOUBLE, PASS, REDOUBLE, Call, Contract
from bridge_arena.bridge.deviations import Deviations, Kind, NoRecordError
from bridge_arena.bridge.errors import BridgeError, IllegalCallError
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.pbn.annotations import made_call, note_in
from bridge_arena.pbn.model import Game, Section
from bridge_arena.pbn.values import parse_call, parse_seat

_CALL_OF = dict(zip(CALL_TEXTS, CALLS, strict=True)) | {"P": PASS, "PASS": PASS, "pass": PASS}
_MADE = tuple(map(MadeCall, CALLS))
_ALL_PASS = ("AP", "ALLPASS")


@dataclass(slots=True)
class _Tokens:
    """The calls of a section, with lines and notes, and how it ends."""

    calls: list[Call]
    lines: Sequence[int]
    notes: dict[int, str]
    # Whether there is `+` or `^`: then no call is missing at the end.
    is_marked: bool = False
    # Whether there is `*`: then the file leaves out the calls at the end on purpose.
    is_starred: bool = False
    # Whether AP stands at the end.
    all_pass: bool = False


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
    _check_seat(section, dealer, deviations)
    tokens = _read(game, section, deviations)
    auction = _legal(tokens, section, dealer, deviations, named, leader)
    if not tokens.notes:
        return auction, tuple([_MADE[call] for call in auction.calls])
    shift = _leading_passes(auction, tokens)
    notes = {at + shift: note for at, note in tokens.notes.items()}
    return auction, tuple(made_call(call, notes.get(at)) for at, call in enumerate(auction.calls))


def _leading_passes(auction: Auction, tokens: _Tokens) -> int:
    """Return the number of passes that were put before the calls of the file."""
    calls = tokens.calls
    return next(shift for shift in range(4) if auction.calls[shift : shift + len(calls)] == calls)


def _check_seat(section: Section, dealer: Seat, deviations: Deviations[str]) -> None:
    """Note a first seat that is not the dealer, unless a hyphen stands for each place before it."""
    value = section.value
    if value == dealer.letter or value in ("", "?", "#"):
        return
    try:
        first = parse_seat(value)
    except BridgeError as error:
        raise deviations.fatal(Kind.NOT_A_CALL, str(error), "Auction") from None
    missing = (dealer - first) % 4 - section.tokens[:3].count("-")
    if missing > 0 and section.tokens and section.tokens != ["*"]:
        reason = f"the auction begins with {first}, the dealer is {dealer}"
        deviations.add(Kind.CALL_OUT_OF_TURN, reason, "Auction")


def _read(game: Game, section: Section, deviations: Deviations[str]) -> _Tokens:
    all_pass = section.tokens[-1:] == ["AP"]
    plain = section.tokens[:-1] if all_pass else section.tokens
    try:
        calls = [_CALL_OF[token] for token in plain]
        return _Tokens(calls, section.lines, {}, all_pass=all_pass)
    except KeyError:
        pass  # there is more than calls
    calls = []
    lines: list[int] = []
    read = _Tokens(calls, lines, {})
    for at, token in enumerate(section.tokens):
        call = _CALL_OF.get(token)
        if call is not None:
            calls.append(call)
            lines.append(section.lines[at])
            continue
        first = token[0]
        if first in "={":
            note = _note(game, token)
            if calls and note is not None:
                read.notes[len(calls) - 1] = note
        elif token == "*" and _is_last_star(section, at):
            read.is_starred = True
            break
        elif first in "+^":
            read.is_marked = True
            if first == "^":
                _accepted(section, at, deviations)
            break
        elif token.upper() in _ALL_PASS:
            read.all_pass = True
        elif first not in ";$!?*" and token != "-":
            line = section.lines[at]
            try:
                calls.append(parse_call(token))
            except BridgeError as error:
                raise deviations.fatal(Kind.NOT_A_CALL, str(error), "Auction", line) from None
            lines.append(line)
    return read


def _note(game: Game, token: str) -> str | None:
    """Return the note of a reference or a comment; None if there is none."""
    if token[0] == "{":
        return note_in(token)
    number = token.strip("=")
    note = game.notes("Auction").get(capped(number)) if number.isdecimal() else None
    return None if note is None else note.value.partition(":")[2]


def _is_last_star(section: Section, at: int) -> bool:
    """Return whether a star ends the auction; a star within it marks an alert."""
    return not any(word[0].isalnum() for word in section.tokens[at + 1 :])


def _accepted(section: Section, at: int, deviations: Deviations[str]) -> None:
    token = section.tokens[at].upper()
    line = section.lines[at]
    if token == "^S":
        reason = "a player was skipped, which was accepted: the calls after it are left out"
        deviations.add(Kind.CALL_OUT_OF_TURN, reason, "Auction", line, accepted=True)
    else:
        reason = "an insufficient bid was accepted: the calls from it on are left out"
        deviations.add(Kind.INSUFFICIENT_BID, reason, "Auction", line, accepted=True)


def _legal(
    tokens: _Tokens,
    section: Section,
    dealer: Seat,
    deviations: Deviations[str],
    named: Contract | None,
    leader: Callable[[], Seat | None],
) -> Auction:
    """Return the calls as a legal auction, with missing passes added.

    NoRecordError is raised if a call is illegal and no missing passes explain it.
    """
    auction = Auction(dealer)
    fault: NoRecordError | None = None
    for at, call in enumerate(tokens.calls):
        try:
            auction.push(call)
        except IllegalCallError as error:
            line = tokens.lines[at]
            fault = deviations.fatal(_kind_of(auction, call), str(error), "Auction", line)
            break
    else:
        _add_passes(auction, tokens, named)
    reached = auction.contract
    if fault is None and (
        named is None
        or reached is None
        or reached.declarer == named.declarer
        or not auction.is_over
    ):
        _report_end(auction, tokens, deviations, section)
        return auction
    for shift in (1, 2, 3):
        moved = _moved(tokens, dealer, shift, named)
        if moved is not None and _is_explained(moved, named, leader()):
            reason = f"passes missing before the first call: {shift}"
            deviations.add(Kind.MISSING_PASSES, reason, "Auction")
            _report_end(moved, tokens, deviations, section, shift)
            return moved
    if fault is not None:
        raise fault
    return auction


def _kind_of(auction: Auction, call: Call) -> Kind:
    if auction.is_over:
        return Kind.CALL_AFTER_END
    return Kind.INADMISSIBLE_DOUBLE if call in (DOUBLE, REDOUBLE) else Kind.INSUFFICIENT_BID


def _add_passes(auction: Auction, tokens: _Tokens, named: Contract | None) -> None:
    """End the auction with the passes that AP stands for, or that are left out.

    Passes count as left out if the file does not say that the auction goes on, and the contract is
    that of the tags; or if the tags name none and the last two calls are passes. After `*` only the
    contract of the tags is accepted.
    """
    if auction.is_over:
        return
    calls = tokens.calls
    contract = auction.contract
    if not tokens.all_pass:
        if tokens.is_marked or contract is None or (tokens.is_starred and contract != named):
            return
        if named is not None and named.denomination != contract.denomination:
            return
        if named is not None and named.level != contract.level:
            return
        if named is None and (len(calls) < 2 or calls[-1] != PASS or calls[-2] != PASS):
            return
    while not auction.is_over:
        auction.push(PASS)


def _moved(tokens: _Tokens, dealer: Seat, passes: int, named: Contract | None) -> Auction | None:
    """Return the auction with passes put before the calls; None if that is illegal."""
    try:
        auction = Auction(dealer, [*[PASS] * passes, *tokens.calls])
    except IllegalCallError:
        return None
    _add_passes(auction, tokens, named)
    return auction


def _is_explained(auction: Auction, named: Contract | None, leader: Seat | None) -> bool:
    """Return whether the tags' contract is reached and declarer's left-hand opponent led."""
    contract = auction.contract
    if named is None or contract is None or not auction.is_over:
        return False
    is_same = contract.has_bid_of(named) and contract.declarer == named.declarer
    return is_same and leader == SEATS[(named.declarer + 1) & 3]


def _report_end(
    auction: Auction, tokens: _Tokens, deviations: Deviations[str], section: Section, shift: int = 0
) -> None:
    if not auction.is_over:
        if auction.calls or section.tokens:
            deviations.add(Kind.UNFINISHED_AUCTION, "the auction is not finished", "Auction")
    elif tokens.is_starred and len(auction.calls) - shift > len(tokens.calls):
        deviations.add(Kind.UNFINISHED_AUCTION, "the final passes are left out", "Auction")
    elif not tokens.all_pass and len(auction.calls) - shift > len(tokens.calls):
        line = tokens.lines[len(tokens.calls) - 1] if tokens.calls else 0
        deviations.add(Kind.MISSING_PASSES, "the final passes are missing", "Auction", line)

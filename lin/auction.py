"""The auction of a table: `mb` and `an` read as calls, and the contract they lead to.

`bridge` judges the calls. A record keeps the legal calls before the first illegal one. The contract
is still deviations from the calls after it if it is beyond doubt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import DOUBLE, PASS, REDOUBLE, Call, Contract, Risk
from bridge_arena.bridge.deviations import Deviations, Kind
from bridge_arena.bridge.errors import IllegalCallError
from bridge_arena.bridge.explanation import Explanation, with_symbols
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.lin.model import Item, Table

_CALL = re.compile(
    r"""[\s_-]* (?: (?P<level>[1-7]) \s* (?P<denomination>nt|[cdhsn♣♦♥♠])
    | (?P<redouble>xx|rdbl|redbl|r) | (?P<double>x|dbl|d)
    | (?P<all_pass>ap) | (?P<pass>pass|p) | (?P<open>\?) )
    \s* (?P<alert>[!*]*) [\s_-]*""",
    re.IGNORECASE | re.VERBOSE,
)
_MOST_CALLS = 400
"""The most calls that are read; the longest legal auction has 319."""
_NOTHING = re.compile(r"[\s_-]*")
_SYMBOLS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "N": "NT"}


@dataclass(slots=True)
class _Token:
    """A call as the file has it; `call` is None for "all pass"."""

    call: Call | None
    is_alerted: bool
    item: Item
    notes: list[str] = field(default_factory=list)

    @property
    def made(self) -> MadeCall:
        text = "; ".join(self.notes)
        return MadeCall(
            self.call or PASS, self.is_alerted, Explanation.parse(text) if text else None
        )


@dataclass(frozen=True, slots=True)
class Bidding:
    """An auction as it was understood."""

    calls: tuple[MadeCall, ...]  # the legal calls, with their explanations
    contract: Contract | None  # the contract, also of an unfinished auction if it is known
    is_passed_out: bool  # whether the board was passed out


@dataclass(frozen=True, slots=True)
class Signs:
    """The facts outside of the auction that indicate which contract was played."""

    named: Contract | None  # the contract in the heading's results
    leader: Seat | None  # the seat that holds the first card played
    is_claimed: bool  # whether tricks are claimed

    def mean(self, contract: Contract) -> bool:
        """Return whether an incomplete auction led to this contract.

        The heading decides. If it is silent, the contract is confirmed by a lead of declarer's
        left-hand opponent, or by a claim without a lead.
        """
        if self.named is not None:
            return contract.has_bid_of(self.named)
        if self.leader is None:
            return self.is_claimed
        return self.leader == contract.declarer.next


def bidding_of(table: Table, dealer: Seat, deviations: Deviations[Item], signs: Signs) -> Bidding:
    """Return the calls of a table and the contract they led to."""
    tokens, is_open = _tokens(table, deviations)
    auction = Auction(dealer)
    made: list[MadeCall] = []
    illegal: _Token | None = None
    for token in tokens:
        if auction.is_over:
            if token.call is not None:
                reason = "it follows the final pass: it is left out"
                deviations.add(Kind.CALL_AFTER_END, reason, token.item)
            break
        if token.call is None:
            made += [token.made, *_passed(auction)[1:]]
            continue
        try:
            auction.push(token.call)
        except IllegalCallError as error:
            reason = f"{error}: it and the calls after it are left out"
            is_bid = token.call.is_bid
            kind = Kind.INSUFFICIENT_BID if is_bid else Kind.INADMISSIBLE_DOUBLE
            deviations.add(kind, reason, token.item)
            illegal = token
            break
        made.append(token.made)
    contract = auction.contract
    if illegal is not None:
        rest = [token.call or PASS for token in tokens]
        contract = _by_rest(rest, dealer, signs)
    elif not auction.is_over:
        if not is_open and contract is not None and signs.mean(contract):
            made += _passed(auction)
            reason = "the final passes are missing: they are added"
            deviations.add(Kind.MISSING_PASSES, reason, tokens[-1].item)
        else:
            contract = None
            if tokens:
                reason = "the auction is not finished"
                deviations.add(Kind.UNFINISHED_AUCTION, reason, tokens[-1].item)
    return Bidding(tuple(made), contract, auction.is_passed_out)


def _tokens(table: Table, deviations: Deviations[Item]) -> tuple[list[_Token], bool]:
    """Return the calls with their explanations, and whether the file leaves the auction open.

    Explanations stand after their calls, or before them if the first one does.
    """
    tokens: list[_Token] = []
    waiting: list[Item] = []
    stands_before = False
    items = list(table.all("mb", "an"))
    for at, item in enumerate(items):
        if item.tag == "an":
            stands_before = stands_before or not tokens
            if stands_before:
                waiting.append(item)
            elif item.value.strip():
                tokens[-1].notes.append(with_symbols(item.value.strip()))
            continue
        count = len(tokens)
        is_open, fault = _read(item, tokens)
        if len(tokens) > count:
            texts = (with_symbols(note.value.strip()) for note in waiting)
            tokens[count].notes += filter(None, texts)
            waiting = []
        if is_open and (fault or any(later.tag == "mb" for later in items[at + 1 :])):
            deviations.add(Kind.NOT_A_CALL, "the calls after a question mark are left out", item)
        elif fault:
            reason = f"{fault[:20]!r} is not a call: it and the calls after it are left out"
            deviations.add(Kind.NOT_A_CALL, reason, item)
        if is_open or fault:
            return tokens, True
    for item in waiting:
        deviations.add(Kind.EXPLANATION, "it explains no call: it is left out", item)
    return tokens, False


def _read(item: Item, tokens: list[_Token]) -> tuple[bool, str]:
    """Add the calls of one `mb`, which is mostly one call."""
    text = item.value
    at = 0
    while len(tokens) < _MOST_CALLS and (match := _CALL.match(text, at)):
        at = match.end()
        if match["open"]:
            return True, text[at:]
        tokens.append(_Token(_call_of(match), "!" in match["alert"], item))
    return False, text[at:] if _NOTHING.fullmatch(text, at) is None else ""


def _call_of(match: re.Match[str]) -> Call | None:
    if match["level"]:
        letter = match["denomination"][0].upper()
        return Call(match["level"] + _SYMBOLS.get(letter, letter))
    if match["all_pass"]:
        return None
    return REDOUBLE if match["redouble"] else DOUBLE if match["double"] else PASS


def _passed(auction: Auction) -> list[MadeCall]:
    """End an auction with passes, and return them."""
    passes = []
    while not auction.is_over:
        auction.push(PASS)
        passes.append(MadeCall(PASS))
    return passes


def _by_rest(calls: list[Call], dealer: Seat, signs: Signs) -> Contract | None:
    """Return the contract of calls with an illegal one: the last bid, if other signs agree."""
    bids = [at for at, call in enumerate(calls) if call.is_bid]
    if not bids:
        return None
    bid = calls[bids[-1]]
    rest = calls[bids[-1] + 1 :]
    risk = Risk(2 if REDOUBLE in rest else 1 if DOUBLE in rest else 0)
    first = next(
        at for at in bids if (bids[-1] - at) % 2 == 0 and calls[at].denomination == bid.denomination
    )
    declarer = SEATS[(dealer + first) % 4]
    contract = Contract(bid.level, bid.denomination, risk, declarer)
    return contract if signs.mean(contract) else None

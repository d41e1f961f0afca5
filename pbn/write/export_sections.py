"""The Auction and Play sections in export form (PBN 2.1, sections 3.5 to 3.9).

A section is read as entries: calls or cards, each with the irregularity before it and the
annotations and comments after it. Every comment belongs to the token that it follows. Calls stand
from the dealer's on, cards in the columns of the opening leader and the players after it. Whether
the Laws allow them is not checked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bridge_arena.base.recorded_text import capped
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.model import Section
from bridge_arena.pbn.values import UNKNOWN, parse_call, parse_card

SKIPPED = "^S"
"""The sign in place of the call of a player who was skipped (section 3.9)."""

END = "*"
TO_BE_CONTINUED = "+"

_SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")

_TRICKS = 13
_CALL_NAGS, _CARD_NAGS = 1, 7  # what the suffix `!` is for calls and for cards
_ALL_PASS = ("AP", "ALLPASS")


@dataclass(slots=True)
class Mark:
    """A suffix, note reference or NAG, with the comments on it."""

    text: str  # the mark as written
    comments: list[str] = field(default_factory=list)  # the comments after it


@dataclass(slots=True)
class Entry:
    """One place in the Auction or Play section."""

    word: str  # a call, a card, `-`, `*`, `+` or `^S`
    line: int = 0  # the line of the word, from 1; 0 if it is not known
    irregularity: str = ""  # the irregularity before the word, or empty
    comments: list[str] = field(default_factory=list)  # the comments on the word
    # The annotations of the word, with their comments.
    marks: list[Mark] = field(default_factory=list)

    def tokens(self) -> Iterator[str]:
        """Yield the tokens of the place in the order of the file."""
        if self.irregularity:
            yield self.irregularity
        yield self.word
        yield from self.comments
        for mark in self.marks:
            yield mark.text
            yield from mark.comments


def entries_of(section: Section) -> list[Entry]:
    """Return the places of an Auction or Play section in their order."""
    entries: list[Entry] = []
    irregularity = ""
    comments: list[str] | None = None
    for token, line in zip(section.tokens, section.lines or [0] * len(section.tokens), strict=True):
        first = token[0]
        if first in "{;":
            if comments is None:
                raise ValueError("a comment stands before the calls or cards")
            comments.append(token)
        elif first in "=$!?":
            if not entries:
                raise ValueError(f"{token!r} follows no call or card")
            mark = Mark(token)
            entries[-1].marks.append(mark)
            comments = mark.comments
        elif first == "^" and token.upper() != SKIPPED:
            irregularity += token.upper()
        else:
            entry = Entry(token, line, irregularity)
            irregularity = ""
            entries.append(entry)
            comments = entry.comments
    if irregularity:
        raise ValueError(f"nothing follows {irregularity}")
    return entries


def sorted_marks(marks: list[Mark], first_nag: int) -> list[Mark]:
    """Return marks in the order of export: the note reference, then NAGs by number.

    `first_nag` replaces the suffix `!`; the other suffixes become the NAGs after it (section 3.7).
    """
    keyed = []
    for mark in marks:
        text = mark.text
        if text in _SUFFIXES:
            text = f"${_SUFFIXES.index(text) + first_nag}"
        number = text.strip("=$")
        if text[0] == "=":
            text = f"={number}="  # some programs leave the second sign out
        if not number.isdecimal():
            raise ValueError(f"{text!r} is no note reference, suffix or NAG")
        keyed.append((text[0] == "$", capped(number), Mark(text, mark.comments)))
    keyed.sort(key=lambda key: key[:2])
    return [mark for _, _, mark in keyed]


def calls_of(section: Section) -> list[Entry]:
    """Return the calls of an auction, without the places before the dealer's.

    AP is written out as passes, and `*` or `+` ends the calls if the file has it.
    """
    entries = entries_of(section)
    while entries and entries[0].word == "-" and not entries[0].marks:
        if entries[0].comments:
            raise ValueError("a comment stands on a place before the dealer's")
        del entries[0]
    calls: list[Entry] = []
    for at, entry in enumerate(entries):
        entry.marks = sorted_marks(entry.marks, _CALL_NAGS)
        if entry.word in (END, TO_BE_CONTINUED):
            if at == len(entries) - 1 and (passes_to_go(calls) or not calls):
                calls.append(entry)
            elif entry.word == TO_BE_CONTINUED:
                raise ValueError("a call stands after +, or + after the last")
            elif calls:
                # Within the auction a star is commonly an alert.
                calls[-1].comments += [] if at == len(entries) - 1 else ["{*}"]
                calls[-1].comments += entry.comments
            continue
        if entry.word.upper() in _ALL_PASS:
            # Annotations of AP belong to its last pass.
            entry.word = "Pass"
            calls += [Entry("Pass") for _ in range(passes_to_go(calls) - 1)]
        elif entry.word != SKIPPED:
            entry.word = str(parse_call(entry.word))
        calls.append(entry)
    return calls


def ended(calls: Sequence[Entry], caller: str, contract: str, declarer: str) -> list[Entry]:
    """Return the calls with an end: `*` after an unfinished auction, or missing final passes.

    `*` is enough if the tags name the contract that the calls lead to, as the standard's verifier
    has it. Final passes are written where `pbn.read.auction` would add them and `*` would prevent
    it: after two passes if the tags name no contract that the calls may lead to; or if the tags
    name the same bid, but doubled otherwise or with another declarer.
    """
    missing = passes_to_go(calls)
    if not calls or not missing or calls[-1].word in (END, TO_BE_CONTINUED):
        return [*calls]
    completed = [*calls, *(Entry("Pass") for _ in range(missing))]
    reached = contract_of(completed, caller) if caller in tuple("NESW") else None
    is_odd = any(call.irregularity or call.word == SKIPPED for call in calls)
    if reached is None or reached[0] == "Pass" or is_odd:
        return [*calls, Entry(END)]
    if contract in (*UNKNOWN, "Pass") or declarer not in tuple("NESW"):
        is_final = [call.word for call in calls[-2:]] == ["Pass", "Pass"]
    else:
        is_same_bid = reached[0].rstrip("X") == contract.rstrip("X")
        is_final = is_same_bid and reached != (contract, declarer)
    return completed if is_final else [*calls, Entry(END)]


def passes_to_go(calls: Sequence[Entry]) -> int:
    """Return the number of passes in succession that end the auction from here on."""
    passes = 0
    for entry in reversed(calls):
        if entry.word not in ("Pass", SKIPPED):
            return max(0, 3 - passes)
        passes += entry.word == "Pass"
    return max(0, 4 - passes)


def contract_of(calls: Sequence[Entry], dealer: str) -> tuple[str, str] | None:
    """Return contract and declarer of a finished auction as tag values; None if unfinished."""
    if passes_to_go(calls):
        return None
    bid = risk = ""
    first: dict[tuple[int, str], int] = {}
    side = 0
    for at, entry in enumerate(calls):
        if entry.word in ("X", "XX"):
            risk = entry.word
        elif entry.word[0].isdecimal():
            bid, risk, side = entry.word, "", at % 2
            first.setdefault((side, bid[1:]), at)
    if not bid:
        return "Pass", ""
    return bid + risk, Seat((Seat.parse(dealer) + first[side, bid[1:]]) % 4).letter


def cards_of(section: Section, first: str, leader: str) -> list[Entry]:
    """Return the cards in full rows of four, the opening leader's in the first column.

    `first` is the seat of the first column of the section. `*` stands at the end unless there are
    13 rows or `+`. There are none for a section that is empty.
    """
    cards: list[Entry] = []
    end: Entry | None = None
    for entry in entries_of(section):
        entry.marks = sorted_marks(entry.marks, _CARD_NAGS)
        if end is not None:
            raise ValueError("something stands after *")
        if entry.word == END:
            end = entry
            continue
        if entry.word in ("--", "-"):
            entry.word = "-"
        elif entry.word != TO_BE_CONTINUED:
            entry.word = str(parse_card(entry.word))
        cards.append(entry)
    if len(cards) > _TRICKS * 4:
        raise ValueError("more than 13 tricks")
    cards += [Entry("-") for _ in range(-len(cards) % 4)]
    while cards and not any(map(_says_something, cards[-4:])):
        del cards[-4:]
    if not cards and (end is None or not end.comments):
        return []
    if first != leader and first and leader:
        shift = (Seat.parse(leader) - Seat.parse(first)) % 4
        rows = [cards[at : at + 4] for at in range(0, len(cards), 4)]
        cards = [entry for row in rows for entry in row[shift:] + row[:shift]]
    continued = any(entry.word == TO_BE_CONTINUED for entry in cards)
    if (end is not None and end.comments) or (len(cards) < _TRICKS * 4 and not continued):
        cards.append(end or Entry(END))
    return cards


def _says_something(entry: Entry) -> bool:
    return entry.word != "-" or bool(entry.comments or entry.marks or entry.irregularity)


def tokens(entries: Iterable[Entry]) -> list[str]:
    """Return the tokens of entries in order."""
    return [token for entry in entries for token in entry.tokens()]


def left_of(seat: str) -> str:
    """Return the opening leader against a declarer, or an empty text if that is not known."""
    by = seat.removeprefix("^")
    return Seat.parse(by).next.letter if by in tuple("NESW") else ""

"""The strict check of one game: tags in force, sections, tables, notes and annotations."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from bridge_arena.base.recorded_text import capped
from bridge_arena.bridge.scoring import contract_score
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.pbn.model import NOT_INHERITED
from bridge_arena.pbn.strict.auction import StrictAuction
from bridge_arena.pbn.strict.facts import Facts, Fault, error, severe, warning
from bridge_arena.pbn.strict.play import StrictPlay
from bridge_arena.pbn.strict.tags import check, is_known, note_number
from bridge_arena.pbn.tables import TABLES

_SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")


class StrictTable:
    """The cells of one table, checked against its header."""

    def __init__(self, header: str) -> None:
        columns = header.split(";")
        # The sign of each column's order, and the limit for its next value.
        self._signs = [column[:1] for column in columns]
        self._limits = [inf if sign == "+" else 0.0 for sign in self._signs]
        # Cells so far.
        self.count = 0

    def cell(self, text: str) -> Fault | None:
        """Check a cell, and return the fault."""
        column = self.count % len(self._signs)
        self.count += 1
        sign = self._signs[column]
        if sign not in ("+", "-") or text == "-":
            return None
        try:
            value = float(text)
        except ValueError:
            return error(f"bad table order: {text} in a sorted column")
        limit = self._limits[column]
        # By the verifier, an ascending column must even begin above zero.
        if value > limit if sign == "+" else value < limit or not value:
            return error(f"bad table order: {text}")
        self._limits[column] = value
        return None

    def verify(self) -> Fault | None:
        """Check at the end of the table that all rows are full, and return the fault."""
        if self.count % len(self._signs):
            return error(f"bad table: {self.count} cells in {len(self._signs)} columns")
        return None


class StrictGame:
    """A game that is being read strictly.

    `inherited` has the last value of each tag in the file.
    """

    def __init__(self, inherited: dict[str, str] | None = None) -> None:
        self.inherited = {} if inherited is None else inherited
        self.facts = Facts()
        self._auction = StrictAuction(self.facts)
        self._play = StrictPlay(self.facts)
        # The section that tokens belong to, and the table in progress.
        self.moves: StrictAuction | StrictPlay = self._auction
        self.table: StrictTable | None = None
        # The section that notes and annotations belong to; empty before the first.
        self._annotated = ""
        self._notes: dict[tuple[str, int], str] = {}
        self._references: set[tuple[str, int]] = set()
        # The annotations of the last call or card: `=`, and numbers of NAGs.
        self.annotation: set[str] = set()

    # Tags

    def tag_name(self, name: str) -> Fault | None:
        """Check the name of a tag, and return the fault."""
        if name == "Note":
            return None if self._annotated else error("bad section: a note without its section")
        if not is_known(name):
            return warning(f"new tag name {name}")
        return warning(f"tag {name} exists already") if name in self.facts.tags else None

    def tag(self, name: str, value: str) -> Fault | None:
        """Check the value of a tag with a known name, and return the fault."""
        if name == "Note":
            return self._note(value)
        is_inherited = value == "#" or value.startswith("##")
        meant = self.inherited.get(name, "") if value == "#" else value.removeprefix("##")
        if value != "#":
            self.inherited[name] = meant
        if is_inherited and (name in NOT_INHERITED or name == "Deal"):
            return severe(f"bad inheritance of {name}")
        fault = check(name, meant, self.facts)
        if fault is None:
            self.facts.tags.add(name)
            if name in TABLES:
                self.table = StrictTable(value)
            elif name in ("Auction", "Play"):
                begin = self._auction.begin if name == "Auction" else self._play.begin
                begin(Seat.parse(meant) if meant not in ("", "?") else None)
        return fault

    def _note(self, value: str) -> Fault | None:
        number = note_number(value)
        if isinstance(number, Fault):
            return number
        key = self._annotated, number
        if self._notes.get(key):
            return warning(f"note {number} exists already")
        self._notes[key] = value.partition(":")[2]
        return None

    def begin_section(self, name: str) -> None:
        """Begin the section of a complete tag; its tokens follow."""
        self._annotated = "" if name in TABLES else name
        if name in ("Auction", "Play"):
            self.moves = self._auction if name == "Auction" else self._play
            self.annotation.clear()

    # Annotations of calls and cards

    def note_reference(self, digits: str) -> Fault | None:
        """Check the number of a note reference, and return the fault."""
        if not digits:
            return error("bad number of a note")
        if not 1 <= capped(digits) <= 32:
            return error("bad note: its number is not 1 to 32")
        if not self.moves.count:
            return error("bad note: nothing to annotate")
        self._references.add((self._annotated, int(digits)))
        return error("double note") if self._annotate("=") else None

    def nag(self, digits: str) -> Fault | None:
        """Check the number of a NAG, and return the fault."""
        if not digits:
            return error("bad number of a NAG")
        number = capped(digits)
        calls = number in range(1, 7) or number == 13 or number in range(20, 94)
        cards = number in range(7, 13) or number == 14 or number in range(200, 239)
        if number > 255 or (cards if self.moves is self._auction else calls):
            return error(f"bad NAG: {number}")
        if not self.moves.count:
            return error("bad NAG: nothing to annotate")
        is_suffix = number in range(1, 13)
        return warning("double NAG") if self._annotate("suffix" if is_suffix else digits) else None

    def suffix(self, text: str) -> Fault | None:
        """Check a suffix, and return the fault."""
        if not self.moves.count:
            return error("bad suffix: nothing to annotate")
        if self._annotate("!"):
            return error("double suffix")
        number = _SUFFIXES.index(text) + (1 if self.moves is self._auction else 7)
        return self.nag(str(number))

    def _annotate(self, mark: str) -> bool:
        """Add a mark to the call or card, and return whether it had the mark already."""
        had = mark in self.annotation
        self.annotation.add(mark)
        return had

    # The end of the game

    def verify(self) -> Iterator[Fault]:
        """Yield the faults of the game as a whole."""
        yield from filter(None, [self.table and self.table.verify(), self._auction.verify()])
        for section, number in sorted(self._references - self._notes.keys()):
            yield error(f"no note {number} in the {section} section")
        for section, number in sorted(self._notes.keys() - self._references):
            yield warning(f"unused note {number} in the {section} section")
        yield from filter(None, [self._verify_result() or self._verify_score()])

    def _verify_result(self) -> Fault | None:
        """Check the result against the contract and the tricks whose cards are all known."""
        facts = self.facts
        if facts.tricks is None:
            return None
        if not isinstance(facts.declarer, Seat) or facts.denomination is None:
            return error("bad result: there is no contract or declarer")
        ours = self._play.won[facts.declarer.side]
        theirs = self._play.won[facts.declarer.side.other]
        contradicts = facts.tricks < ours or 13 - facts.tricks < theirs
        if contradicts == facts.wrong_result:
            return None
        if contradicts:
            return error(f"bad result: {facts.tricks}, but the play has {ours} to {theirs}")
        return error("bad result: `^`, but the play agrees")

    def _verify_score(self) -> Fault | None:
        """Check the score against contract, result and vulnerability."""
        facts = self.facts
        contract = facts.contract
        if contract is None or facts.tricks is None:
            return None
        side = contract.declarer.side
        given = facts.own_score
        if given is None and facts.scores is not None:
            given = facts.scores[side]
        if given is None or not 0 <= facts.tricks <= 13:
            return None
        vulnerable = (facts.vulnerability or Vulnerability.NONE).includes(side)
        expected = contract_score(contract, facts.tricks, vulnerable=vulnerable)
        return None if given == expected else error(f"bad score: {given}, not {expected}")

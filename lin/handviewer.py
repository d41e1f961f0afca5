"""BBO's handviewer links, read by way of LIN, and made from records.

A link holds a table as LIN (`?lin=...`), or its parts as parameters
(`?s=&w=&n=&e=&d=&v=&b=&a=&p=`), which are converted to LIN.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from typing import BinaryIO
from urllib.parse import quote, unquote_to_bytes, urlencode

from bridge_arena.base.recorded_text import Problem, RecordedTextError, TextReader, decode
from bridge_arena.bridge.deviations import records_in
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seats import SEATS
from bridge_arena.lin.model import Table
from bridge_arena.lin.notation import (
    SEATS_WRITTEN,
    digit_of,
    format_call,
    format_hand,
    format_vulnerability,
    portable,
    portable_name,
)
from bridge_arena.lin.reader import TableReader
from bridge_arena.lin.records import meanings_of, read_records
from bridge_arena.lin.writer import format_record

ADDRESS = "https://www.bridgebase.com/tools/handviewer.html"
NAME = "<link>"
_LONGEST = 1 << 16
_MOST_PROBLEMS = 100
_LIN = re.compile(r"[?&]lin=(?P<lin>.*?)(?=&[A-Za-z]\w*=|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"[?&](?P<name>[A-Za-z]\w*)=(?P<value>[^&#]*)")
_CALL = re.compile(
    r"\s*(?P<call>\d\s*nt|\d\s*\w|xx|dbl|[^\s(]|\s)(?P<alert>!*)(?:\((?P<note>[^)]*)\))?",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\s*(?:https?:/|//|www\.)", re.IGNORECASE)
_WITHOUT_BOARD = {
    r"[?&]lin=": "a link with LIN (lin=) in which there is no deal",
    r"[?&]myhand=": "a link to a hand that BBO keeps (myhand=): open it, and save the hand as LIN",
    r"[?&]linurl=": "a link to a LIN file elsewhere (linurl=): download that file",
    r"handviewer": "a link to the handviewer without lin= and without the hands s=, w=, n= and e=",
    r"linfetch|fetchlin": "a link to a LIN file at BBO: download that file",
    r"/myhands/": "a link to a list of hands at BBO: save the hands as LIN",
    r"/(?:www\.)?(?:tinyurl\.com|bit\.ly|is\.gd|t\.ly|rb\.gy)/": (
        "a shortened link: open it, and give the long one"
    ),
    r"": "a link to a page, none to the handviewer: download the page's file of boards",
}
"""The kinds of links in which there is no board; a link is of the first whose pattern it has."""
_DEALERS = {seat.letter.lower(): digit_of(seat) for seat in SEATS}


def is_link(text: str) -> bool:
    """Return whether a text is a link to the handviewer or to a page with the same parameters."""
    if not is_address(text):
        return False
    return _LIN.search(text) is not None or "handviewer" in text.partition("?")[0]


def is_address(text: str) -> bool:
    """Return whether a text is the address of something on the web."""
    return _ADDRESS.match(text) is not None


def without_board(address: str) -> str:
    """Return the reason why an address gives no board, which says what kind of link it is."""
    kinds = _WITHOUT_BOARD.items()
    kind = next(kind for part, kind in kinds if re.search(part, address, re.IGNORECASE))
    return f"it holds no board: it is {kind}"


def read_link(link: str, problems: list[Problem] | None = None) -> list[BoardRecord]:
    """Read the records of a link, which mostly holds one, as `read_records` does of LIN."""
    stream = BytesIO(lin_of(link).encode())
    stream.name = NAME
    return list(read_records(stream, problems))


class LinkReader(TextReader[Table]):
    """An iterator over the tables of a text with one link on each line.

    The line of a table is the line of its link. `problems` has, up to a limit, one for each line
    that holds no table.
    """

    def _read_stream(self, stream: BinaryIO) -> Iterator[Table]:
        for line, link in _lines(stream):
            try:
                if not is_address(link):
                    raise _error("this is no link to a handviewer")
                if not is_link(link):
                    raise _error(without_board(link))
                yield from self._tables(link, line)
            except RecordedTextError as error:
                if len(self.problems) < _MOST_PROBLEMS:
                    self.problems.append(Problem(self.name, line, 0, error.problem.reason))

    def _tables(self, link: str, line: int) -> Iterator[Table]:
        tables = TableReader(BytesIO(lin_of(link).encode()), self.name)
        for table in tables:
            self.count += 1
            table.number, table.line = self.count, line
            table.items = [replace(item, line=line) for item in table.items]
            table.problems = [
                replace(problem, number=self.count, line=line) for problem in table.problems
            ]
            yield table
        if not tables.count:
            raise _error(without_board(link))
        self.problems += [replace(problem, line=line) for problem in tables.problems]


def read_link_records(
    stream: BinaryIO, problems: list[Problem] | None = None
) -> Iterator[BoardRecord]:
    """Yield the records of a text with one link on each line, as `read_records` does of LIN."""
    tables = LinkReader(stream)
    if problems is not None:
        tables.problems = problems  # so that all are in the order of the lines
    yield from records_in(meanings_of(tables), problems)
    if problems is None and tables.problems:
        raise RecordedTextError(tables.problems[0])


def _lines(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, by number; a line too long for a link comes in parts."""
    number = 0
    is_begun = False
    while part := stream.readline(2 * _LONGEST):
        number += not is_begun
        is_begun = not part.endswith(b"\n")
        text = decode(part).strip().removeprefix("\ufeff")
        if text:
            yield number, text


def lin_of(link: str) -> str:
    """Return the LIN text that a link holds, or that its parameters stand for.

    RecordedTextError is raised if it is too long or holds no board.
    """
    if len(link) > _LONGEST:
        raise _error(f"the link is longer than {_LONGEST} letters")
    link = link.strip().replace("&amp;", "&")
    match = _LIN.search(link)
    if match is not None:
        return _decoded(match["lin"])
    given = {
        parameter["name"].lower(): _decoded(parameter["value"]).replace("|", "/")
        for parameter in _PARAMETER.finditer(link)
    }
    if given.keys().isdisjoint("swne"):
        raise _error(without_board(link))
    return "".join(_lin_parts(given))


def lin_link(record: BoardRecord) -> str:
    """Return a link that shows a record and holds it as LIN."""
    return f"{ADDRESS}?lin={quote(format_record(record), safe='')}"


def hands_link(record: BoardRecord) -> str:
    """Return a link that shows a record and holds it as parameters.

    Parentheses in explanations become brackets, as this form cannot hold them.
    """
    board = record.board
    given = {seat.letter.lower(): format_hand(board.deal[seat]) for seat in SEATS_WRITTEN}
    for seat in SEATS_WRITTEN:
        if record.players[seat]:
            given[f"{seat.letter.lower()}n"] = portable_name(record.players[seat])
    vulnerability = format_vulnerability(board.vulnerability).replace("o", "-")
    given |= {"d": board.dealer.letter.lower(), "v": vulnerability, "b": str(board.number)}
    if record.calls:
        given["a"] = "".join(map(_noted, record.calls))
    if record.cards:
        given["p"] = "".join(map(str, record.cards))
    if record.tricks is not None and len(record.cards) < 52:
        given["c"] = str(record.tricks)
    return f"{ADDRESS}?{urlencode(given, safe='', quote_via=quote)}"


def _noted(made: MadeCall) -> str:
    text = format_call(made.call) + "!" * made.alert
    note = portable(str(made.explanation)).strip() if made.explanation else ""
    brackets = str.maketrans("()", "[]")
    return f"{text}({note.translate(brackets)})" if note else text


def _decoded(value: str) -> str:
    """Return a value without its escapes; a plus is a space if the link's own escapes say so."""
    small = value.lower()
    if "%2b" in small or ("%7c" in small and "%20" not in small and " " not in small):
        value = value.replace("+", " ")
    text = decode(unquote_to_bytes(value))
    if "|" not in text and "%7c" in text.lower():
        text = decode(unquote_to_bytes(text))
    return text


def _lin_parts(given: Mapping[str, str]) -> Iterator[str]:
    names = [given.get(f"{seat.letter.lower()}n", "") for seat in SEATS_WRITTEN]
    yield f"pn|{','.join(name.replace(',', ';') for name in names)}|st||"
    dealer = _DEALERS.get(given.get("d", "").strip().lower()[:1], "")
    hands = (given.get(seat.letter.lower(), "").replace(",", "") for seat in SEATS_WRITTEN)
    yield f"md|{dealer}{','.join(hands)}|rh||"
    if given.get("b", "").strip():
        yield f"ah|Board {given['b'].strip()}|"
    yield f"sv|{given.get('v', '')}|"
    for match in _CALL.finditer(given.get("a", "")):
        if match["call"].strip():
            yield f"mb|{match['call']}{match['alert']}|"
            if match["note"]:
                yield f"an|{match['note']}|"
    yield "pg||"
    if given.get("p"):
        yield f"pc|{given['p']}|pg||"
    if given.get("c", "").strip():
        yield f"mc|{given['c'].strip()}|"


def _error(reason: str) -> RecordedTextError:
    return RecordedTextError(Problem(NAME, 0, 0, reason))

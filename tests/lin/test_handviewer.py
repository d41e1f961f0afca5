"""Tests of links to BBO's handviewer, read and written."""

from __future__ import annotations

import re
from io import BytesIO
from urllib.parse import parse_qs, quote, quote_plus, urlsplit

import pytest

from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.lin.handviewer import (
    ADDRESS,
    LinkReader,
    hands_link,
    is_address,
    is_link,
    lin_link,
    lin_of,
    read_link,
    without_board,
)
from bridge_arena.lin.model import Table
from tests.lin.tables import AUCTION, HANDS, START, record

TEXT = START + AUCTION.replace("minors", "5+ !C & !D (weak)") + "pc|H4|mc|8|"
PARTS = (
    "s=sq982hq82dkq763ct&w=sj643hkj7653dcaq4&n=sk5hadajt52cj9762"
    "&d=s&v=n&b=15&sn=Sue&nn=Nora%20B&a=p1h2n(minors)p3n!ppp&p=h4h2hjha&c=8"
)


def read(link: str) -> BoardRecord:
    (one,) = read_link(link)
    return one


@pytest.mark.parametrize(
    "value",
    [
        quote(TEXT.replace("&", "and"), safe="|,!+"),
        quote_plus(TEXT.replace("&", "and")),
        quote(TEXT.replace("&", "and"), safe=""),
        quote(quote(TEXT.replace("&", "and"), safe=""), safe=""),
        TEXT.replace("&", "and"),
    ],
)
def test_links_that_hold_lin_are_read(value: str) -> None:
    one = read(f"{ADDRESS}?bbo=y&lin={value}&other=1")
    assert one == record(TEXT.replace("&", "and"))
    assert str(one.calls[2].explanation) == "5+ ♣ and ♦ (weak)"


def test_what_links_hold_may_have_an_ampersand_of_its_own() -> None:
    assert read(f"{ADDRESS}?lin={TEXT}") == record(TEXT)
    assert read(f"{ADDRESS}?b=1&amp;lin={TEXT}") == record(TEXT)


def test_links_of_parameters_are_read() -> None:
    one = read(f"{ADDRESS}?{PARTS}")
    assert one.board.deal == Deal.parse(
        "S:Q982.Q82.KQ763.T J643.KJ7653..AQ4 K5.A.AJT52.J9762 AT7.T94.984.K853"
    )
    assert one.board.dealer is Seat.SOUTH
    assert one.board.vulnerability is Vulnerability.NS
    assert one.board.number == 15
    assert one.players == ("Nora B", "", "Sue", "")
    assert " ".join(str(made.call) for made in one.calls) == "Pass 1H 2NT Pass 3NT Pass Pass Pass"
    assert str(one.calls[2].explanation) == "minors"
    assert one.calls[4].alert
    assert [str(card) for card in one.cards] == ["H4", "H2", "HJ", "HA"]
    assert (one.tricks, one.score) == (8, -100)


@pytest.mark.parametrize(
    ("letters", "expected"),
    [("-", Vulnerability.NONE), ("e", Vulnerability.EW), ("b", Vulnerability.ALL)],
)
def test_the_vulnerability_of_a_link_of_parameters_is_read(
    letters: str, expected: Vulnerability
) -> None:
    assert read(f"{ADDRESS}?{PARTS.replace('v=n', f'v={letters}')}").board.vulnerability is expected


def test_a_bar_in_a_parameter_makes_no_tags() -> None:
    link = f"{ADDRESS}?{PARTS}".replace("minors", "x|md|1|").replace("Sue", "a|pg|b,c")
    one = read(link)
    assert str(one.calls[2].explanation) == "x/md/1/"
    assert one.players[2] == "a/pg/b;c"


def test_the_links_made_are_what_the_viewer_documents() -> None:
    one = record(TEXT)
    given = parse_qs(urlsplit(hands_link(one)).query)
    assert given["s"] == ["S289QH28QD367QKCT"]
    assert given["a"] == ["p1H2N(5+ !C & !D [weak])p3Nppp"]
    assert (given["d"], given["v"], given["b"], given["c"]) == (["s"], ["n"], ["15"], ["8"])
    (lin,) = parse_qs(urlsplit(lin_link(one)).query)["lin"]
    assert lin.startswith("qx|o15|pn|Sue,Will,Nora,Ed|st||md|1S289QH28QD367QKCT,")
    assert lin_of(lin_link(one)) == lin


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        (f"{ADDRESS}?myhand=M-1-2", "it holds no board: it is a link to a hand that BBO keeps"),
        (ADDRESS, "it holds no board: it is a link to the handviewer without lin="),
        (f"{ADDRESS}?s=sakq", "N has 0 cards"),
        (f"{ADDRESS}?{PARTS.replace('sq982', 'sqxxx')}", "'x' in"),
        (f"{ADDRESS}?lin=", "this is not a LIN file"),
        (f"{ADDRESS}?lin=%ff%00%zz", "this is not a LIN file"),
        (f"{ADDRESS}?lin={'%7C' * 99999}", "longer than 65536 letters"),
    ],
)
def test_links_without_a_board_are_refused(link: str, reason: str) -> None:
    with pytest.raises(RecordedTextError, match=reason):
        read_link(link)


def test_links_are_told_from_other_text() -> None:
    assert is_link(f" {ADDRESS}?s=")
    assert is_link("//elsewhere.example/show?x=1&lin=pn|")
    assert not is_link("boards.lin")
    assert not is_link(f"md|1{HANDS}|")


# Texts of links, one a line.


def tables_of(text: bytes) -> tuple[list[Table], list[str]]:
    reader = LinkReader(BytesIO(text), "links")
    tables = list(reader)
    return tables, [str(problem) for problem in reader.problems]


def test_a_text_of_links_is_read_line_by_line() -> None:
    links = [f"{ADDRESS}?{PARTS}", "", f"  {ADDRESS}?lin={quote(TEXT)}  "]
    tables, problems = tables_of("\r\n".join(links).encode("utf-8-sig"))
    assert [(table.number, table.line) for table in tables] == [(1, 1), (2, 3)]
    assert {item.line for item in tables[1].items} == {3}
    assert not problems


def test_lines_that_hold_no_table_are_named() -> None:
    long = b"https://" + b"x" * 200_000
    lines = [b"hello", f"{ADDRESS}?b=1".encode(), f"{ADDRESS}?{PARTS}".encode(), long]
    lines.append(f"{ADDRESS}?lin=pn|a|".encode())
    tables, problems = tables_of(b"\n".join(lines))
    assert [table.line for table in tables] == [3]
    assert [problem.split(": ", 1) for problem in problems] == [
        ["links:1", "this is no link to a handviewer"],
        ["links:2", without_board(ADDRESS)],
        ["links:4", without_board("https://x")],
        ["links:4", "this is no link to a handviewer"],
        ["links:5", without_board(f"{ADDRESS}?lin=")],
    ]


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        (f"{ADDRESS}?lin=pn|a|", r"a link with LIN \(lin=\) in which there is no deal"),
        (f"{ADDRESS}?MyHand=M-1-2", "a link to a hand that BBO keeps"),
        (f"{ADDRESS}?bbo=y&linurl=https://x/1.lin", "a link to a LIN file elsewhere"),
        ("www.bridgebase.com/tools/handviewer.html?b=1", "a link to the handviewer without lin="),
        ("https://www.bridgebase.com/tools/vugraph_linfetch.php?id=1", "a link to a LIN file"),
        ("https://www.bridgebase.com/myhands/hands.php?username=x", "a link to a list of hands"),
        ("https://tinyurl.com/x", "a shortened link"),
        ("http://club.example/1.pbn", "a link to a page"),
    ],
)
def test_an_address_without_a_board_tells_its_kind(address: str, kind: str) -> None:
    assert is_address(address)
    assert re.match(f"it holds no board: it is {kind}", without_board(address))


def test_problems_of_a_text_of_links_are_bounded() -> None:
    assert len(tables_of(b"hello\n" * 1000)[1]) == 100


def test_what_is_odd_in_a_link_is_on_its_line() -> None:
    link = f"{ADDRESS}?lin={quote('qx|o1|' + 'xyz|' + START)}"
    (table,), _ = tables_of(b"\n\n" + link.encode())
    assert [problem.line for problem in table.problems] == [3]


def test_what_is_odd_in_a_link_outside_of_its_table_is_named() -> None:
    link = f"{ADDRESS}?lin={quote('xyz|' + START)}"
    (_,), problems = tables_of(b"\n" + link.encode())
    assert problems == ["links:2: 'xyz' is not a tag: it is left out"]

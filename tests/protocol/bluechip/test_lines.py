"""Every line in every form that is known, and what is no line."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card, Hand, Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.protocol.bluechip.lines import (
    BoardInfo,
    Called,
    Cards,
    Connecting,
    EndOfSession,
    Explain,
    Illegal,
    Line,
    Played,
    Ready,
    Refusal,
    Seated,
    StartOfBoard,
    Teams,
    Timing,
    ToLead,
    Wanted,
    parse_line,
)
from bridge_arena.protocol.bluechip.spelling import Quirks
from bridge_arena.protocol.errors import ProtocolError
from tests.own_time import OwnTime
from tests.protocol.bluechip.strategies import LINES, QUIRKS
from tests.protocol.strategies import EXPLANATIONS

N, E, S, W = Seat
HAND = Hand.parse("AK5.Q2.AT86.9532")
VOID = Hand.parse("AK5.-.AT8642.9532".replace("-", ""))


@given(LINES)
def test_the_standard_form_is_read_back(line: Line) -> None:
    assert type(line).parse(str(line)) == line


@given(LINES, QUIRKS)
def test_every_quirks_form_is_read_back(line: Line, quirks: Quirks) -> None:
    if isinstance(line, Called) and not line.alert and line.meaning:
        # Whether and as what the meaning is told is the quirk itself.
        told = quirks.infos != "none"
        expected: Line = replace(
            line, alert=quirks.infos == "alert", meaning=line.meaning if told else ""
        )
    else:
        expected = line
    assert type(line).parse(line.format(quirks)) == expected


@given(LINES, QUIRKS, st.sampled_from([str.upper, str.lower, str.swapcase]), st.data())
def test_case_and_blanks_and_stops_do_not_matter(
    line: Line, quirks: Quirks, recase: object, data: st.DataObject
) -> None:
    if isinstance(line, (Called, Connecting, Seated, Teams, Refusal)):
        return  # free text keeps its case
    assert callable(recase)
    text = recase(line.format(quirks))
    blanks = data.draw(st.sampled_from(["  ", "\t", "   "]))
    assert type(line).parse(f" {text.replace(' ', blanks)} . ") == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('Connecting "Team A" as North using protocol version 18', Connecting("Team A", N)),
        ('Connecting "Team A" as ANYPL using protocol version 18', Connecting("Team A", None)),
        ('Connecting "WBridge5" using protocol 18.', Connecting("WBridge5", None)),
        ("connecting Team A as SOUTH using protocol version 19.", Connecting("Team A", S, 19)),
        ('North ("Team A") seated', Seated(N, "Team A")),
        ('North "Team A" seated', Seated(N, "Team A")),
        ("north Team A seated.", Seated(N, "Team A")),
        ('Teams : N/S : "Team A" E/W : "Team B"', Teams("Team A", "Team B")),
        ('Teams: N/S "Team A" E/W "Team B"', Teams("Team A", "Team B")),
        ('Teams: N/S: "Team A". E/W: "Team B"', Teams("Team A", "Team B")),
        ('Teams : N/S : "A" E/W : "B" [Playing IMP]', Teams("A", "B")),
        ("Teams N/S Team A E/W Team B", Teams("Team A", "Team B")),
        ("North ready for teams.", Ready(N, Wanted.TEAMS)),
        ("WEST ready to start", Ready(W, Wanted.START)),
        ("start of board", StartOfBoard()),
        ("Start of Board.", StartOfBoard()),
        ("End of session", EndOfSession()),
        ('NS:"Team A" 12 EW:"Team B" 7', EndOfSession()),
        (
            "Board number 8. Dealer WEST. Neither vulnerable.",
            BoardInfo(8, W, Vulnerability.NONE),
        ),
        ("board number 10 dealer east. both vulnerable", BoardInfo(10, E, Vulnerability.ALL)),
        ("Board number: 2. Dealer: E. N/S vulnerable", BoardInfo(2, E, Vulnerability.NS)),
        ("Board number 3. Dealer South. E/W vulnerable.", BoardInfo(3, S, Vulnerability.EW)),
        ("North's cards : S A K 5. H Q 2. D A T 8 6. C 9 5 3 2.", Cards(N, HAND)),
        ("NORTH's cards: C 9 5 3 2. D A T 8 6. H Q 2. S A K 5.", Cards(N, HAND)),
        ("north cards s a k 5 h q 2 d a 10 8 6 c 9 5 3 2", Cards(N, HAND)),
        ("North's cards : S AK5.H Q2.D AT86.C 9532.", Cards(N, HAND)),
        ("Dummy's cards : S A K 5. H -. D A T 8 6 4 2. C 9 5 3 2.", Cards(None, VOID)),
        ("Dummy's cards : S A K 5.H.D A T 8 6 4 2.C 9 5 3 2.", Cards(None, VOID)),
        ("Dummy's cards : S A K 5. D A T 8 6 4 2. C 9 5 3 2.", Cards(None, VOID)),
        ("North passes", Called(N, Call("Pass"))),
        ("NORTH PASSES", Called(N, Call("Pass"))),
        ("North bids pass.", Called(N, Call("Pass"))),
        ("North doubles", Called(N, Call("X"))),
        ("North bids X", Called(N, Call("X"))),
        ("North redoubles!", Called(N, Call("XX"))),
        ("North bids 1NT", Called(N, Call("1NT"))),
        ("North bids 1N", Called(N, Call("1NT"))),
        ("north bids 3 no trumps", Called(N, Call("3NT"))),
        ("North bids 7c.", Called(N, Call("7C"))),
        ("North bids 2C Alert. text", Called(N, Call("2C"), alert=True, meaning="text")),
        ("North bids 2C alert", Called(N, Call("2C"), alert=True)),
        ("North bids 2C. Alert: a, b.", Called(N, Call("2C"), alert=True, meaning="a, b.")),
        ("North passes Infos. weak", Called(N, Call("Pass"), meaning="weak")),
        ("North ready for  EAST's bid", Ready(N, Wanted.BID, E)),
        ("North ready for Easts bid.", Ready(N, Wanted.BID, E)),
        ("North ready for West's card to trick 12", Ready(N, Wanted.CARD, W, 12)),
        ("North ready for dummy's card to trick 3", Ready(N, Wanted.CARD, None, 3)),
        ("North ready for dummy", Ready(N, Wanted.DUMMY)),
        ("West to lead", ToLead(W)),
        ("Dummy to lead.", ToLead(None)),
        ("West plays JD", Played(W, Card("DJ"))),
        ("WEST plays jd", Played(W, Card("DJ"))),
        ("West plays DJ.", Played(W, Card("DJ"))),
        ("West plays 10H", Played(W, Card("HT"))),
        ("West plays H10", Played(W, Card("HT"))),
        ("Dummy plays 9D", Played(None, Card("D9"))),
        ("Explain North's 1H", Explain(N, Call("1H"))),
        ("illegal bid", Illegal(in_play=False)),
        ("Error Team name mismatch", Refusal("Team name mismatch")),
        (
            "Timing - N/S : this board  [1:15],  total  [0:11:23].  "
            "E/W : this board  [1:18],  total  [0:10:23]",
            Timing(75, 683, 78, 623),
        ),
        (
            "Timing - N/S : this board  01:36,  total  0:01:36.  "
            "E/W : this board  01:34,  total  0:01:34.",
            Timing(96, 96, 94, 94),
        ),
    ],
)
def test_forms_of_lines_that_programs_use_are_read(text: str, line: Line) -> None:
    assert type(line).parse(text) == line


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (Connecting("A", N), 'Connecting "A" as North using protocol version 18'),
        (Connecting("A", None), 'Connecting "A" as ANYPL using protocol version 18'),
        (Seated(N, "A"), 'North ("A") seated'),
        (Teams("A", "B"), 'Teams : N/S : "A" E/W : "B"'),
        (BoardInfo(1, N, Vulnerability.NONE), "Board number 1. Dealer North. Neither vulnerable."),
        (Cards(N, HAND), "North's cards : S A K 5. H Q 2. D A T 8 6. C 9 5 3 2."),
        (Cards(None, VOID), "Dummy's cards : S A K 5. H -. D A T 8 6 4 2. C 9 5 3 2."),
        (Called(N, Call("2C"), alert=True, meaning="x"), "North bids 2C Alert. x"),
        (Called(N, Call("2C"), alert=True), "North bids 2C Alert."),
        (Called(N, Call("Pass"), meaning="x"), "North passes Infos. x"),
        (Ready(S, Wanted.CARD, None, 3), "South ready for dummy's card to trick 3"),
        (Ready(S, Wanted.START), "South ready to start"),
        (Played(W, Card("HT")), "West plays TH"),
        (
            Timing(96, 3696, 94, 94),
            "Timing - N/S : this board  01:36,  total  1:01:36.  "
            "E/W : this board  01:34,  total  0:01:34",
        ),
        (Illegal(in_play=True), "Illegal card"),
    ],
)
def test_lines_are_written_in_the_standard_form(line: Line, text: str) -> None:
    assert str(line) == text


@pytest.mark.parametrize(
    ("line", "quirk", "text"),
    [
        (Called(N, Call("Pass")), "letters=upper", "NORTH PASSES"),
        (Called(N, Call("1C"), meaning="x"), "infos=none", "North bids 1C"),
        (Called(N, Call("1C"), meaning="x"), "infos=alert", "North bids 1C Alert. x"),
        (Played(W, Card("HT")), "card=suit-rank", "West plays HT"),
        (Played(W, Card("HT")), "card_case=lower", "West plays th"),
        (Teams("A", "B"), "colon=close", 'Teams: N/S: "A" E/W: "B"'),
        (Cards(N, HAND), "stop=no", "North's cards : S A K 5 H Q 2 D A T 8 6 C 9 5 3 2"),
        (Cards(N, HAND), "colon=none", "North's cards S A K 5. H Q 2. D A T 8 6. C 9 5 3 2."),
        (Seated(N, "Team A"), "quotes=no", "North Team A seated"),
    ],
)
def test_a_quirk_changes_how_a_line_is_written(line: Line, quirk: str, text: str) -> None:
    assert line.format(Quirks.parse([quirk])) == text


@pytest.mark.parametrize(
    ("kind", "text", "complaint"),
    [
        (Cards, "North's cards : S A K.", "2 different cards of 2, not 13"),
        (Cards, "North's cards : S A K 5. H Q 2. D A T 8 6. C 9 5 3 3.", "12 different cards"),
        (Cards, "North's cards : S A K 5. X Q 2", "'X' in a hand"),
        (Cards, "North's cards : A K 5", "'A' in a hand"),
        (Called, "North bids 8C", "not understood"),
        (Called, "North bids", "not understood"),
        (Called, "North passes the port", "not understood"),
        (Played, "North plays 1D", "not understood"),
        (Played, "North plays JD QD", "not understood"),
        (Ready, "Nobody ready for teams", "not understood"),
        (Ready, "North ready for tea", "not understood"),
        (BoardInfo, "Board number 1.", "not understood"),
        (Connecting, "GET / HTTP/1.1", "'GET / HTTP/1.1' is not understood"),
        (Timing, "Timing - N/S : unknown", "not understood"),
    ],
)
def test_text_that_is_no_such_line_is_refused(kind: type[Line], text: str, complaint: str) -> None:
    with pytest.raises(ProtocolError, match=complaint):
        kind.parse(text)


def test_a_complaint_quotes_no_more_than_the_beginning() -> None:
    with pytest.raises(ProtocolError) as caught:
        Called.parse("North " + "x" * 900)
    assert len(str(caught.value)) < 120


def test_a_line_may_be_one_of_several_kinds() -> None:
    kinds = (Ready, Called, Played)
    assert parse_line("N passes", kinds) == Called(N, Call("Pass"))
    assert parse_line("n plays qs", kinds) == Played(N, Card("SQ"))
    with pytest.raises(ProtocolError):
        parse_line("Start of Board", kinds)


def test_no_line_takes_long_to_read() -> None:
    """Patterns that try every way to divide a line would take minutes for some of these."""
    beginnings = ["Timing ", "Teams N/S ", "Connecting ", "North's cards ", "North bids 2C ", "N "]
    parts = ["1:", "1:1 ", "1 ", ".", " . ", "a ", "e/w ", "as n ", "seated ", "alert ", '"', "("]
    kinds = (Timing, Teams, Connecting, Seated, Cards, Called, Played, Ready, Explain, BoardInfo)
    for beginning, part in product(beginnings, parts):
        line = (beginning + part * 1000)[:1020] + "#"
        with OwnTime() as own, suppress(ProtocolError):
            parse_line(line, kinds)
        assert own.seconds < 1.0, (beginning, part)


# Meanings.


def test_a_meaning_carries_its_ranges() -> None:
    meant = Explanation("strong notrump", hcp=(15, 17), artificial=True)
    line = Called.from_made(N, MadeCall(Call("1NT"), alert=True, explanation=meant))
    assert str(line) == "North bids 1NT Alert. strong notrump [hcp 15-17, artificial]"
    assert Called.parse(str(line)).made == MadeCall(Call("1NT"), alert=True, explanation=meant)


def test_suits_and_ranges_in_the_words_of_a_meaning_are_read() -> None:
    """A line is ASCII, so that suits are sent as `!S`, and others write them so too."""
    line = "North bids 1S Alert. 5+ !S; 11-20 HCP; Forcing"
    meant = Explanation("5+ ♠; 11-20 HCP; Forcing", (11, 20), {Suit.SPADES: (5, 13)}, forcing=True)
    assert Called.parse(line).made == MadeCall(Call("1S"), alert=True, explanation=meant)
    told = MadeCall(Call("1S"), alert=True, explanation=Explanation("5+ ♠"))
    assert str(Called.from_made(N, told)) == "North bids 1S Alert. 5+ !S"


@given(EXPLANATIONS, st.booleans())
def test_any_meaning_fits_into_a_line(meant: Explanation, alert: bool) -> None:  # noqa: FBT001
    line = Called.from_made(N, MadeCall(Call("2C"), alert, meant))
    sent = str(line).encode("ascii", "replace")
    assert len(sent) < 1000
    assert b"\n" not in sent
    read = Called.parse(sent.decode())
    assert (read.call, read.alert) == (line.call, line.alert)
    made = read.made
    assert made.explanation is None or len(made.explanation.text) <= 500


def test_a_long_text_is_cut_to_what_every_player_can_be_told() -> None:
    made = Called(N, Call("2C"), alert=True, meaning="x" * 800).made
    assert made.explanation is not None
    assert made.explanation.text == "x" * 500

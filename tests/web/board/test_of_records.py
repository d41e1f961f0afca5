"""Documents of records: all that a table made is in them, and nothing that is not known."""

from __future__ import annotations

from dataclasses import replace

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call, Contract
from bridge_arena.bridge.cards import Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, MadeCall, Mode
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.oracle.par import par
from bridge_arena.oracle.solver import double_dummy_table
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_results import Played
from bridge_arena.web.board.of_records import document_of, figures_of, rest_of, summary_of
from tests.reports.leaderboard.events import event, play_event

BOARD = Board.dealt(1, 2)
BLANK = BoardRecord(BOARD, ("N", "E", "S", "W"))


def test_a_record_becomes_a_document_of_its_board() -> None:
    document = document_of(BOARD, "Cup", [])
    assert (document["board"], document["dealer"], document["vulnerable"]) == (2, "E", "NS")
    assert document["deal"]["S"] == str(BOARD.deal[Seat.SOUTH])
    both = replace(BOARD, vulnerability=Vulnerability.ALL)
    assert document_of(both, "", [])["vulnerable"] == "Both"


def test_facts_that_are_not_known_are_absent() -> None:
    summary = summary_of(BLANK, 1, "Table")
    assert set(summary) == {"number", "name", "players"}
    rest = rest_of(Played(BLANK))
    assert (rest["calls"], rest["cards"], rest["winners"]) == ([], [], [])
    assert rest["remarks"] == ["Not finished."]
    assert "claim" not in rest
    assert "dd" not in rest


def test_calls_are_told_with_alerts_and_explanations() -> None:
    calls = (
        MadeCall(Call("1NT"), alert=True, explanation=Explanation("strong", (15, 17))),
        MadeCall(Call("X"), alert=True),
        MadeCall(Call("XX"), explanation=Explanation(" ")),
        MadeCall(Call("2C"), explanation=Explanation("", (22, 37), forcing=True)),
        MadeCall(
            Call("2D"),
            explanation=Explanation("", lengths={Suit.SPADES: (4, 4), Suit.HEARTS: (0, 3)}),
        ),
    )
    assert rest_of(Played(replace(BLANK, calls=calls)))["calls"] == [
        {"call": "1NT", "alert": True, "explanation": "strong (15–17 points)"},
        {"call": "X", "alert": True},
        {"call": "XX"},
        {"call": "2C", "explanation": "22+ points, forcing"},
        {"call": "2D", "explanation": "4 spades, 0–3 hearts"},
    ]


def test_a_whole_play_has_seats_winners_and_costs() -> None:
    (played,) = (
        each
        for each in play_event(event(Format.MATCH, "alpha", "beta", boards=1)).played
        if each.record.room == "Open"
    )
    record, ledger = played.record, played.ledger
    assert ledger is not None
    rest = rest_of(played)
    assert [each["card"] for each in rest["cards"]] == list(map(str, record.cards))
    tricks = record.play().tricks
    assert rest["winners"] == [str(trick.winner) for trick in tricks]
    for number, each in enumerate(rest["cards"]):
        assert record.cards[number] in record.board.deal[Seat.parse(each["seat"])]
    costs = {number: each["cost"] for number, each in enumerate(rest["cards"]) if "cost" in each}
    assert costs == {loss.card: loss.tricks for loss in ledger.losses}
    assert rest["dd"] == ledger.dd_tricks
    assert "claim" not in rest


def test_a_claim_is_told_with_what_it_cost() -> None:
    contract = Contract.parse("3NT", Seat.EAST)
    lead = next(iter(BOARD.deal[Seat.SOUTH]))
    record = replace(BLANK, contract=contract, cards=(lead,), tricks=9, score=-400)
    for values, claim in (
        ((9, 9), {"tricks": 9}),
        ((8, 8), {"tricks": 9, "cost": 1, "charged": "the defence"}),
        ((11, 11), {"tricks": 9, "cost": 2, "charged": "declarer"}),
    ):
        assert rest_of(Played(record, values))["claim"] == claim
    assert rest_of(Played(record))["claim"] == {"tricks": 9}
    # In a match of the auction alone nobody claims.
    assert "claim" not in rest_of(Played(replace(record, cards=(), mode=Mode.BIDDING), (9,)))


def test_faults_and_remarks_are_told() -> None:
    fault = Fault(Seat.SOUTH, FaultKind.CRASH, 3, "it crashed")
    rest = rest_of(Played(replace(BLANK, faults=(fault,))), ["More."])
    assert rest["remarks"] == ["S (S), action 4, crash: it crashed", "Not finished.", "More."]


def test_a_document_tells_what_double_dummy_says() -> None:
    table = double_dummy_table(BOARD.deal)
    figures = figures_of(table, par(table, BOARD.dealer, BOARD.vulnerability))
    assert figures["dd"] is not None
    assert [len(row) for row in figures["dd"]] == [5, 5, 5, 5]
    assert sum(map(sum, figures["dd"])) == sum(table.results)
    assert figures["par"] is not None
    assert figures["par"]["contracts"]

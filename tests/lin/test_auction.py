"""Tests of the auctions of LIN files."""

from __future__ import annotations

import pytest

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.deviations import Kind
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from tests.lin.tables import START, kinds, meaning, record

UNFINISHED = [Kind.UNFINISHED_AUCTION]


def calls(text: str) -> str:
    return " ".join(str(made.call) for made in record(START + text).calls)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mb|P|mb|1n|mb|D|mb|R|mb|2c|mb|pass|", "Pass 1NT X XX 2C Pass"),
        ("mb|p|mb|1NT|mb|x|mb|XX|mb|Dbl|", "Pass 1NT X XX"),
        ("mb|p1np2c!p2s|", "Pass 1NT Pass 2C Pass 2S"),
        ("mb|1♠|mb| 2 h |", "1S 2H"),
        ("mb|-|mb|1S|mb|?|mb|p|", "1S"),
        ("mb|1S|mb|ap|", "1S Pass Pass Pass"),
        ("mb|AP|", "Pass Pass Pass Pass"),
        ("mb||mb|1D|", "1D"),
    ],
)
def test_calls_are_read_in_every_form(text: str, expected: str) -> None:
    assert calls(text) == expected


def test_alerts_and_explanations_are_read() -> None:
    made = record(START + "mb|1N!|an|15-17|mb|p|mb|2C!|mb|d|an|4+ !c|").calls
    assert made == (
        MadeCall(Call("1NT"), alert=True, explanation=Explanation("15-17")),
        MadeCall(Call("Pass")),
        MadeCall(Call("2C"), alert=True),
        MadeCall(Call("X"), explanation=Explanation("4+ ♣")),
    )


def test_explanations_may_stand_before_their_calls() -> None:
    text = START + "an|15-17|mb|1N|mb|p|an|asks|nt|hm|mb|2C!|mb|p|"
    assert [str(made.explanation or "") for made in record(text).calls] == ["15-17", "", "asks", ""]


def test_explanations_come_in_parts() -> None:
    (made,) = record(START + "mb|1N|an|15-17|an|no major|an||").calls
    assert made.explanation == Explanation("15-17; no major")


def test_an_explanation_of_no_call_is_named() -> None:
    assert kinds(START + "an|15-17|") == [Kind.EXPLANATION]


def test_an_explanation_may_promise() -> None:
    (made,) = record(START + "mb|1N|an|strong [hcp 15-17]|").calls
    assert made.explanation == Explanation("strong", (15, 17))


@pytest.mark.parametrize(
    ("text", "kept", "found"),
    [
        ("mb|1S|mb|1H|mb|p|", "1S", [Kind.INSUFFICIENT_BID]),
        ("mb|p|mb|d|", "Pass", [Kind.INADMISSIBLE_DOUBLE]),
        ("mb|1S|mb|8S|mb|p|", "1S", [Kind.NOT_A_CALL, Kind.UNFINISHED_AUCTION]),
        ("mb|1S|mb|what|", "1S", [Kind.NOT_A_CALL, Kind.UNFINISHED_AUCTION]),
        ("mb|1S|mb|?|mb|p|", "1S", [Kind.NOT_A_CALL, Kind.UNFINISHED_AUCTION]),
        ("mb|1S?p|", "1S", [Kind.NOT_A_CALL, Kind.UNFINISHED_AUCTION]),
        ("mb|p|mb|p|mb|p|mb|p|mb|p|", "Pass Pass Pass Pass", [Kind.CALL_AFTER_END]),
        ("mb|1S|mb|p|", "1S Pass", UNFINISHED),
        ("", "", []),
    ],
)
def test_what_is_odd_is_named_and_the_rest_kept(text: str, kept: str, found: list[Kind]) -> None:
    assert calls(text) == kept
    assert kinds(START + text) == found


def test_no_auction_is_too_long() -> None:
    text = START + f"mb|{'p1c' * 5000}|" * 20
    assert len(record(text).calls) <= 400
    assert len(kinds(text)) < 10


def test_the_lead_tells_that_final_passes_are_missing() -> None:
    found = meaning(START + "mb|p|mb|1H|mb|2N|mb|p|mb|3N|pc|H4|pc|H2|")
    assert found.record is not None
    assert str(found.record.contract) == "3NT"
    assert len(found.record.calls) == 8
    assert len(found.record.cards) == 2
    assert [one.kind for one in found.deviations] == [Kind.MISSING_PASSES, Kind.UNFINISHED_PLAY]


def test_another_lead_leaves_the_auction_unfinished() -> None:
    text = START + "mb|p|mb|1H|mb|2N|mb|p|mb|3N|pc|SQ|"
    assert record(text).contract is None
    assert kinds(text) == [Kind.UNFINISHED_AUCTION, Kind.NO_CONTRACT]


def test_a_claim_tells_that_final_passes_are_missing() -> None:
    one = record(START + "mb|1S|mb|p|mb|4S|mb|p|mc|10|")
    assert (str(one.contract), one.tricks, one.score) == ("4S", 10, 620)


def test_an_accepted_insufficient_bid_leaves_a_contract() -> None:
    # South passes, West opens 2H, North's 1S is too low, East's 3H is played by West.
    text = START + "mb|p|mb|2H|mb|1S|mb|3H|mb|p|mb|p|mb|p|pc|SK|pc|SA|mc|9|"
    one = record(text)
    assert (str(one.contract), str(one.contract and one.contract.declarer)) == ("3H", "W")
    assert len(one.calls) == 2
    assert (len(one.cards), one.tricks, one.score) == (2, 9, -140)
    assert kinds(text) == [Kind.INSUFFICIENT_BID, Kind.CLAIM]


def test_declarer_first_named_the_denomination() -> None:
    one = record(START + "mb|1S|mb|2H|mb|2S|mb|p|mb|4S|mb|p|mb|p|mb|p|")
    assert one.contract is not None
    assert str(one.contract.declarer) == "S"
    one = record(START + "mb|1H|mb|2H|mb|p|mb|2S|mb|p|mb|3H|mb|p|mb|p|mb|p|")
    assert one.contract is not None
    assert str(one.contract.declarer) == "W"

"""Tests of the results of LIN files."""

from __future__ import annotations

import pytest

from bridge_arena.bridge.deviations import Kind
from bridge_arena.lin.notation import format_result, parse_result
from tests.lin.tables import AUCTION, START, kinds, record


@pytest.mark.parametrize(
    ("text", "contract", "declarer", "tricks"),
    [
        ("4HE=", "4H", "E", 10),
        ("3NW+1", "3NT", "W", 10),
        ("4SWx-4", "4SX", "W", 6),
        ("5DNxx-2", "5DXX", "N", 9),
        ("1NTxS+2", "1NTX", "S", 9),
        ("7nn", "7NT", "N", None),
        ("7CS+9", "7C", "S", None),
    ],
)
def test_results_are_read_in_every_form(
    text: str, contract: str, declarer: str, tricks: int | None
) -> None:
    result = parse_result(text)
    assert result is not None
    assert result.contract is not None
    assert (str(result.contract), str(result.contract.declarer)) == (contract, declarer)
    assert result.tricks == tricks
    assert parse_result(format_result(result)) == result


def test_a_result_may_be_passed_out() -> None:
    assert parse_result("Passed out") == parse_result("pass")
    result = parse_result("pass")
    assert result is not None
    assert result.contract is None
    assert parse_result(format_result(result)) == result


@pytest.mark.parametrize("text", ["", "-", "A+3", "8NN=", "4H=", "4HE+999999999999", "x" * 9000])
def test_text_that_is_no_result_is_not_read(text: str) -> None:
    assert parse_result(text) is None


def declarer_of(text: str) -> str:
    contract = record(text).contract
    return str(contract.declarer) if contract else ""


def headed(results: str, table: str) -> str:
    return f"vg|Cup,,I,14,16,A,0,B,0|rs|{results}|pg||qx|c15|{table}"


def test_the_heading_tells_what_was_not_recorded() -> None:
    one = record(headed(",,,4SE-1", START))
    assert (str(one.contract), one.tricks, one.score) == ("4S", 9, 50)
    one = record(headed(",,,PASS", START))
    assert (one.contract, one.score) == (None, 0)
    one = record(headed(",,,3NN-1", START + AUCTION + "pc|H4|"))
    assert (one.tricks, one.score) == (8, -100)


@pytest.mark.parametrize("results", ["", ",,,", ",,", ",,,-", "3NN=,3NN=,3NN="])
def test_no_result_is_no_deviation(results: str) -> None:
    assert kinds(headed(results, START)) == []
    assert record(headed(results, START)).score is None


@pytest.mark.parametrize(
    ("results", "contract"), [(",,,nothing", None), (",,,4S=", None), (",,,7CS+9", "7C")]
)
def test_a_result_that_cannot_be_read_is_named(results: str, contract: str | None) -> None:
    text = headed(results, START)
    assert Kind.RESULT in kinds(text)
    assert contract == (str(record(text).contract) if contract else record(text).contract)


def test_results_without_a_first_board_are_named_and_left_out() -> None:
    text = headed(",,,4SE-1", START).replace("14,16", ",")
    assert kinds(text) == [Kind.RESULT]
    assert record(text).contract is None


def test_a_heading_that_contradicts_the_auction_is_named_and_not_taken() -> None:
    text = headed(",,,4SE-1", START + AUCTION)
    assert kinds(text) == [Kind.CONTRACT, Kind.UNFINISHED_PLAY]
    assert record(text).tricks is None


def test_the_lead_decides_between_two_declarers() -> None:
    text = headed(",,,3NS=", START + AUCTION + "pc|SA|")  # East holds it, North declares
    assert declarer_of(text) == "N"
    text = headed(",,,3NS=", START + AUCTION + "pc|SJ|")  # West holds it
    assert declarer_of(text) == "S"
    assert kinds(text) == [Kind.CONTRACT, Kind.CLAIM]


def test_a_heading_that_contradicts_the_claim_is_named() -> None:
    text = headed(",,,3NN=", START + AUCTION + "pc|H4|mc|10|")
    assert kinds(text) == [Kind.RESULT, Kind.CLAIM]
    assert record(text).tricks == 10

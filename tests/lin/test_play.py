"""Tests of the play and the claims of LIN files."""

from __future__ import annotations

import pytest

from bridge_arena.bridge.deviations import Kind
from bridge_arena.bridge.play import Play
from tests.data import data_path
from tests.lin.tables import AUCTION, START, kinds, meaning, record

TABLE = START + AUCTION
TRICK = "pc|H4|pc|H2|pc|HJ|pc|HA|pg||"


def test_cards_are_read_in_any_form() -> None:
    for cards in (TRICK, TRICK.lower(), "pc|H4|pc|H2HJ|pc|♥a|", "pc|H42JA|"):
        assert [str(card) for card in record(TABLE + cards).cards] == ["H4", "H2", "HJ", "HA"]


@pytest.mark.parametrize(
    ("cards", "kept", "kind", "reason"),
    [
        ("pc|H4|pc|S2|", 1, Kind.REVOKE, "S can follow suit to H4"),
        ("pc|H4|pc|H5|", 1, Kind.CARD_NOT_HELD, "S does not hold it"),
        ("pc|H4|pc|H4|pc|H2|", 2, Kind.CARD_PLAYED_TWICE, "it is passed over"),
        ("pc|H4|pc|1S|pc|H2|", 1, Kind.NOT_A_CARD, "'1' in '1S' is not a card"),
        ("pc|H4|pc|4|", 1, Kind.NOT_A_CARD, "is not a card"),
        (TRICK + "pc|H5|", 4, Kind.CARD_NOT_HELD, "N does not hold it"),
        (f"pc|H{'4' * 9000}|" * 9 + "pc|H2|", 1, Kind.CARD_PLAYED_TWICE, "passed over"),
    ],
)
def test_what_is_odd_is_named_and_the_cards_before_kept(
    cards: str, kept: int, kind: Kind, reason: str
) -> None:
    found = meaning(TABLE + cards)
    assert found.record is not None
    assert len(found.record.cards) == kept
    assert len(found.deviations) < 120
    (first,) = [one for one in found.deviations if one.kind is kind][:1]
    assert reason in str(first)
    assert first.is_error


@pytest.mark.parametrize("tricks", [0, 9, 13])
def test_claims_end_the_play(tricks: int) -> None:
    one = record(f"{TABLE}pc|H4|mc|{tricks}|")
    assert (one.tricks, one.is_finished) == (tricks, True)


@pytest.mark.parametrize("text", ["14", "-1", "9" * 5000, "nine", "²", "9.5"])
def test_a_claim_of_no_possible_tricks_is_named(text: str) -> None:
    assert record(f"{TABLE}pc|H4|mc|{text}|").tricks is None
    assert kinds(f"{TABLE}pc|H4|mc|{text}|") == [Kind.RESULT, Kind.UNFINISHED_PLAY]


def test_a_claim_of_tricks_already_lost_is_named() -> None:
    # South's side has taken the first trick.
    assert kinds(f"{TABLE}{TRICK}mc|0|") == [Kind.CLAIM, Kind.RESULT]


def test_cards_and_tricks_without_auction_are_left_out() -> None:
    assert kinds(START + TRICK) == [Kind.NO_CONTRACT]
    assert kinds(START + "mb|p|mb|p|mb|p|mb|p|mc|9|") == [Kind.RESULT]


def test_a_claim_that_another_replaces_is_named() -> None:
    text = START + AUCTION + TRICK
    assert kinds(text + "mc|9|mc|9|") == [Kind.CLAIM]
    assert kinds(text + "mc|9|mc|8|") == [Kind.RESULT, Kind.CLAIM]
    assert record(text + "mc|9|mc|8|").tricks == 8


def played_out() -> str:
    """A real table of 52 cards."""
    path = data_path("lin", "forrestrice_bridge-bots__bridgebots__tests__resources__sample.lin")
    return path.read_text().splitlines()[0]


def test_the_cards_decide_where_a_claim_says_otherwise() -> None:
    text = played_out()
    play: Play = record(text).play()
    assert len(play.cards) == 52
    other = (play.declarer_tricks + 1) % 14
    found = meaning(f"{text}mc|{other}|")
    assert found.record is not None
    assert found.record.tricks == play.declarer_tricks
    (deviation,) = found.deviations
    assert deviation.kind is Kind.RESULT
    assert f"{other} tricks; the cards: {play.declarer_tricks}, which is taken" in str(deviation)


def test_the_last_trick_plays_itself() -> None:
    text = played_out()
    whole = record(text)
    for left in (1, 2, 3, 4):
        short = text
        for _ in range(left):
            short = short[: short.rindex("pc|")]
        one = record(short)
        assert len(one.cards) == 52 - left
        assert (one.tricks, one.score) == (whole.tricks, whole.score)
    short = short[: short.rindex("pc|")]
    assert record(short).tricks is None

"""Deals from a secret key."""

from __future__ import annotations

import hmac
from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.board import Board, random_deal
from bridge_arena.bridge.cards import CARDS
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.bridge.seeds import DealKey, PublicSeed, seat_seed

KEY = DealKey(bytes(range(32)))
KEYS = st.builds(DealKey, st.binary(min_size=32, max_size=32))


def test_a_key_gives_these_deals_on_every_machine_and_version() -> None:
    assert str(KEY.deal(1)) == (
        "N:AKQ9.87.KJ875.K8 T6.AQ643.AQ63.A4 J432.KT95.92.J62 875.J2.T4.QT9753"
    )
    assert [KEY.seat_seed(1, seat) for seat in SEATS] == [
        3424510626597020,
        2698750790732895,
        356433304625451,
        4953523652406477,
    ]
    assert KEY.commitment("an event") == (
        "4615f9b972827b0d742e4bd5876c2bbd9a2407a3019b1ad4d35cad0a3a323a33"
    )


def test_a_seed_gives_these_deals_on_every_machine_and_version() -> None:
    assert str(DealKey.of_seed(1).deal(1)) == (
        "N:K843.T6.AJ.J9762 QJ2.A4.98742.AT3 AT95.J875.KQ3.K4 76.KQ932.T65.Q85"
    )


def test_the_standard_says_how_a_label_is_hashed() -> None:
    digest = hmac.new(bytes(range(32)), b"bridge-arena bot 7 S", sha256).digest()
    assert KEY.seat_seed(7, Seat.SOUTH) == int.from_bytes(digest, "big") >> 203


@given(KEYS, st.integers(1, 10_000), st.sampled_from(SEATS))
def test_what_is_made_depends_on_key_label_and_number(
    key: DealKey, number: int, seat: Seat
) -> None:
    assert key.deal(number) == DealKey.parse(str(key)).deal(number) != key.deal(number + 1)
    assert key.deal(number) != key.with_public("x").deal(number)
    assert len({key.seat_seed(number, each) for each in SEATS}) == 4
    assert 0 <= key.seat_seed(number, seat) < 2**53
    assert key.with_public("x") != key.with_public("y")


@given(KEYS, KEYS, st.text(), st.text())
def test_a_commitment_fits_one_key_and_one_text(
    one: DealKey, other: DealKey, text: str, another: str
) -> None:
    fits = one.commitment(text) == other.commitment(another)
    assert fits == ((one, text) == (other, another))
    assert str(one) not in one.commitment(text)


def test_a_board_is_the_standard_one_of_its_number() -> None:
    assert KEY.board(20) == Board(20, Seat.WEST, Vulnerability.ALL, KEY.deal(20))


def test_dealing_is_uniform() -> None:
    """Chi-square over 4,000 deals; the bounds lie five standard deviations off."""
    seats = Counter(
        (card, seat) for n in range(4000) for seat in SEATS for card in KEY.deal(n)[seat]
    )
    cells = ((card, seat) for card in CARDS for seat in SEATS)
    assert 70 < sum((seats[cell] - 1000) ** 2 / 1000 for cell in cells) < 240  # 3 x 51 free


@pytest.mark.parametrize("text", ["", "00", "z" * 64, "0" * 66])
def test_text_that_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"a deal key has 32 bytes|hexadecimal"):
        DealKey.parse(text)


def test_what_is_shown_by_mistake_does_not_tell_the_key() -> None:
    assert str(KEY) not in f"{KEY!r} {[KEY]}"


def test_the_public_seed_deals_as_the_first_release_did() -> None:
    assert PublicSeed(5).deal(3) == random_deal(5, 3)
    assert PublicSeed(5).seat_seed(3, Seat.EAST) == seat_seed(5, 3, Seat.EAST)

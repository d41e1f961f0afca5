"""Every form in which people write a hand is that hand; what is no hand stays what it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.cards import SUITS_DOWN, Hand
from bridge_arena.bridge.loose_hands import plain_deal, plain_hand

DEAL = "N:AQ7.QT95.J84.K92 KT9.K4.K753.QT63 J653.A632.Q6.A87 842.J87.AT92.J54"
VOIDS = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"

Form = Callable[[list[str]], str]

FORMS: list[Form] = [
    ".".join,
    lambda suits: ".".join(suit.lower().replace("t", "10") for suit in suits),
    lambda suits: ".".join(suit or "-" for suit in suits),
    lambda suits: ".".join(suit or "_" for suit in suits),
    lambda suits: "".join(map("".join, zip("SHDC", suits, strict=True))),
    lambda suits: ".".join(map("".join, zip("shdc", suits, strict=True))),
    lambda suits: ".".join(map(":".join, zip("SHDC", suits, strict=True))),
    lambda suits: "".join(map("".join, zip("♠♥♦♣", suits, strict=True))),
    lambda suits: ".".join(c + s for c, s in zip("CDHS", reversed(suits), strict=True)),
    lambda suits: ".".join(c + suit for c, suit in zip("SHDC", suits, strict=True) if suit),
]
"""The ways to write four holdings, spades first, as one word."""


def _holdings(hand: Hand) -> list[str]:
    return ["".join(card.rank.letter for card in hand.suit(suit)) for suit in SUITS_DOWN]


@given(st.integers(0, 10_000), st.lists(st.sampled_from(FORMS), min_size=4, max_size=4))
def test_a_deal_is_read_in_any_mixture_of_forms(number: int, forms: list[Form]) -> None:
    deal = random_deal(1, number)
    hands = [form(_holdings(hand)) for form, hand in zip(forms, deal.hands, strict=True)]
    plain = plain_deal(f"N:{' '.join(hands)}")
    assert [Hand.parse(hand) for hand in plain.partition(":")[2].split()] == list(deal.hands)


@given(st.integers(0, 10_000), st.integers(0, 3), st.data())
def test_the_other_hands_tell_which_dot_is_too_much(
    number: int, seat: int, data: st.DataObject
) -> None:
    deal = random_deal(1, number)
    hands = list(map(str, deal.hands))
    fields = hands[seat].split(".")
    fields.insert(data.draw(st.integers(0, 4)), "")
    hands[seat] = ".".join(fields)
    assert plain_deal(f"N:{' '.join(hands)}") == str(deal)


@pytest.mark.parametrize(
    "text",
    [
        DEAL,
        DEAL.replace(" ", "  \t"),
        DEAL.replace(".", " . "),
        DEAL.replace(".", " "),
        DEAL.replace(".", ".."),
        DEAL.replace(" ", ". "),
        "N: S AQ7 H QT95 D J84 C K92 S KT9 H K4 D K753 C QT63 "
        "S J653 H A632 D Q6 C A87 S 842 H J87 D AT92 C J54",
        "N:S:AQ7 H:QT95 D:J84 C:K92 S:KT9 H:K4 D:K753 C:QT63 "
        "S:J653 H:A632 D:Q6 C:A87 S:842 H:J87 D:AT92 C:J54",
    ],
)
def test_spaces_and_dots_between_suits_do_not_matter(text: str) -> None:
    assert plain_deal(text) == DEAL


@pytest.mark.parametrize(
    "text",
    [
        VOIDS.replace("...A", "-.-.-.A"),
        "N:AKQJT98765432.-.-.- _.AKQJT98765432._._ DAKQJT98765432 C:AKQJT98765432",
        "N:SAKQJT98765432HDC SHAKQJT98765432DC S-H-DAKQJT98765432C- ...AKQJT98765432",
        "N:AKQJT98765432. .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432",
    ],
)
def test_voids_are_read_in_every_form(text: str) -> None:
    assert plain_deal(text) == VOIDS


def test_a_hand_without_cards_is_hidden() -> None:
    assert plain_deal("N:- ... AQ7.QT95.J84.K92 ?") == "N:- - AQ7.QT95.J84.K92 -"
    assert plain_deal("N:S ♠ :♠♠") == "N:- - - -"


@pytest.mark.parametrize(
    "text",
    [
        "blah",
        "N:",
        "",
        "N:AQ7..J84.K92. - - -",  # which of the dots is too much is not known
        "N:AKQJT98765432 AKQJT98765432 AKQJT98765432 AKQJT98765432",
    ],
)
def test_a_deal_that_can_be_read_in_no_one_way_stays_what_it_is(text: str) -> None:
    assert plain_deal(text) == text


@given(st.text(alphabet="SHDCAKQ2T10.-_: ♠x", max_size=80))
def test_plain_forms_stay_plain(text: str) -> None:
    plain = plain_deal(f"N:{text}")
    assert plain_deal(plain) == plain
    assert plain_hand(plain_hand(text)) == plain_hand(text)

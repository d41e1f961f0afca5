"""Boards: dealer, vulnerability, and dealing from a seed."""

from collections import Counter
from math import comb

from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.board import (
    Board,
    random_deal,
    redeal,
    standard_dealer,
    standard_vulnerability,
)
from bridge_arena.bridge.cards import CARDS, Deal, Suit
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability

DEALERS_AND_VULNERABILITIES = (
    *("N None", "E NS", "S EW", "W All"),
    *("N NS", "E EW", "S All", "W None"),
    *("N EW", "E All", "S None", "W NS"),
    *("N All", "E None", "S NS", "W EW"),
)


def test_the_sixteen_boards_have_the_standard_dealers_and_vulnerabilities() -> None:
    boards = [f"{standard_dealer(n)} {standard_vulnerability(n)}" for n in range(1, 17)]
    assert tuple(boards) == DEALERS_AND_VULNERABILITIES


def test_the_boards_repeat_after_sixteen() -> None:
    for number in range(1, 100):
        assert standard_dealer(number) is standard_dealer(number + 16)
        assert standard_vulnerability(number) is standard_vulnerability(number + 16)


def test_a_dealt_board_is_the_standard_one_of_its_number() -> None:
    board = Board.dealt(7, 20)
    assert board == Board(20, Seat.WEST, Vulnerability.ALL, random_deal(7, 20))
    assert board == Board.standard(20, board.deal)
    assert hash(board) == hash(Board.dealt(7, 20))


def test_a_seed_gives_these_deals_on_every_machine_and_version() -> None:
    assert str(random_deal(1, 1)) == (
        "N:2.KQ74.QJ83.KQ72 KT8763.85.AT2.J6 J54.AJ96.54.A854 AQ9.T32.K976.T93"
    )
    assert str(random_deal(2024, 128)) == (
        "N:K872.J86.Q96.KT3 A3.AQT5.AK732.54 T54.K97.T84.AJ76 QJ96.432.J5.Q982"
    )


@given(st.integers(), st.integers(1, 10_000))
def test_a_deal_depends_on_seed_and_number_only(seed: int, number: int) -> None:
    deal = random_deal(seed, number)
    assert random_deal(seed, number) == deal
    assert random_deal(seed, number + 1) != deal
    assert random_deal(seed + 1, number) != deal


def test_dealing_is_uniform() -> None:
    """Chi-square over 4,000 deals; the bounds lie five standard deviations off."""
    number_of_deals = 4000
    seats_of_cards: Counter[tuple[int, Seat]] = Counter()
    spades_of_north: Counter[int] = Counter()
    for number in range(1, number_of_deals + 1):
        deal: Deal = random_deal(99, number)
        seats_of_cards.update((card, seat) for seat in SEATS for card in deal[seat])
        spades_of_north[min(7, deal[Seat.NORTH].length(Suit.SPADES))] += 1

    expected = number_of_deals / 4
    cells = ((card, seat) for card in CARDS for seat in SEATS)
    chi_square = sum((seats_of_cards[cell] - expected) ** 2 / expected for cell in cells)
    assert 70 < chi_square < 240  # 3 x 51 degrees of freedom

    chances = [comb(13, n) * comb(39, 13 - n) / comb(52, 13) for n in range(14)]
    binned = [*chances[:7], sum(chances[7:])]
    chi_square = sum(
        (spades_of_north[length] - number_of_deals * chance) ** 2 / (number_of_deals * chance)
        for length, chance in enumerate(binned)
    )
    assert chi_square < 7 + 5 * 14**0.5  # 7 degrees of freedom


def test_layouts_are_these_on_every_machine_and_version() -> None:
    assert redeal(7, 1, 0) == random_deal(7, 1)
    assert str(redeal(7, 1, 1)) == (
        "N:7642.J94.J965.86 853.AKQT3.Q.QJ32 AQ9.76.AK32.AKT5 KJT.852.T874.974"
    )
    assert str(redeal(7, 400, 4)) == (
        "N:T86.A964.Q9.K732 AJ32.Q.A642.QT98 Q74.KJT52.T87.54 K95.873.KJ53.AJ6"
    )


@given(st.integers(), st.integers(1, 10_000), st.integers(1, 100))
def test_a_layout_moves_the_cards_of_east_and_west_only(
    seed: int, number: int, layout: int
) -> None:
    deal, other = random_deal(seed, number), redeal(seed, number, layout)
    assert (other[Seat.NORTH], other[Seat.SOUTH]) == (deal[Seat.NORTH], deal[Seat.SOUTH])
    assert other[Seat.EAST] != deal[Seat.EAST]
    assert other != redeal(seed, number, layout + 1)


def test_layouts_are_uniform() -> None:
    """Each card that North and South lack is East's in half of the layouts; so is any other
    with it in 12/25 of those. The bounds lie five standard deviations off."""
    layouts = 2000
    easts = [redeal(99, 1, layout)[Seat.EAST] for layout in range(1, layouts + 1)]
    deal = random_deal(99, 1)
    hidden = sorted((*deal[Seat.EAST], *deal[Seat.WEST]))
    assert {card for east in easts for card in east} == set(hidden)
    for card in hidden:
        assert abs(sum(card in east for east in easts) - layouts / 2) < 5 * (layouts / 4) ** 0.5
    together = sum(hidden[0] in east and hidden[-1] in east for east in easts)
    chance = 12 / 50
    assert abs(together - layouts * chance) < 5 * (layouts * chance * (1 - chance)) ** 0.5

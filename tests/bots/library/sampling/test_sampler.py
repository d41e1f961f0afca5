"""The sampler: its layouts are possible, and as frequent as their weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.hand_ranges import ANY, HandRanges
from bridge_arena.bots.library.portable_random import pick, shuffled
from bridge_arena.bots.library.sampling import sampler
from bridge_arena.bots.library.sampling.sampler import Degree, Hands, Sampler
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import SUITS, Deal, Hand, Suit
from bridge_arena.bridge.evaluation import hcp, longest_suit
from bridge_arena.bridge.explanation import Range
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.messages import CardPlayed, DummyShown
from bridge_arena.protocol.view import View
from tests.bots.library.sampling.statistics import assert_alike, assert_drawn_from
from tests.bots.views import at_play, hold, new_view

ANYTHING = (HandRanges(),) * 4


def believed(hcp: Range = (0, 37), **lengths: Range) -> HandRanges:
    """A belief with some lengths by their suit's name."""
    each = [lengths.get(suit.name.lower(), (0, 13)) for suit in SUITS]
    return HandRanges(hcp, (each[0], each[1], each[2], each[3]))


def weight(view: View, beliefs: Sequence[HandRanges], hands: Hands) -> float:
    """Compute anew what the sampler says that it uses."""
    product = 1.0
    for seat in SEATS:
        if view.held(seat) is not None:
            continue
        belief, dealt = beliefs[seat], hands[seat] | view.played[seat]
        points = outside(hcp(dealt), belief.hcp)
        cards = [outside(dealt.length(suit), belief.lengths[suit]) for suit in SUITS]
        if points > 3 or max(cards) > 2:
            return 0.0
        if view.play and any(hands[seat].length(suit) for suit in view.voids(seat)):
            return 0.0
        product *= 0.25**points * 0.1 ** sum(cards)
    return product


def outside(value: int, believed: Range) -> int:
    low, high = believed
    return low - value if value < low else max(0, value - high)


def layouts(view: View) -> Iterator[Hands]:
    """Yield every way to divide the unseen cards."""
    hidden = [seat for seat in SEATS if view.held(seat) is None]
    known = [view.held(seat) or Hand() for seat in SEATS]

    def shared(seats: list[Seat], cards: Hand, hands: list[Hand]) -> Iterator[Hands]:
        if not seats:
            yield hands[0], hands[1], hands[2], hands[3]
            return
        size = 13 - len(view.played[seats[0]])
        for chosen in combinations(cards, size):
            hand = Hand.of(chosen)
            filled = [*hands]
            filled[seats[0]] = hand
            yield from shared(seats[1:], cards - hand, filled)

    return shared(hidden, view.unseen, known)


def played_on(view: View, seed: int, cards: int) -> View:
    """`view`, of `at_play` with no card played, when so many were played at random."""
    board = Board.dealt(seed, 1)
    rng = Random(seed)
    play = view.play
    assert play is not None
    mirror = Play(play.contract)
    hands = list(board.deal.hands)
    for _ in range(cards):
        seat = mirror.turn
        card = pick(rng, list(mirror.legal_cards(hands[seat])))
        hands[seat] = hands[seat].without(card)
        view.apply(CardPlayed(table="t", board=1, seq=4, seat=seat, card=card))
        mirror.push(card)
        if len(mirror.cards) == 1 and view.seat != mirror.dummy:
            shown = board.deal[mirror.dummy]
            view.apply(DummyShown(table="t", board=1, seq=5, seat=mirror.dummy, hand=shown))
    return view


def in_play(seat: Seat, seed: int, cards: int, contract: str = "1NT") -> View:
    """Return what `seat` knows of a deal in which South declares, after so many random cards."""
    board = Board.dealt(seed, 1)
    view = new_view(seat, board)
    view.play = Play(Contract.parse(contract, Seat.SOUTH))
    return played_on(view, seed, cards)


def check(view: View, hands: Hands) -> None:
    """Check that a layout keeps every rule of the sampler, whatever was believed."""
    union = 0
    for seat in SEATS:
        assert len(hands[seat]) == 13 - len(view.played[seat])
        assert view.held(seat) in (None, hands[seat])
        assert not union & hands[seat].mask
        union |= hands[seat].mask | view.played[seat].mask
        if view.play is not None:
            assert not any(hands[seat].length(suit) for suit in view.voids(seat))
    assert union == (1 << 52) - 1


class TestSmallEndings:
    """Compare with every possible layout."""

    def compare(self, view: View, beliefs: Sequence[HandRanges], draws: int) -> None:
        weights: dict[Hashable, float] = {
            hands: worth for hands in layouts(view) if (worth := weight(view, beliefs, hands))
        }
        made = Sampler(view, beliefs)
        if not weights:
            assert made.degree > Degree.BELIEVED
            return
        counts = Counter[Hashable](made.draw(draws, Random(1)))
        assert made.degree == Degree.BELIEVED
        if len(weights) == 1:
            assert list(counts) == list(weights)
        else:
            assert_drawn_from(counts, weights)

    @pytest.mark.parametrize("seed", range(12))
    @pytest.mark.parametrize("seat", [Seat.EAST, Seat.SOUTH])
    def test_layouts_of_two_hidden_hands_are_as_frequent_as_their_weight(
        self, seat: Seat, seed: int
    ) -> None:
        self.compare(in_play(seat, seed, 34 + seed % 5), near(seed), 4000)

    @pytest.mark.parametrize("seed", range(4))
    @pytest.mark.parametrize("cards", [38, 40, 42])
    def test_layouts_of_three_hidden_hands_are_as_frequent_as_their_weight(
        self, seed: int, cards: int
    ) -> None:
        """Sample as dummy, who sees no other hand."""
        self.compare(in_play(Seat.NORTH, seed, cards), near(seed), 4000)

    @pytest.mark.parametrize("seat", [Seat.EAST, Seat.NORTH])
    def test_all_layouts_are_equally_frequent_where_nothing_is_believed(self, seat: Seat) -> None:
        self.compare(in_play(seat, 7, 40), ANYTHING, 4000)

    def test_layouts_of_the_small_endings_have_many_weights(self) -> None:
        for seat, cards in ((Seat.EAST, 36), (Seat.NORTH, 40)):
            weights = Counter[float]()
            for seed in range(4):
                view = in_play(seat, seed, cards)
                weights.update(weight(view, near(seed), hands) for hands in layouts(view))
            assert len(weights) > 10


def near(seed: int) -> list[HandRanges]:
    """Draw narrow beliefs that are close to the deal of `in_play`, or wrong."""
    rng = Random(seed)

    def around(value: int, top: int) -> Range:
        low = max(0, value - pick(rng, (-1, 0, 0, 1)))
        return low, min(top, low + pick(rng, (0, 1, 2)))

    return [
        HandRanges(
            around(hcp(hand), 37),
            (
                around(hand.lengths[0], 13),
                (0, 13),
                around(hand.lengths[2], 13),
                around(hand.lengths[3], 13),
            ),
        )
        for hand in Board.dealt(seed, 1).deal.hands
    ]


Measure = Callable[[Hands], Hashable]


class TestWholeDeals:
    """Compare with random deals of which those that do not fit are refused."""

    MEASURES: tuple[Measure, ...] = (
        lambda hands: hcp(hands[0]),
        lambda hands: hcp(hands[1]),
        lambda hands: hcp(hands[3]),
        lambda hands: (hands[1].length(Suit.SPADES), hands[3].length(Suit.SPADES)),
        lambda hands: (hands[0].lengths, longest_suit(hands[1])),
        lambda hands: hands[0].suit(Suit.CLUBS),
        lambda hands: (hands[3].holding(Suit.HEARTS) >> 8, hands[1].length(Suit.HEARTS)),
    )

    def compare(self, view: View, beliefs: Sequence[HandRanges], tries: int) -> None:
        rng = Random(3)
        kept: list[Hands] = []
        hidden = [seat for seat in SEATS if view.held(seat) is None]
        known = [view.held(seat) or Hand() for seat in SEATS]
        for _ in range(tries):
            cards = shuffled(rng, view.unseen)
            for seat in hidden:
                size = 13 - len(view.played[seat])
                known[seat], cards = Hand.of(cards[:size]), cards[size:]
            hands = (known[0], known[1], known[2], known[3])
            if rng.random() < weight(view, beliefs, hands):
                kept.append(hands)
        assert len(kept) > 500
        drawn = Sampler(view, beliefs).draw(6000, Random(4))
        for measure in self.MEASURES:
            counts, others = Counter(map(measure, drawn)), Counter(map(measure, kept))
            if len(counts) > 1:  # else it is of a hand that is seen
                assert_alike(counts, others)

    @pytest.mark.slow
    def test_whole_deals_are_as_frequent_as_their_weight_in_the_auction(self) -> None:
        view = hold("AJ32.K54.32.Q432", "1H Pass")
        beliefs = (
            believed((12, 21), hearts=(4, 13)),
            believed((0, 11), spades=(0, 5)),
            HandRanges(),
            believed((4, 11)),
        )
        self.compare(view, beliefs, 20_000)

    @pytest.mark.slow
    def test_whole_deals_follow_their_weight_where_all_hands_promised_much(self) -> None:
        view = hold("AJ32.K54.32.Q432", "1H 2D")
        beliefs = (
            believed((12, 17), hearts=(4, 13)),
            believed((9, 15), diamonds=(5, 13)),
            HandRanges(),
            believed((0, 8), spades=(3, 5)),
        )
        self.compare(view, beliefs, 40_000)

    @pytest.mark.slow
    def test_whole_deals_are_as_frequent_as_their_weight_in_the_play(self) -> None:
        view = in_play(Seat.SOUTH, 5, 7)
        beliefs = (
            HandRanges(),
            believed((8, 15), hearts=(3, 6)),
            HandRanges(),
            believed((3, 9), diamonds=(2, 5)),
        )
        self.compare(view, beliefs, 40_000)


ranges = st.tuples(st.integers(0, 37), st.integers(0, 37)).map(lambda r: (min(r), max(r)))
lengths = st.tuples(st.integers(0, 13), st.integers(0, 13)).map(lambda r: (min(r), max(r)))
any_belief = st.builds(HandRanges, ranges, st.tuples(lengths, lengths, lengths, lengths))


class TestAnyBeliefs:
    @given(
        beliefs=st.tuples(any_belief, any_belief, any_belief, any_belief),
        seat=st.sampled_from(SEATS),
        seed=st.integers(0, 50),
        cards=st.integers(0, 52),
    )
    def test_layouts_are_possible(
        self, beliefs: tuple[HandRanges, ...], seat: Seat, seed: int, cards: int
    ) -> None:
        view = in_play(seat, seed, cards, "1H")
        for hands in Sampler(view, beliefs).draw(5, Random(seed)):
            check(view, hands)

    def test_layouts_are_possible_before_any_call(self) -> None:
        view = new_view(Seat.EAST, Board.dealt(1, 1))
        for hands in Sampler(view, ANYTHING).draw(20, Random(1)):
            check(view, hands)

    def test_a_seat_that_sees_everything_draws_what_it_sees(self) -> None:
        board = Board.dealt(1, 1)
        view = new_view(Seat.EAST, board, cheat=True)
        assert Sampler(view, ANYTHING).draw(2, Random(1)) == [board.deal.hands] * 2

    def test_at_the_end_of_the_play_nothing_is_left_to_draw(self) -> None:
        assert Sampler(in_play(Seat.EAST, 1, 52), ANYTHING).draw(1, Random(1)) == [(Hand(),) * 4]


class TestDraw:
    def test_the_same_generator_draws_the_same_layouts(self) -> None:
        view = hold("AJ32.K54.32.Q432", "1H Pass")
        first, second = (Sampler(view, ANYTHING).draw(5, Random(9)) for _ in range(2))
        assert first == second
        assert len(set(first)) == 5

    def test_the_greatest_random_numbers_draw_possible_layouts(self) -> None:
        class Only(Random):
            def random(self) -> float:
                return 1 - 2**-53

        view = hold("AJ32.K54.32.Q432", "1H Pass")
        for beliefs in (ANYTHING, near(1)):
            for hands in Sampler(view, beliefs).draw(1, Only()):
                check(view, hands)

    def test_a_sampler_stays_at_its_moment(self) -> None:
        view = in_play(Seat.EAST, 3, 0)
        made = Sampler(view, ANYTHING)
        before = made.draw(3, Random(1))
        played_on(view, 3, 20)
        assert made.draw(3, Random(1)) == before

    def test_no_layouts_are_drawn_where_none_are_asked_for(self) -> None:
        assert Sampler(hold("AJ32.K54.32.Q432"), ANYTHING).draw(0, Random(1)) == []


class TestDegree:
    VIEW = hold("AJ32.K54.32.Q432", "1H Pass")  # South's, with 10 HCP

    def degree(self, *beliefs: HandRanges) -> Degree:
        """Return the degree for beliefs of North, East and West."""
        north, east, west = beliefs
        made = Sampler(self.VIEW, (north, east, HandRanges(), west))
        for hands in made.draw(10, Random(1)):
            check(self.VIEW, hands)
        return made.degree

    def test_beliefs_that_can_be_true_are_kept_in_full(self) -> None:
        strong = believed((15, 17), hearts=(5, 6))
        assert self.degree(strong, HandRanges(), HandRanges()) == Degree.BELIEVED

    def test_beliefs_in_more_points_than_there_are_are_stretched_in_points(self) -> None:
        strong = believed((15, 17), hearts=(5, 6))
        assert self.degree(strong, strong, strong) == Degree.POINTS_STRETCHED

    def test_the_nearest_hcp_are_the_most_frequent(self) -> None:
        strong = believed((20, 22))
        drawn = Sampler(self.VIEW, (strong, ANY, ANY, strong)).draw(100, Random(1))
        assert sum(hcp(hands[Seat.EAST]) for hands in drawn) < 300

    def test_beliefs_in_more_cards_than_there_are_are_stretched_in_all(self) -> None:
        long = believed((5, 15), hearts=(8, 9))
        assert self.degree(long, long, HandRanges()) == Degree.ALL_STRETCHED

    def test_hopeless_beliefs_are_given_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """After too many refusals everything that was drawn is drawn again."""
        monkeypatch.setattr(sampler, "PATIENCE", 0)
        strong = believed((15, 17), hearts=(5, 6))
        assert self.degree(strong, believed((2, 3)), believed((2, 3))) == Degree.CARDS_ONLY

    def test_revokes_that_leave_no_layout(self) -> None:
        """Both defenders showed out of spades, and there are six more."""
        deal = Deal.parse("N:Q32.A432.K32.654 J54.QJ7.T76.QJT9 AK6.K65.AQJ5.K32 T987.T98.984.A87")
        view = at_play(deal, "1NT", Seat.SOUTH, "ST S2 CQ SA SK D4 S3 CJ")
        with pytest.raises(ValueError, match="no layout agrees with the cards"):
            Sampler(view, ANYTHING)

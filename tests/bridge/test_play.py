"""The play: turn, legal cards, trick winners, dummy."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import DENOMINATIONS, Contract, Risk
from bridge_arena.bridge.cards import PACK, SUITS, Card, Hand, Suit
from bridge_arena.bridge.errors import IllegalCardError
from bridge_arena.bridge.play import Play, followers, winning_index
from bridge_arena.bridge.seats import SEATS, SIDES, Seat, Side

contracts = st.builds(
    Contract,
    st.integers(1, 7),
    st.sampled_from(DENOMINATIONS),
    st.sampled_from(Risk),
    st.sampled_from(SEATS),
)


def play(contract: str, declarer: Seat, cards: str = "") -> Play:
    play = Play(Contract.parse(contract, declarer))
    for text in cards.split():
        play.push(Card(text))
    return play


def test_the_hand_left_of_declarer_leads() -> None:
    assert [Play(Contract.parse("1NT", seat)).turn for seat in SEATS] == [
        seat.next for seat in SEATS
    ]


def test_declarer_plays_dummys_cards() -> None:
    four_spades = play("4S", Seat.SOUTH)
    seen = []
    for card in "H2 H3 H4 H5".split():
        seen.append(f"{four_spades.turn}{four_spades.player}")
        four_spades.push(Card(card))
    assert four_spades.dummy is Seat.NORTH
    assert seen == ["WW", "NS", "EE", "SS"]


@pytest.mark.parametrize(
    ("cards", "trump", "winner"),
    [
        ("H2 H9 HT H3", None, 2),  # the highest of the suit led
        ("H2 SA DA CA", None, 0),  # discards win nothing
        ("H2 SA DA CA", Suit.SPADES, 1),  # a trump wins
        ("HA S2 S9 S3", Suit.SPADES, 2),  # the highest trump of three
        ("S5 HA S6 DA", Suit.SPADES, 2),  # trumps led
        ("HA HK S2 HQ", Suit.SPADES, 2),
        ("D3 D2", Suit.CLUBS, 0),  # a trick in progress
        ("D3", Suit.CLUBS, 0),
    ],
)
def test_the_highest_trump_or_card_of_the_suit_led_wins_a_trick(
    cards: str, trump: Suit | None, winner: int
) -> None:
    assert winning_index([Card(text) for text in cards.split()], trump) == winner


def test_the_winner_leads_the_next_trick() -> None:
    notrump = play("3NT", Seat.NORTH, "H2 HK HA H3")
    assert notrump.turn is Seat.WEST
    assert notrump.led is None
    assert notrump.trick == []
    trick = notrump.tricks[0]
    assert (trick.leader, trick.winner) == (Seat.EAST, Seat.WEST)
    assert trick.card_of(Seat.NORTH) == Card("H3")
    assert (notrump.declarer_tricks, notrump.won[Side.EW]) == (0, 1)


def test_push_tells_of_the_card_that_completes_a_trick() -> None:
    notrump = play("3NT", Seat.NORTH, "H2 HK HA")
    assert notrump.led is Suit.HEARTS
    assert notrump.push(Card("H3")) is notrump.tricks[0]
    assert notrump.push(Card("D3")) is None


def test_any_card_may_be_led() -> None:
    hand = Hand.parse("A2.K..4")
    assert followers(hand, None) == hand
    assert play("1NT", Seat.WEST).legal_cards(hand) == hand


def test_suit_must_be_followed() -> None:
    hand = Hand.parse("A2.K..4")
    led = play("1NT", Seat.WEST, "S3")
    assert str(led.legal_cards(hand)) == "A2..."
    led.check(Card("S2"), hand)
    with pytest.raises(IllegalCardError, match=r"HK is illegal: E can follow suit to S3 \(Law 44C"):
        led.check(Card("HK"), hand)


def test_a_hand_void_in_the_suit_led_may_play_anything() -> None:
    hand = Hand.parse("A2.K..4")
    led = play("1H", Seat.WEST, "D3")
    assert led.legal_cards(hand) == hand


def test_only_a_held_card_may_be_played() -> None:
    with pytest.raises(IllegalCardError, match="SK is illegal: N does not hold it"):
        play("1NT", Seat.WEST).check(Card("SK"), Hand.parse("A2.K..4"))


def test_no_card_may_be_played_after_the_last() -> None:
    over = play("1NT", Seat.WEST, " ".join(map(str, PACK)))
    assert over.is_over
    with pytest.raises(IllegalCardError, match="the play is over"):
        over.check(Card("SK"), PACK)


@given(contracts, st.integers(), st.randoms(use_true_random=False))
def test_a_play_of_13_tricks_keeps_to_the_legal_cards(
    contract: Contract, seed: int, random: Random
) -> None:
    hands = list(random_deal(seed, 1).hands)
    play = Play(contract)
    while not play.is_over:
        hand = hands[play.turn]
        legal = play.legal_cards(hand)
        assert legal
        assert legal == (hand.suit(play.led) if play.led is not None else hand) or not (
            play.led is None or hand.length(play.led)
        )
        for card in hand - legal:
            with pytest.raises(IllegalCardError):
                play.check(card, hand)
        card = random.choice(list(legal))
        play.check(card, hand)
        hands[play.turn] = hand.without(card)
        play.push(card)
    assert len(play.tricks) == sum(play.won) == 13
    winners = [trick.winner.side for trick in play.tricks]
    assert play.won == [winners.count(side) for side in SIDES]
    assert Hand.of(play.cards) == PACK
    assert [trick.leader for trick in play.tricks[1:]] == [
        trick.winner for trick in play.tricks[:-1]
    ]


@given(contracts, st.permutations(list(PACK)), st.integers(0, 52), st.integers(0, 52))
def test_cards_at_once_are_played_as_one_by_one(
    contract: Contract, pack: list[Card], first: int, second: int
) -> None:
    cards = pack[: first + second]
    at_once, one_by_one = Play(contract), Play(contract)
    at_once.push_all(cards[:first])
    at_once.push_all(cards[first:])
    seats, players = [], []
    for card in cards:
        seats.append(one_by_one.turn)
        players.append(one_by_one.player)
        one_by_one.push(card)
    assert (at_once.seats, at_once.players) == (seats, players)
    for part in ("cards", "trick", "leader", "won", "tricks"):
        assert getattr(at_once, part) == getattr(one_by_one, part)


@given(st.permutations(list(PACK)), st.sampled_from([None, *SUITS]))
def test_the_winner_beats_every_other_card(pack: list[Card], trump: Suit | None) -> None:
    trick = pack[:4]
    strength = [(card.suit == trump, card.suit == trick[0].suit, card.rank) for card in trick]
    assert strength[winning_index(trick, trump)] == max(strength)


@st.composite
def _rows(draw: st.DrawFn) -> tuple[Contract, list[Card], Seat, list[int]]:
    """Whole tricks, all legal, as rows in columns from a seat on; and the four hands."""
    contract = draw(contracts)
    random = Random(draw(st.integers(0, 1 << 32)))
    first = draw(st.sampled_from(SEATS))
    hands = [hand.mask for hand in random_deal(random.randrange(1000), 1).hands]
    left, cards, play = hands[:], [], Play(contract)
    for _ in range(draw(st.integers(0, 13))):
        row = {}
        for _ in range(4):
            seat = play.turn
            row[seat] = random.choice(list(play.legal_cards(Hand(left[seat]))))
            play.push(row[seat])
            left[seat] ^= 1 << row[seat]
        cards += [row[SEATS[(first + column) & 3]] for column in range(4)]
    return contract, cards, first, hands


def _one_by_one(contract: Contract, cards: list[Card], first: Seat, hands: list[int]) -> Play:
    play = Play(contract)
    for start in range(0, len(cards), 4):
        for _ in range(4):
            seat = play.turn
            card = cards[start + (seat - first) % 4]
            play.check(card, Hand(hands[seat]))
            play.push(card)
            hands[seat] ^= 1 << card
    return play


@given(_rows(), st.tuples(st.integers(0, 51), st.integers(0, 51)))
def test_rows_at_once_are_judged_as_card_by_card(
    rows: tuple[Contract, list[Card], Seat, list[int]], swap: tuple[int, int]
) -> None:
    contract, cards, first, dealt = rows
    if max(swap) < len(cards):
        # Most exchanges are illegal: a card not held, a revoke, or one that makes a later revoke.
        one, other = swap
        cards[one], cards[other] = cards[other], cards[one]
    play, hands, left = Play(contract), dealt[:], dealt[:]
    try:
        judged = _one_by_one(contract, cards, first, left)
    except IllegalCardError:
        assert not play.push_rows(cards, first, hands)
        assert (play.cards, play.tricks, play.won, hands) == ([], [], [0, 0], dealt)
        return
    assert play.push_rows(cards, first, hands)
    assert hands == left
    assert play.cards == judged.cards
    assert play.tricks == judged.tricks
    assert (play.leader, play.won) == (judged.leader, judged.won)


def test_a_revoke_within_rows_is_refused() -> None:
    hands = [Hand.of(map(Card, text.split())).mask for text in ("SA S2", "SK S3", "SQ S4", "SJ HA")]
    notrump = Contract.parse("1NT", Seat.WEST)
    revoke = [Card(text) for text in "SA SK SQ HA".split()]
    assert not Play(notrump).push_rows(revoke, Seat.NORTH, hands)
    followed = [Card(text) for text in "SA SK SQ SJ S2 S3 S4 HA".split()]
    play = Play(notrump)
    assert play.push_rows(followed, Seat.NORTH, hands)
    assert [trick.winner for trick in play.tricks] == [Seat.NORTH, Seat.SOUTH]
    assert hands == [0, 0, 0, 0]

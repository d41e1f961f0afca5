"""Secrecy: no seat is sent, or can work out from what it is sent, a card it may not see.

Everything here goes through the real table, the one function of visibility, and the
encoder: what is compared is the bytes that would leave the server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import msgpack
import pytest
from hypothesis import event as note
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bots.library.portable_random import pick
from bridge_arena.bridge.board import Board, random_deal
from bridge_arena.bridge.calls import CALL_TEXTS, Call
from bridge_arena.bridge.cards import CARD_TEXTS, SUITS, Card, Deal, Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.codec import encode
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import (
    BoardStart,
    CallMade,
    ClaimSettled,
    Error,
    ExplanationGiven,
    YourTurn,
)
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Event, Viewer, visible
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.table import Table
from tests.server.tables import (
    DEAL,
    EAST,
    NORTH,
    SOUTH,
    WEST,
    RecordingTable,
    answer,
    garbage,
    happenings,
    kinds,
    new_table,
    random_move,
    reply,
    say,
    say_all,
    seen_by,
    silence,
    snapshot_of,
    table_at_play,
    turn_of,
)

# A board as a list of moves, so that it can be played again with other cards.

SEEDS = st.integers(0, 2**32)

Move = str | MadeCall
"""A call, a card, or one of the mishaps."""

MALFORMED = "(a malformed frame)"
ILLEGAL = "(an action of the wrong phase)"
TIMEOUT = "(silence)"


@dataclass(frozen=True)
class Game:
    """A board and what was done at it; nothing in `moves` depends on how it is dealt."""

    board: Board
    seeds: tuple[int, int, int, int]
    moves: list[Move]

    def start(self) -> tuple[RecordingTable, list[Event]]:
        control = TimeControl.parse("60 board=900 match=3600+1")
        table = RecordingTable("A1", self.board, self.seeds, control, claims=Claims.PLAYERS)
        return table, table.start(0.0)

    def events(self) -> list[Event]:
        table, events = self.start()
        for number, move in enumerate(self.moves):
            events += do(table, move, float(number))
        return events


def do(table: Table, move: Move, now: float) -> list[Event]:
    if move == MALFORMED:
        return garbage(table, "garbage", now)
    if move == TIMEOUT:
        return silence(table, now)
    if move == ILLEGAL:
        return say(table, "SA" if table.play is None else "Pass", now)
    return say(table, move, now)


def random_game(rng: Random) -> Game:
    """A random board, played at random to a random point, mishaps included."""
    number = 1 + int(rng.random() * 16)
    board = Board.standard(number, random_deal(int(rng.random() * 2**40), number))
    seeds = tuple(2**52 + int(rng.random() * 2**52) for _ in SEATS)
    assert len(seeds) == 4
    game = Game(board, seeds, [])
    table, _ = game.start()
    length = int(rng.random() * 80)
    clean = True
    while table.turn is not None and len(game.moves) < length:
        move = random_move(rng, table)
        # One mishap a turn at most: a second would be answered with a substitute, whose
        # card depends on the hand. So would silence in the play.
        if clean and rng.random() < 0.05:
            silent = table.play is None or turn_of(table).claim
            move = pick(rng, [MALFORMED, ILLEGAL] + [TIMEOUT] * silent)
        elif clean and rng.random() < 0.05 and (asked := opponents_call(rng, table)) is not None:
            move = f"explain={asked}"
        clean = move not in (MALFORMED, ILLEGAL)
        do(table, move, float(len(game.moves)))
        game.moves.append(move)
    return game


def opponents_call(rng: Random, table: Table) -> int | None:
    """The place in the auction of a call that the seat in turn may ask about."""
    partner = turn_of(table).player.partner
    calls = range(len(table.calls))
    places = [n for n in calls if (table.board.dealer + n - partner) % 2 == 1]
    return pick(rng, places) if places else None


def stream(events: list[Event], viewer: Viewer) -> list[bytes]:
    """Return what would be sent to a viewer."""
    shown = (visible(event, viewer) for event in events)
    return [outgoing.encoded for outgoing in shown if outgoing is not None]


# What is in a message: every card that any text in it names.

_CARD = re.compile("|".join(CARD_TEXTS))
_HAND = re.compile("[2-9TJQKA]*(?:[.][2-9TJQKA]*){3}")


def texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner)


def numbers_in(value: object) -> Iterator[float]:
    if isinstance(value, (int, float)):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from numbers_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from numbers_in(inner)


def cards_in(message: bytes) -> Hand:
    cards = Hand()
    for text in texts_in(msgpack.unpackb(message)):
        if text in CALL_TEXTS:
            continue
        cards |= Hand.of(Card(found) for found in _CARD.findall(text))
        for found in _HAND.findall(text):
            cards |= Hand.parse(found)
    return cards


def test_the_search_for_cards_finds_them() -> None:
    table = new_table()
    start = stream(table.start(0.0), Viewer(SOUTH))[0]
    assert cards_in(start) == DEAL[SOUTH]
    cheat = stream(new_table().start(0.0), Viewer(SOUTH, cheat=True))[0]
    assert len(cards_in(cheat)) == 52
    (illegal, *_) = stream(say(table, "SA"), Viewer(NORTH))
    assert cards_in(illegal) == Hand.of([Card("SA")])


# (a) Nothing is sent too soon.


@given(SEEDS, st.sampled_from(SEATS))
def test_no_seat_is_sent_a_card_before_it_may_see_it(seed: int, seat: Seat) -> None:
    rng = Random(seed)
    game = random_game(rng)
    table, events = game.start()
    own = table.board.deal[seat]
    for number, move in enumerate([*game.moves, None]):
        allowed = own
        if table.play is not None and table.play.cards:
            allowed |= Hand.of(table.play.cards) | table.board.deal[table.play.dummy]
            if "ClaimMade" in kinds(table.events).split():
                allowed |= table.board.deal[table.play.declarer]
        for message in stream(events, Viewer(seat)):
            # A refusal repeats the card that the seat itself wrongly named.
            if msgpack.unpackb(message)["type"] != "Error":
                assert cards_in(message) - allowed == Hand()
        if move is not None:
            events = do(table, move, float(number))


@given(SEEDS, st.sampled_from(SEATS))
def test_no_seat_is_sent_partners_explanations_or_anothers_seed(seed: int, seat: Seat) -> None:
    rng = Random(seed)
    game = random_game(rng)
    sent = stream(game.events(), Viewer(seat))
    calls = [m for m in map(msgpack.unpackb, sent) if m["type"] == "CallMade"]
    said = [move for move in game.moves if isinstance(move, MadeCall)]
    for message in calls:
        if message["seat"] == str(seat.partner):
            assert not message["alert"]
            assert "explanation" not in message
    # Others' explanations are complete: what is missing was partner's.
    told = {message["explanation"]["text"] for message in calls if "explanation" in message}
    meant = {move.explanation.text for move in said if move.explanation is not None}
    assert told == {text for text in meant if f"what {seat.partner} means" not in text}
    everything = b"".join(sent)
    assert f"what {seat.partner} means".encode() not in everything
    seeds = {number for message in sent for number in numbers_in(msgpack.unpackb(message))}
    assert seeds & set(game.seeds) == {game.seeds[seat]}


@given(SEEDS, st.sampled_from(SEATS))
def test_no_seat_is_sent_the_turns_errors_and_questions_of_others(seed: int, seat: Seat) -> None:
    rng = Random(seed)
    for message in seen_by(seat, random_game(rng).events()):
        if isinstance(message, YourTurn):
            assert message.player == seat
        if isinstance(message, Error | ExplanationGiven):
            assert message.seat == seat


def test_random_games_have_claims_and_questions() -> None:
    """So that what is said of them here is not said of nothing."""
    told = [event for seed in range(60) for event in random_game(Random(seed)).events()]
    found = kinds(told).split()
    assert found.count("ClaimMade") > 20
    assert found.count("ClaimSettled") > 15
    assert found.count("ExplanationGiven") > 20
    assert {each.accepted for each in happenings(told) if isinstance(each, ClaimSettled)} == {
        True,
        False,
    }


@given(SEEDS, st.sampled_from(SEATS))
def test_a_snapshot_tells_no_more_than_was_told(seed: int, seat: Seat) -> None:
    game = random_game(Random(seed))
    table, events = game.start()
    for number, move in enumerate(game.moves):
        events += do(table, move, float(number))
    assert table.events == events
    shown = snapshot_of(table, seat)
    heard = stream(events, Viewer(seat))
    assert set(map(encode, shown.events)) <= set(heard)


# (b) Nothing that is sent depends on what is hidden.


def dealt_again(rng: Random, game: Game, seat: Seat) -> Deal:
    """Another deal with which the same could have been done, and which `seat` cannot
    tell from the true one: cards that are neither played nor seen change hands, as far as
    no one gets a suit that they have shown out of."""
    events = game.events()
    start, *rest = seen_by(seat, events)
    assert isinstance(start, BoardStart)
    view = View(seat, start)
    for message in rest:
        view.apply(message)
    hidden = [other for other in SEATS if view.held(other) is None]
    if not hidden:  # a claim has shown a defender everything
        return game.board.deal
    voids = {
        other: set() if view.play is None else {SUITS[suit] for suit in view.voids(other)}
        for other in hidden
    }
    hands = list(game.board.deal.hands)
    for _ in range(80):
        one, other = pick(rng, hidden), pick(rng, hidden)
        given_up = pick(rng, [*(hands[one] & view.unseen), None])
        taken = pick(rng, [*(hands[other] & view.unseen), None])
        if one == other or given_up is None or taken is None:
            continue
        if taken.suit not in voids[one] and given_up.suit not in voids[other]:
            hands[one] = hands[one].without(given_up) | Hand.of([taken])
            hands[other] = hands[other].without(taken) | Hand.of([given_up])
    north, east, south, west = hands
    return Deal((north, east, south, west))


def changed_meaning(move: Move) -> Move:
    """The same call with other alerts and explanations."""
    if isinstance(move, MadeCall):
        return MadeCall(move.call, not move.alert, Explanation("quite another thing"))
    return move


@settings(max_examples=200)
@given(SEEDS, st.sampled_from(SEATS))
def test_what_a_seat_is_sent_does_not_depend_on_the_hidden_cards(seed: int, seat: Seat) -> None:
    rng = Random(seed)
    game = random_game(rng)
    other = Board.standard(game.board.number, dealt_again(rng, game, seat))
    note(f"the deal is another: {other.deal != game.board.deal}")
    # Whose seeds and explanations it may not know changes with the cards.
    seeds = tuple(seed + (of != seat) for of, seed in zip(SEATS, game.seeds, strict=True))
    assert len(seeds) == 4
    table, events = Game(other, seeds, []).start()
    for number, move in enumerate(game.moves):
        by_partner = turn_of(table).player == seat.partner
        events += do(table, changed_meaning(move) if by_partner else move, float(number))
    assert stream(events, Viewer(seat)) == stream(game.events(), Viewer(seat))


def test_dealing_again_changes_the_deal_where_it_can() -> None:
    changes = 0
    for seed in range(40):
        rng = Random(seed)
        game = random_game(rng)
        for seat in SEATS:
            deal = dealt_again(rng, game, seat)
            assert deal[seat] == game.board.deal[seat]
            changes += deal != game.board.deal
    assert changes > 100  # of 160; where the board is over or claimed, nothing is hidden


def test_the_comparison_would_notice_a_leak() -> None:
    """The cheat's stream does depend on the hidden cards."""
    rng = Random(1)
    game = random_game(rng)
    other = Game(
        Board.standard(game.board.number, dealt_again(rng, game, NORTH)), game.seeds, game.moves
    )
    assert stream(other.events(), Viewer(NORTH)) == stream(game.events(), Viewer(NORTH))
    cheat = Viewer(NORTH, cheat=True)
    assert stream(other.events(), cheat) != stream(game.events(), cheat)


# Case by case.


@pytest.mark.parametrize("seat", SEATS)
def test_a_cheat_is_shown_the_deal_and_others_are_not(seat: Seat) -> None:
    events = new_table().start(0.0)
    (fair, *_) = seen_by(seat, events)
    (cheat, *_) = seen_by(seat, events, cheat=True)
    assert isinstance(fair, BoardStart)
    assert isinstance(cheat, BoardStart)
    assert fair.deal is None
    assert cheat.deal == DEAL
    assert cheat.hand == fair.hand == DEAL[seat]


def test_dummy_is_faced_after_the_opening_lead_and_not_before() -> None:
    table = new_table()
    before = [*table.start(0.0), *say_all(table, "1NT Pass Pass Pass")]
    assert "DummyShown" not in kinds(before)
    after = say(table, "SA")
    assert kinds(after) == "CardPlayed DummyShown YourTurn"
    for seat in SEATS:
        assert "CardPlayed DummyShown" in kinds(seen_by(seat, after))


@pytest.mark.parametrize(
    ("viewer", "told"), [(NORTH, True), (EAST, True), (SOUTH, False), (WEST, True)]
)
def test_an_explanation_is_kept_from_the_callers_partner(viewer: Seat, told: bool) -> None:  # noqa: FBT001
    table = new_table()
    table.start(0.0)
    strong = MadeCall(Call("1C"), alert=True, explanation=Explanation("strong", hcp=(16, 37)))
    (call, *_) = seen_by(viewer, say(table, strong))
    assert isinstance(call, CallMade)
    assert str(call.call) == "1C"
    assert call.alert is told
    assert call.explanation == (strong.explanation if told else None)


def test_an_alert_without_an_explanation_is_kept_from_partner() -> None:
    table = new_table()
    table.start(0.0)
    events = say(table, MadeCall(Call("1C"), alert=True))
    assert [m.alert for seat in (SOUTH, WEST) for m in seen_by(seat, events)[:1]] == [  # type: ignore[attr-defined]
        False,
        True,
    ]


def test_an_error_reaches_only_who_made_it() -> None:
    error = Error(code=ErrorCode.STALE, text="late", seat=EAST)
    event = Event(error, (1, 2, 3, 4, 5))
    assert [seen_by(seat, [event]) for seat in SEATS] == [[], [error], [], []]
    nobodys = Event(Error(code=ErrorCode.STALE, text="late"), (1, 2, 3, 4, 5))
    assert [seen_by(seat, [nobodys]) for seat in SEATS] == [[]] * 4


def test_declarers_hand_is_faced_by_a_claim_and_not_before() -> None:
    table = table_at_play(claims=Claims.PLAYERS)
    before = say_all(table, "DK DT D2")
    assert all(DEAL[WEST] - cards_in(message) for message in stream(before, Viewer(NORTH)))
    after = say(table, "claim=9")
    for seat in SEATS:
        (claim, *_) = stream(after, Viewer(seat))
        assert cards_in(claim) == DEAL[WEST]


def test_each_defender_is_asked_about_a_claim_and_hears_no_answer_before_its_own() -> None:
    table = table_at_play(claims=Claims.PLAYERS)
    say_all(table, "DK DT D2")
    asked = say(table, "claim=9")
    told = [kinds(seen_by(seat, asked)) for seat in SEATS]
    assert told == ["ClaimMade YourTurn", "ClaimMade", "ClaimMade YourTurn", "ClaimMade"]
    assert reply(table, SOUTH, "refuse") == []
    assert kinds(reply(table, NORTH, "accept")) == "ClaimSettled YourTurn"


def test_what_was_asked_is_nobody_elses_business() -> None:
    table = new_table()
    table.start(0.0)
    say(table, MadeCall(Call("1C"), explanation=Explanation("strong")))
    events = say(table, "explain=0")
    assert [kinds(seen_by(seat, events)) for seat in SEATS] == [
        "",
        "ExplanationGiven YourTurn",
        "",
        "",
    ]


def test_a_stale_answer_is_nobody_elses_business() -> None:
    table = new_table()
    table.start(0.0)
    turn = turn_of(table)
    say(table, "Pass")
    events = table.act(WEST, answer(turn, "1C"), 0.0)
    assert [kinds(seen_by(seat, events)) for seat in SEATS] == ["", "", "", "Error"]

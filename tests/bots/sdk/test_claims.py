"""How bots answer claims: what the rule of thumb accepts is right, and what they do after."""

from __future__ import annotations

import runpy
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.portable_random import pick, shuffled
from bridge_arena.bots.registry import SHIPPED, parse
from bridge_arena.bots.sdk.claims import surely_takes
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import PACK, Card, Deal, Hand
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import best_tricks
from bridge_arena.protocol.decision import Ask
from bridge_arena.protocol.messages import BoardEvent, BoardStart, ClaimSettled
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.claims import Claims
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer
from tests.data import DOCS
from tests.server.tables import (
    DEAL,
    Lowly,
    RecordingTable,
    in_no_time,
    new_table,
    say,
    say_all,
    seen_by,
    turn_of,
)

NORTH, EAST, SOUTH, WEST = SEATS


def view_of(table: RecordingTable, seat: Seat) -> View:
    start, *rest = seen_by(seat, table.events)
    assert isinstance(start, BoardStart)
    view = View(seat, start)
    for message in rest:
        if isinstance(message, BoardEvent):
            view.apply(message)
    return view


def ending(hands: str, contract: str, *, leader: Seat = SOUTH, tricks: int = 0) -> View:
    """Return what West sees when South, declarer, claims so many tricks with these hands left, the
    lead being `leader`'s: made of the cards that are left and a play that leads there."""
    left = [Hand.parse(hand) for hand in hands.split()]
    table = table_of(left, contract, leader)
    assert table.play is not None
    assert len(table.play.tricks) == 13 - len(left[0])
    say(table, f"claim={tricks}")
    return view_of(table, WEST)


def table_of(left: list[Hand], contract: str, leader: Seat) -> RecordingTable:
    """A table that has come down to these hands. What was played before is dealt so that
    in each trick all follow suit, as far as suits go round, or discard."""
    for seed in range(2000):
        table = attempt(left, contract, leader, Random(seed))
        if table is not None:
            return table
    raise AssertionError(f"no play found that leaves {' '.join(map(str, left))}")


def attempt(left: list[Hand], contract: str, leader: Seat, rng: Random) -> RecordingTable | None:
    gone = PACK
    for hand in left:
        gone -= hand
    cards = shuffled(rng, gone)
    size = 13 - len(left[0])
    dealt = [left[seat] | Hand.of(cards[size * seat : size * (seat + 1)]) for seat in SEATS]
    deal = Deal((dealt[0], dealt[1], dealt[2], dealt[3]))
    table = new_table(deal, number=3, claims=Claims.PLAYERS)  # South deals
    table.start(0.0)
    say_all(table, f"{contract} Pass Pass Pass")
    while table.play is not None and len(table.play.tricks) < size:
        keep = left[turn_of(table).seat]
        legal = [text for text in turn_of(table).legal if Card(text) not in keep]
        if not legal:
            return None
        say(table, pick(rng, legal))
    assert table.play is not None
    return table if table.play.turn == leader else None


# The rule of thumb.


@pytest.mark.parametrize(
    ("hands", "contract", "tricks", "why"),
    [
        ("432... ...432 AKQ... .432..", "3NT", 3, "three top tricks"),
        ("432... ...432 AKQ... .432..", "3NT", 2, "fewer than there are"),
        ("5..2. Q..3. A..K. 9..4.", "3NT", 2, "one in each of two suits"),
        ("43..2. .32.3. A2..K. QJ.4..", "3NT", 0, "none at all"),
        ("...432 3..54. AK2... QJ4...", "3NT", 2, "the third is the queen's"),
        ("...5432 .32.32. AKQ2... J43..4.", "3NT", 4, "the last of the suit is a winner"),
        ("432... ...432 A.K.Q. ...765", "4H", 3, "no trump is out"),
        (".2.2.5 ...432 .A.K.Q .3.4.J", "4H", 3, "one trump draws the last"),
    ],
)
def test_tricks_off_the_top_are_accepted(hands: str, contract: str, tricks: int, why: str) -> None:
    view = ending(hands, contract, tricks=tricks)
    assert surely_takes(view, tricks), why


@pytest.mark.parametrize(
    ("hands", "contract", "tricks", "why"),
    [
        ("654... ...432 AQJ... K32...", "3NT", 3, "the king beats the queen"),
        ("...432 3..54. AK2... QJ4...", "3NT", 3, "there are only two"),
        (".5.2.6 ...432 .A.K.Q .32.4.", "4H", 3, "a trump stays out"),
        ("A... ...2 K... 2...", "3NT", 1, "the ace is dummy's, though it wins: not seen"),
    ],
)
def test_a_claim_of_tricks_that_are_not_certain_is_refused(
    hands: str, contract: str, tricks: int, why: str
) -> None:
    view = ending(hands, contract, tricks=tricks)
    assert not surely_takes(view, tricks), why


def test_in_the_middle_of_a_trick_no_trick_is_certain() -> None:
    table = new_table(claims=Claims.PLAYERS)
    table.start(0.0)
    say_all(table, "Pass Pass Pass 1NT Pass Pass Pass DK")
    say(table, "claim=1")
    view = view_of(table, NORTH)
    assert not surely_takes(view, 1)
    assert surely_takes(view, 0)


def random_claim(seed: int) -> tuple[View, int] | None:
    """A claim at random late in a random play of a random deal, as a defender sees it, and
    what it is worth double dummy; None where declarer is not in turn."""
    rng = Random(seed)
    number = 1 + seed % 4
    deal = Board.dealt(seed, number).deal
    table = new_table(deal, number=number, claims=Claims.PLAYERS)
    table.start(0.0)
    say_all(table, f"{pick(rng, ['1NT', '1C', '1S'])} Pass Pass Pass")
    until = 4 * int(5 + rng.random() * 8)
    while table.play is not None and len(table.play.cards) < until:
        say(table, pick(rng, turn_of(table).legal))
    play = table.play
    assert play is not None
    if play.player != play.declarer:
        return None
    say(table, "claim=0")
    position = Position.of(play, deal.hands)
    return view_of(table, play.declarer.next), best_tricks(position)


@given(st.integers(0, 2**32))
def test_what_is_accepted_can_be_made(seed: int) -> None:
    made = random_claim(seed)
    if made is not None:
        view, worth = made
        sure = [tricks for tricks in range(14) if surely_takes(view, tricks)]
        assert sure == list(range(len(sure)))
        assert max(sure) <= worth


def test_the_rule_sees_a_good_part_of_what_can_be_made() -> None:
    seen = there = 0
    for seed in range(300):
        made = random_claim(seed)
        if made is not None:
            view, worth = made
            there += worth
            seen += max(tricks for tricks in range(14) if surely_takes(view, tricks))
    assert there > 200
    assert seen > there / 4


# Bots.


class Claiming(Lowly):
    """West declares 4H and claims `tricks`, if that many are left, once in each trick; at
    first from the trick `start` on."""

    def __init__(self, tricks: int, start: int = 0) -> None:
        calls = "Pass Pass Pass 1NT Pass 2D Pass 2H Pass 4H".split()
        super().__init__(dict(enumerate(calls)))
        self.tricks = tricks
        self.start = start

    def claim(self, view: View) -> int | None:
        done = len(view.playing.tricks)
        return self.tricks if self.start <= done <= 13 - self.tricks else None


class Passing(Bot):
    """A shipped bot that passes throughout, so that the contract is what it is meant to be."""

    def __init__(self, bot: Bot) -> None:
        super().__init__()
        self.bot = bot
        self.answers: list[bool] = []

    def call(self, view: View) -> MadeCall:
        del view
        return MadeCall(Call("Pass"))

    def play(self, view: View) -> Card:
        card = self.bot.play(view)
        assert isinstance(card, Card)
        return card

    def answer_claim(self, view: View) -> bool:
        self.answers.append(self.bot.answer_claim(view))
        return self.answers[-1]


def defended(spec: str, tricks: int, start: int = 0) -> tuple[RecordingTable, dict[Seat, Passing]]:
    shipped, make = parse(spec)
    bots = {seat: Passing(make()) for seat in (NORTH, SOUTH)}
    players = {
        seat: LocalPlayer(Viewer(seat, cheat=shipped.cheat), bots[seat])
        if seat in bots
        else LocalPlayer(Viewer(seat), Claiming(tricks, start))
        for seat in SEATS
    }
    table = new_table(DEAL, claims=Claims.PLAYERS)
    in_no_time(play_board(table, players))
    return table, bots


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "champion" else ())
        for name, bot in SHIPPED.items()
        if not bot.network
    ],
)
def test_every_bot_answers_claims_and_plays_on_with_what_they_show(name: str) -> None:
    options = {
        "montecarlo": ":worlds=2",
        "alphamu": ":worlds=2",
        "champion": ":budget=0,worlds=2",
    }
    table, bots = defended(name + options.get(name, ""), 13 - 2, start=2)
    assert table.faults == []
    record = table.record(("n", "e", "s", "w"))
    assert record.is_finished
    assert len(record.cards) == 52
    assert [len(bot.answers) for bot in bots.values()] == [1, 1]


@pytest.mark.parametrize(
    "spec",
    [
        *("montecarlo:worlds=2", "alphamu:worlds=2", "oracle"),
        pytest.param("champion:budget=0,worlds=2", marks=pytest.mark.slow),
    ],
)
def test_a_bot_that_solves_accepts_what_can_be_made(spec: str) -> None:
    table, bots = defended(spec, 9)
    assert [bot.answers for bot in bots.values()] == [[True], [True]]
    assert (table.tricks, table.faults) == (9, [])
    refused = defended(spec, 13)[1]
    assert [bot.answers for bot in refused.values()] == [[False], [False]]


def test_a_bot_that_does_not_solve_refuses_what_is_not_plain() -> None:
    _, bots = defended("baseline", 9)
    assert not any(answer for bot in bots.values() for answer in bot.answers)


def test_no_bot_claims_unless_it_is_told_to() -> None:
    table = new_table(claims=Claims.PLAYERS)
    table.start(0.0)
    say_all(table, "Pass Pass Pass 1NT Pass Pass Pass DK")
    view = view_of(table, WEST)
    for name in SHIPPED:
        assert parse(name)[1]().claim(view) is None


# The documentation's example.

CLAIMING_BOT = DOCS / "examples" / "claiming_bot.py"


@pytest.fixture
def claiming_bot(monkeypatch: pytest.MonkeyPatch) -> Bot:
    """The example; it would run when it is loaded."""
    monkeypatch.setattr("bridge_arena.run", lambda _: None)
    made: Bot = runpy.run_path(str(CLAIMING_BOT))["ClaimingBot"]()
    return made


@pytest.mark.parametrize(
    ("hands", "contract", "tricks"),
    [
        ("432... ...432 AKQ... .432..", "3NT", 3),
        ("432... ...432 AKJ... .432..", "3NT", 3),  # the queen is gone
        ("432... ...432 AQJ... K65...", "3NT", None),
        ("A... ...2 K... 2...", "3NT", None),  # dummy would be on lead
        (".5.2.6 ...432 .A.K.Q .32.4.", "4H", None),
        ("...5 ...4 ..K. ..3.", "4H", 1),
    ],
)
def test_the_example_claims_when_its_hand_is_high(
    claiming_bot: Bot, hands: str, contract: str, tricks: int | None
) -> None:
    left = [Hand.parse(hand) for hand in hands.split()]
    view = view_of(table_of(left, contract, SOUTH), SOUTH)
    assert claiming_bot.claim(view) == tricks
    if tricks is not None:
        assert best_tricks(Position.of(view.playing, left)) >= tricks


def test_the_example_asks_what_an_alert_means(claiming_bot: Bot) -> None:
    table = new_table()
    table.start(0.0)
    say(table, MadeCall(Call("1C"), alert=True))
    assert claiming_bot.call(view_of(table, EAST)) == Ask(0)
    say(table, "explain=0")
    assert isinstance(claiming_bot.call(view_of(table, EAST)), Call | MadeCall)


def test_four_examples_play_boards_that_end_in_claims(claiming_bot: Bot) -> None:
    claimed = 0
    for number in range(1, 41):
        board = Board.dealt(7, number)
        table = new_table(board.deal, number=number, claims=Claims.PLAYERS)
        players = {seat: LocalPlayer(Viewer(seat), type(claiming_bot)()) for seat in SEATS}
        in_no_time(play_board(table, players))
        assert table.faults == []
        happened = [event.happening for event in table.events]
        claimed += any(isinstance(each, ClaimSettled) and each.accepted for each in happened)
    assert claimed >= 3

"""The bot that asks a robot: what it tells and believes, and what it does when things go wrong."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from bridge_arena.bots.http_robot.bot import HttpRobotBot
from bridge_arena.bots.http_robot.client import MOST_BYTES, RobotClient
from bridge_arena.bots.http_robot.robot import Robot
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.decision import NoActionError
from bridge_arena.protocol.http_robot.position import Position
from bridge_arena.protocol.messages import YourTurn
from bridge_arena.protocol.view import View
from tests.bots.http_robot import stand_in as misdeed
from tests.bots.http_robot.stand_in import Misdeed, StandIn, Steady
from tests.protocol.http_robot.positions import random_turn

KEY = "sk-0123456789abcdef"

MUCH = 60.0
"""More seconds than any of these turns takes."""


@pytest.fixture
def robot() -> Iterator[StandIn]:
    with StandIn().listening() as listening:
        yield listening


def bot_of(robot: StandIn, options: str = "") -> HttpRobotBot:
    return HttpRobotBot("r", RobotClient(Robot.parse(f"{robot.url}{options}")))


def asked(view: View, seconds: float = MUCH) -> View:
    """The view of a position, with so many seconds for its turn."""
    rebuilt = Position.of(view).view()
    assert rebuilt.turn is not None
    rebuilt.turn = rebuilt.turn.model_copy(update={"seconds": seconds})
    assert isinstance(rebuilt.turn, YourTurn)
    return rebuilt


def to_bid(seconds: float = MUCH) -> View:
    return asked(random_turn(1, 0).view, seconds)


def to_play() -> View:
    for seed in range(100):
        view = random_turn(seed, 30).view
        if view.play is not None and len(view.legal_cards()) > 3:
            return asked(view)
    raise AssertionError


def text_of(bot: HttpRobotBot) -> str:
    """Return what the bot thought about its troubles."""
    return bot.thoughts[0].text


def test_a_call_comes_with_alert_meaning_and_thoughts(robot: StandIn) -> None:
    view, bot = to_bid(), bot_of(robot)
    made = bot.call(view)
    assert made == Steady().call(view)
    assert made.explanation is not None
    (thought,) = bot.thoughts
    assert thought.text == "who stand-in"
    assert thought.candidates == {str(made.call): 0.5}
    assert thought.layouts == 2
    assert thought.seconds is not None


def test_a_bot_plays_the_same_cards_over_http_as_without(robot: StandIn) -> None:
    bot = bot_of(robot)
    turns = [random_turn(seed, length).view for seed in range(4) for length in range(8, 60, 7)]
    for view in [turn for turn in turns if turn.play is not None]:
        assert bot.play(asked(view)) == Steady().play(asked(view))
    paths = {path for path, _ in robot.asked}
    assert paths == {"/lead", "/play"}


def test_the_robot_is_told_what_the_seat_knows_and_nothing_else(robot: StandIn) -> None:
    bot = bot_of(robot, ",details=no")
    turn = random_turn(5, 40)
    view = asked(turn.view)
    (bot.call if view.play is None else bot.play)(view)
    ((_, told),) = robot.asked
    known = {str(view.hand), str(view.dummy_hand)}
    assert not ({str(hand) for hand in turn.deal.hands} - known) & set(told.values())
    assert told["hand"] == str(view.hand)
    assert len(told["hand"]) == 16
    assert "details" not in told
    assert robot.headers.keys() <= {
        *("host", "accept", "accept-encoding", "connection", "user-agent"),
    }


def test_a_card_without_a_choice_is_not_asked_for(robot: StandIn) -> None:
    view = asked(random_turn(3, 200).view)
    (only,) = view.legal_cards()
    assert bot_of(robot).play(view) == only
    assert robot.asked == []


def test_parameters_and_key_of_the_entry_are_sent(
    robot: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_KEY", "s3cret")
    bot_of(robot, ",key=ROBOT_KEY,add.tournament=imps").call(to_bid())
    ((_, told),) = robot.asked
    assert told["tournament"] == "imps"
    assert told["details"] == "true"
    assert robot.headers["authorization"] == "Bearer s3cret"


@pytest.mark.parametrize(
    "what",
    [
        misdeed.saying({"message": f"no such key: Bearer {KEY}"}),
        lambda handler: handler.tell({"error": f"key {KEY}"}, 400),
        lambda handler: handler.tell({"error": f"key {KEY}"}, 429),
        misdeed.saying({"bid": KEY}),
        misdeed.saying({"bid": "1C", "explanation": f"{KEY}; 5+ !C", "who": KEY, "quality": KEY}),
        misdeed.redirecting_to(f"http://127.0.0.1:1/?key={KEY}"),
    ],
)
def test_a_key_that_a_robot_repeats_is_masked(
    robot: StandIn,
    what: Misdeed,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """In what the bot calls, thinks and prints, so that it reaches no log, store or opponent."""
    monkeypatch.setenv("ROBOT_KEY", KEY)
    robot.misdeeds.append(what)
    bot = bot_of(robot, ",key=ROBOT_KEY")
    made = bot.call(to_bid())
    assert robot.headers["authorization"] == f"Bearer {KEY}"
    told = f"{made} {bot.thoughts} {caplog.text}"
    assert not any(KEY[start : start + 8] in told for start in range(len(KEY) - 7))


def test_a_key_that_is_not_in_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROBOT_KEY", raising=False)
    with pytest.raises(ValueError, match="the environment has no key: set ROBOT_KEY"):
        RobotClient(Robot.parse("http://a,key=ROBOT_KEY"))


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (misdeed.refusing, "status 400: An error occurred: no model"),
        (misdeed.message_alone, "Bidding is over"),
        (misdeed.garbage, "its answer is not JSON"),
        (misdeed.deeply_nested, "its answer is not JSON"),
        (misdeed.huge, f"its answer has more than {MOST_BYTES} bytes"),
        (misdeed.packed, "its answer is packed"),
        (misdeed.hanging_up, "no answer (Server disconnected without sending a response.)"),
        (misdeed.saying({"bid": "8C"}), "bid '8C' makes no sense"),
        (misdeed.saying({"card": "CA"}), "the answer has no bid"),
        (misdeed.saying([1, 2]), "expected a JSON object, received list"),
        (misdeed.saying({"bid": "XX"}), "XX is illegal"),
    ],
)
def test_what_goes_wrong_once_is_tried_again(
    robot: StandIn, what: Misdeed, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    """And told: in the output of the bot, and in its thoughts, which the log keeps."""
    robot.misdeeds.append(what)
    bot = bot_of(robot)
    assert bot.call(to_bid()) == Steady().call(to_bid())
    assert len(robot.asked) == 2
    assert words in caplog.text
    assert text_of(bot).startswith(f"robot: {words}")
    assert [record.levelno for record in caplog.records if record.name.startswith("bridge")] == [
        logging.WARNING
    ]


def test_a_slow_first_answer_is_waited_for(robot: StandIn) -> None:
    robot.misdeeds.append(misdeed.slow)
    bot_of(robot).call(to_bid())
    assert len(robot.asked) == 1


def test_a_robot_that_wants_fewer_requests_gets_them(robot: StandIn) -> None:
    robot.misdeeds.append(misdeed.too_many)
    bot = bot_of(robot)
    bot.call(to_bid())
    assert text_of(bot) == "robot: it is asked too often (status 429)"
    assert bot.thoughts[1].seconds is not None
    assert bot.thoughts[1].seconds >= 1.0


def test_bots_of_a_process_share_the_rate_of_requests(robot: StandIn) -> None:
    """The bots of a process, one at each table, share it."""
    client = RobotClient(Robot.parse(f"{robot.url},rate=300"))
    bots = [HttpRobotBot("r", client) for _ in range(3)]
    taken = []
    for bot in bots:
        bot.call(to_bid())
        taken.append(bot.thoughts[0].seconds or 0.0)
    assert sum(taken) >= 0.39


def test_a_robot_that_hangs_is_asked_again(robot: StandIn) -> None:
    robot.misdeeds.extend([misdeed.silent, misdeed.never_ending])
    bot = bot_of(robot, ",timeout=0.3")
    bot.call(to_bid())
    assert text_of(bot) == "robot: no answer within 0.3 s (2 times)"


@pytest.mark.parametrize("what", [misdeed.silent, misdeed.never_ending])
def test_a_turn_without_an_answer_is_left_to_the_clock(robot: StandIn, what: Misdeed) -> None:
    robot.misdeeds.append(what)
    bot = bot_of(robot)
    with pytest.raises(NoActionError) as caught:
        bot.call(to_bid(0.6))
    assert caught.value.timeout
    assert text_of(bot) == "robot: no answer in the time of the turn (0.3 s)"


def test_a_turn_without_an_answer_tells_what_the_robot_said(robot: StandIn) -> None:
    robot.misdeeds.extend([misdeed.refusing, misdeed.refusing, misdeed.silent])
    with pytest.raises(NoActionError) as caught:
        bot_of(robot).call(to_bid(2.0))
    assert str(caught.value) == (
        "no answer in the time of the turn (1.8 s); "
        "status 400: An error occurred: no model (2 times)"
    )


def test_a_redirection_to_another_host_is_not_followed(robot: StandIn) -> None:
    """Whoever answers there: the robot that was named decides, or nobody."""
    with StandIn().listening() as other:
        robot.misdeeds.append(misdeed.redirecting_to(f"{other.url}/bid"))
        bot = bot_of(robot)
        bot.call(to_bid())
        assert other.asked == []
    assert "it redirects elsewhere (status 302)" in text_of(bot)


def test_an_illegal_call_twice_is_passed_on(robot: StandIn) -> None:
    """To the table, which has a policy for it."""
    robot.misdeeds.extend([misdeed.saying({"bid": "XX"})] * 2)
    bot = bot_of(robot)
    assert bot.call(to_bid()).call == Call("XX")
    assert text_of(bot) == "robot: XX is illegal"


def test_a_card_that_is_not_held_twice_is_passed_on(robot: StandIn) -> None:
    view = to_play()
    card = next(card for card in view.unseen)
    robot.misdeeds.extend([misdeed.saying({"card": str(card)})] * 2)
    assert bot_of(robot).play(view) == card
    robot.misdeeds.append(misdeed.saying({"card": str(card)}))
    assert isinstance(bot_of(robot).play(view), Card)
    assert bot_of(robot).play(view) in view.legal_cards()


def test_a_restart_is_survived() -> None:
    """Its port is closed for a while."""
    robot = StandIn()
    with robot.listening():
        bot = bot_of(robot)
    with pytest.raises(NoActionError):
        bot.call(to_bid(0.7))
    assert "it cannot be reached" in text_of(bot)
    with robot.listening():
        bot.call(to_bid())
    assert len(robot.asked) == 1


def test_an_alert_is_passed_on(robot: StandIn) -> None:
    robot.misdeeds.append(misdeed.saying({"bid": "2C", "alert": "True", "explanation": "strong"}))
    made = bot_of(robot).call(to_bid())
    assert made == MadeCall(Call("2C"), alert=True, explanation=Explanation("strong"))

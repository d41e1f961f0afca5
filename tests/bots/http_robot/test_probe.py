"""The probe of a robot before it takes its seat."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from bridge_arena.bots.http_robot import bot as probing
from bridge_arena.bots.http_robot.bot import ProbeError, probe
from bridge_arena.bots.http_robot.client import RobotClient
from bridge_arena.bots.http_robot.robot import Robot
from bridge_arena.bridge.record import Mode
from tests.bots.http_robot import stand_in as misdeed
from tests.bots.http_robot.stand_in import Misdeed, StandIn


@pytest.fixture
def robot() -> Iterator[StandIn]:
    with StandIn().listening() as listening:
        yield listening


def probe_of(robot: StandIn, mode: Mode = Mode.FULL) -> None:
    asyncio.run(probe(RobotClient(Robot.parse(robot.url)), mode))


@pytest.mark.parametrize(
    ("mode", "paths"),
    [
        (Mode.FULL, ["/bid", "/lead", "/play"]),
        (Mode.BIDDING, ["/bid"]),
        (Mode.PLAY, ["/lead", "/play"]),
    ],
)
def test_a_robot_is_asked_what_the_event_will_ask(
    robot: StandIn, mode: Mode, paths: list[str]
) -> None:
    probe_of(robot, mode)
    assert [path for path, _ in robot.asked] == paths


def refusing_cards(handler: misdeed.Handler) -> None:
    path, parameters = handler.robot.asked[-1]
    if path == "/bid":
        handler.tell(misdeed.decide(handler.robot.bot, path, parameters))
    else:
        handler.tell({"error": "no such file: libBGA.so"}, 400)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (misdeed.refusing, "/bid: status 400: An error occurred: no model"),
        (misdeed.message_alone, "/bid: Bidding is over"),
        (misdeed.garbage, "/bid: its answer is not JSON"),
        (refusing_cards, "/lead: status 400: no such file: libBGA.so"),
    ],
)
def test_a_robot_that_decides_nothing_is_given_up_in_its_own_words(
    robot: StandIn, what: Misdeed, words: str
) -> None:
    robot.misdeeds.extend([what] * 9)
    with pytest.raises(ProbeError) as caught:
        probe_of(robot)
    assert str(caught.value) == words


def test_a_robot_that_is_starting_or_busy_is_waited_for(robot: StandIn) -> None:
    robot.misdeeds.extend([misdeed.hanging_up, misdeed.too_many, misdeed.refusing, misdeed.slow])
    probe_of(robot)
    assert len(robot.asked) == 6


@pytest.mark.parametrize(
    ("what", "limit", "words"),
    [
        (misdeed.hanging_up, "BUSY_SECONDS", "/bid: no answer (Server disconnected"),
        (misdeed.silent, "PROBE_SECONDS", "/bid: no answer within 0.3 s"),
    ],
)
def test_a_robot_that_never_answers_is_given_up(
    robot: StandIn, what: Misdeed, limit: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probing, limit, 0.3)
    robot.misdeeds.extend([what] * 9)
    with pytest.raises(ProbeError) as caught:
        probe_of(robot)
    assert str(caught.value).startswith(words)

"""The process of a robot's seat, before it sits down."""

from __future__ import annotations

import sys

import pytest

from bridge_arena.bots.http_robot import __main__ as program
from tests.bots.http_robot import stand_in as misdeed
from tests.bots.http_robot.stand_in import StandIn


def ending(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    """Return what the process says at its end."""
    monkeypatch.setattr(sys, "argv", ["robot", *arguments])
    with pytest.raises(SystemExit) as ended:
        program.main()
    return str(ended.value)


def test_a_text_that_names_no_robot_ends_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "a robot takes timeout=SECONDS" in ending(monkeypatch, "http://a,speed=1")


def test_a_key_that_is_not_there_ends_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROBOT_KEY", raising=False)
    words = "the environment has no key: set ROBOT_KEY"
    assert words in ending(monkeypatch, "http://a,key=ROBOT_KEY")


def test_an_extra_that_is_not_there_ends_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    for name in ("client", "bot"):
        monkeypatch.delitem(sys.modules, f"bridge_arena.bots.http_robot.{name}", raising=False)
    assert "httpx" in ending(monkeypatch, "http://a")


def test_a_robot_that_is_not_there_ends_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = StandIn()
    with robot.listening():
        pass
    monkeypatch.setattr(program, "REACH_SECONDS", 0.1)
    said = ending(monkeypatch, robot.url)
    assert said == f"robot 127.0.0.1:{robot.port} cannot be reached: Connection refused"


def test_a_robot_that_decides_nothing_ends_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with StandIn().listening() as robot:
        robot.misdeeds.extend([misdeed.refusing] * 9)
        said = ending(monkeypatch, robot.url)
    words = "decides nothing: /bid: status 400: An error occurred: no model"
    assert said == f"robot 127.0.0.1:{robot.port} {words}"


def test_a_mode_that_there_is_not_ends_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_MODE", "all")
    words = "ARENA_MODE is 'all', expected full, bidding, play"
    assert ending(monkeypatch, "http://a") == words


def test_a_robot_that_is_there_and_no_table_ends_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("ARENA_URL", "ARENA_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with StandIn().listening() as robot:
        assert "no server to play on" in ending(monkeypatch, robot.url)

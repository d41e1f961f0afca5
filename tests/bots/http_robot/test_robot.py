"""Robots as entries name them."""

from __future__ import annotations

import pytest

from bridge_arena.bots.http_robot.robot import Robot, RobotError


def test_an_address_alone_names_a_robot() -> None:
    robot = Robot.parse("https://bridge.example.org:8085/api/")
    assert robot == Robot("https://bridge.example.org:8085/api")
    assert robot.name == "bridge.example.org:8085/api"
    assert robot.place == ("bridge.example.org", 8085)


@pytest.mark.parametrize(
    ("url", "port"), [("http://a", 80), ("https://a", 443), ("http://[::1]:8085", 8085)]
)
def test_the_port_of_an_address_is_known(url: str, port: int) -> None:
    assert Robot.parse(url).place[1] == port


def test_a_parameter_may_have_the_name_of_an_option() -> None:
    robot = Robot.parse("http://a,add.timeout=5,timeout=7,add.key=k")
    assert robot == Robot("http://a", timeout=7.0, added=(("timeout", "5"), ("key", "k")))


def test_options_of_a_robot_are_read() -> None:
    text = "http://a,timeout=20,rate=90,details=no,key=BEN_KEY,add.tournament=imps,add.user=a=b"
    assert Robot.parse(text) == Robot(
        "http://a",
        timeout=20.0,
        rate=90.0,
        details=False,
        key="BEN_KEY",
        added=(("tournament", "imps"), ("user", "a=b")),
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'' is no address of a robot"),
        ("127.0.0.1:8085", "is no address of a robot"),
        ("ftp://a", "is no address of a robot"),
        ("file:///etc/passwd", "is no address of a robot"),
        ("http://", "is no address of a robot"),
        ("http://a:99999", "cannot be read"),
        ("http://[::1", "cannot be read"),
        ("http://a b", "characters that no address has"),
        ("http://ä", "characters that no address has"),
        ("http://a..b", "a name that no machine can have"),
        ("http://.", "a name that no machine can have"),
        (f"http://{'a' * 64}.example", "a name that no machine can have"),
        ("http://a?seat=N", "has no . or #: use add.NAME=VALUE"),
        ("http://a#x", "has no . or #"),
        ("http://a,speed=1", "a robot takes timeout=SECONDS, .*, not 'speed'"),
        ("http://a,timeout", "not 'timeout'"),
        ("http://a,", "not ''"),
        ("http://a,add.=1", "not 'add.'"),
        ("http://a,timeout=0", "timeout is '0', expected a number above 0"),
        ("http://a,timeout=nan", "timeout is 'nan'"),
        ("http://a,rate=-1", "rate is '-1'"),
        ("http://a,details=maybe", "details is 'maybe', expected yes or no"),
        ("http://a,timeout=1,timeout=2", "timeout is given twice"),
        ("http://a,add.x=1,add.x=2", "add.x is given twice"),
        ("http://a,add.hand=AKQ", "add.hand: the arena sets hand itself"),
    ],
)
def test_text_that_names_no_robot_is_refused(text: str, words: str) -> None:
    with pytest.raises(RobotError, match=words):
        Robot.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        *("http://me:s3cret@a", "http://s3cret@a", "https://a@s3cret:b", "http://a?key=s3cret"),
        *("http://a,key=s3cret!", "http://a,token=s3cret"),
    ],
)
def test_a_password_is_not_repeated(text: str) -> None:
    with pytest.raises(RobotError) as caught:
        Robot.parse(text)
    assert "s3cret" not in str(caught.value)

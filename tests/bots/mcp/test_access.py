"""Strangers at the door of a seat that is served over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from bridge_arena.bots.mcp.seat import AgentSeat
from tests.late_imports import late_imports
from tests.patience import PATIENCE

with late_imports():
    from mcp_types import version
    from starlette.testclient import TestClient

    from bridge_arena.bots.mcp import access
    from bridge_arena.bots.mcp.tools import seat_server

SECRET = "the secret"
HOST = "127.0.0.1:7771"
SESSION = "mcp-session-id"

HEADERS = {
    "Authorization": f"Bearer {SECRET}",
    "Host": HOST,
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
WAIT = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "wait"}}
VIEW = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "view"}}


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def door(clock: Clock) -> Iterator[TestClient]:
    application = access.seat_application(seat_server(AgentSeat()), SECRET, [HOST], clock)
    with TestClient(application) as client:
        yield client


def knock(
    door: TestClient, body: object = None, method: str = "POST", **headers: str
) -> tuple[int, str]:
    """The status and the text of the answer."""
    given = {**HEADERS, **{name.replace("_", "-"): text for name, text in headers.items()}}
    answer = door.request(
        method, access.PATH, json=INITIALIZE if body is None else body, headers=given
    )
    return answer.status_code, answer.text


def enter(door: TestClient) -> str:
    """Open a session, and return its id."""
    answer = door.post(access.PATH, json=INITIALIZE, headers=HEADERS)
    assert answer.status_code == 200, answer.text
    session: str = answer.headers[SESSION]
    return session


def test_without_the_secret_nothing_is_told(door: TestClient) -> None:
    for given in ("", "Bearer", "Bearer ", "Bearer the", f"Basic {SECRET}", f"{SECRET}"):
        status, text = knock(door, Authorization=given)
        assert status == 401
        assert "the seat's secret is needed" in text
    session = enter(door)
    assert knock(door, VIEW, Authorization="Bearer x", mcp_session_id=session)[0] == 401
    assert knock(door, method="GET", Authorization="", mcp_session_id=session)[0] == 401
    assert knock(door, method="DELETE", Authorization="", mcp_session_id=session)[0] == 401


def test_the_scheme_of_the_secret_may_be_written_in_small_letters(door: TestClient) -> None:
    assert knock(door, Authorization=f"bearer  {SECRET}")[0] == 200


def test_a_page_of_a_stranger_gets_nowhere(door: TestClient) -> None:
    assert knock(door, Host="evil.example:7771")[0] == 421
    assert knock(door, Host="127.0.0.1")[0] == 421
    assert knock(door, Origin="http://evil.example")[0] == 403
    assert knock(door, Origin="null")[0] == 403
    session = enter(door)
    assert knock(door, VIEW, Host="evil.example:7771", mcp_session_id=session)[0] == 421
    assert knock(door, VIEW, Origin="http://evil.example", mcp_session_id=session)[0] == 403
    assert knock(door, VIEW, mcp_session_id=session)[0] == 200


def test_a_body_that_is_too_long_is_not_read(door: TestClient) -> None:
    assert knock(door, {"x": "x" * access.MOST_BYTES})[0] == 413
    session = enter(door)
    assert knock(door, {"x": "x" * access.MOST_BYTES}, mcp_session_id=session)[0] == 413


def test_what_is_no_request_opens_no_session(door: TestClient) -> None:
    assert knock(door, {"jsonrpc": "2.0"})[0] == 400
    assert knock(door, VIEW)[0] == 400
    assert knock(door, method="GET")[0] >= 400
    enter(door)


def test_the_id_of_a_session_cannot_be_guessed(door: TestClient) -> None:
    assert knock(door, VIEW, mcp_session_id="0" * 32) == (
        404,
        knock(door, VIEW, mcp_session_id="")[1],
    )
    session = enter(door)
    for guess in ("", "0" * 32, session[:-1], session.upper() + "0"):
        status, text = knock(door, VIEW, mcp_session_id=guess)
        assert status == 404
        assert session not in text
    assert knock(door, method="DELETE", mcp_session_id="0" * 32)[0] == 404
    assert knock(door, VIEW, mcp_session_id=session)[0] == 200


def test_a_second_session_is_refused_while_the_first_plays(door: TestClient, clock: Clock) -> None:
    session = enter(door)
    clock.now += access.SILENCE - 1
    status, text = knock(door)
    assert status == 409
    assert "the seat is taken: another session plays it" in text
    assert knock(door, VIEW, mcp_session_id=session)[0] == 200
    clock.now += access.SILENCE - 1
    assert knock(door)[0] == 409


def test_a_session_that_waits_for_its_turn_is_not_silent(clock: Clock) -> None:
    asked = Event()

    class Asked(AgentSeat):
        def wait(self, patience: float) -> None:
            asked.set()
            super().wait(patience)

    seat = Asked()
    application = access.seat_application(seat_server(seat), SECRET, [HOST], clock)
    with TestClient(application) as door, ThreadPoolExecutor() as threads:
        session = enter(door)
        waits = threads.submit(knock, door, WAIT, mcp_session_id=session)
        assert asked.wait(PATIENCE)
        clock.now += 2 * access.SILENCE
        assert knock(door)[0] == 409
        seat.close("it is over")
        status, text = waits.result()
    assert status == 200
    assert "it is over" in text


def test_who_comes_back_after_a_crash_has_the_seat_again(door: TestClient, clock: Clock) -> None:
    lost = enter(door)
    clock.now += access.SILENCE
    session = enter(door)
    assert session != lost
    assert knock(door, VIEW, mcp_session_id=lost)[0] == 404
    assert knock(door, VIEW, mcp_session_id=session)[0] == 200


def test_who_says_goodbye_frees_the_seat(door: TestClient) -> None:
    session = enter(door)
    assert knock(door, method="DELETE", mcp_session_id=session)[0] == 200
    assert knock(door, VIEW, mcp_session_id=session)[0] == 404
    enter(door)


def test_a_version_without_sessions_is_refused_with_those_that_have_them(door: TestClient) -> None:
    enter(door)
    status, text = knock(door, VIEW, mcp_protocol_version=version.LATEST_MODERN_VERSION)
    assert status == 400
    error = json.loads(text)["error"]
    assert error["code"] == -32022
    assert "2025-11-25" in error["data"]["supported"]

"""Tests of the answers of `arena robot`, without a network."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, DOUBLE, PASS, REDOUBLE, Call
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Vulnerability
from bridge_arena.oracle.position import Position as SolverPosition
from bridge_arena.oracle.solver import best_tricks
from bridge_arena.protocol.http_robot.answer import read_bid, read_card, read_thinking
from bridge_arena.protocol.http_robot.position import (
    PARAMETERS,
    Kind,
    Position,
    parameters_of,
    write_calls,
)
from bridge_arena.protocol.messages import Thinking
from bridge_arena.web.common.serving import Guard
from bridge_arena.web.robot.application import LONGEST_QUERY, MOST_WAITING, RobotRequests
from bridge_arena.web.robot.bot_decider import BotError, BusyError, Decision
from tests.patience import PATIENCE
from tests.protocol.http_robot.positions import TURNS, Turn, random_turn
from tests.protocol.http_robot.test_position import BID, LEAD, PLAY

NATURAL = Natural()
STRONG = MadeCall(Call("2S"), alert=True, explanation=Explanation("strong", (17, 37)))
THOUGHT = Thinking(text="why not", candidates={"2S": 0.8, "Pass": 0.1})


class Deciding:
    """Makes the call or plays the first legal card, and keeps the positions."""

    def __init__(self) -> None:
        self.asked: list[Position] = []
        self.waiting = asyncio.Event()
        self.waiting.set()

    async def decide(self, position: Position) -> Decision:
        self.asked.append(position)
        await self.waiting.wait()
        if position.kind is Kind.BID:
            return Decision(STRONG, (THOUGHT,))
        return Decision(next(iter(position.view().legal_cards())), ())


class Failing:
    """Raises an error."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def decide(self, _position: Position) -> Decision:
        raise self._error


def client(decider: Any, *origins: str, system: System | None = NATURAL) -> httpx.AsyncClient:
    application = RobotRequests(decider.decide, "ours", system).application(origins)
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app=application), base_url="http://robot"
    )


async def answer(path: str, parameters: dict[str, str], decider: Any = None) -> httpx.Response:
    async with client(decider or Deciding()) as asking:
        return await asking.get(path, params=parameters)


async def test_a_robot_answers_with_a_call() -> None:
    told = await answer("/bid", BID)
    assert told.json() == {
        "bid": "2S",
        "who": "ours",
        "explanation": "strong [hcp 17-37]",
        "alert": "True",
    }
    assert read_bid(told.json()) == STRONG


async def test_details_are_given_where_they_are_asked_for() -> None:
    told = await answer("/bid", BID | {"details": "true"})
    assert read_thinking(told.json()).candidates == THOUGHT.candidates
    assert "candidates" not in (await answer("/bid", BID | {"details": "false"})).json()


async def test_a_robot_answers_with_a_lead_and_a_card_of_dummy() -> None:
    told = await answer("/lead", LEAD)
    assert told.json() == {"card": "SA", "who": "ours"}
    told = await answer("/play", PLAY)
    assert told.json() == {"card": "HA", "who": "ours", "player": 1}


@given(TURNS)
@settings(deadline=None)
def test_whoever_asks_is_answered_with_what_is_legal(turn: Turn) -> None:
    position = Position.of(turn.view)
    told = asyncio.run(answer(f"/{position.kind}", parameters_of(position)))
    assert told.status_code == 200
    if position.kind is not Kind.BID:
        assert read_card(told.json()) in turn.view.legal_cards()


TEXTS = st.sampled_from(["", "N", "S", "None", "1C-P", "H2", "AKQJ", "2.AQJ.AQJ9.QJT98", "💥"])
NAMES = st.sampled_from(sorted(PARAMETERS))


@given(
    st.sampled_from(["bid", "lead", "play", "claim", "explain"]),
    st.sampled_from([BID, LEAD, PLAY]),
    st.dictionaries(NAMES, TEXTS | st.text(max_size=20), max_size=3),
)
def test_whatever_is_asked_is_answered(
    path: str, good: dict[str, str], changes: dict[str, str]
) -> None:
    """With a call or card, or with the parameter that is wrong."""
    told = asyncio.run(answer(f"/{path}", {**good, **changes}))
    assert told.status_code in (200, 400)
    if told.status_code == 400:
        assert told.json()["error"].partition(":")[0] in PARAMETERS


async def test_a_parameter_that_is_given_twice_is_refused() -> None:
    async with client(Deciding()) as asking:
        told = await asking.get("/bid", params=[*BID.items(), ("hand", "....")])
    assert (told.status_code, told.json()) == (400, {"error": "hand: it is given twice"})


async def test_a_long_query_is_not_read() -> None:
    told = await answer("/bid", BID | {"x": "1" * LONGEST_QUERY})
    assert told.status_code == 414


@pytest.mark.parametrize(
    "path", ["/", "/explain_auction", "/autoplay", "/bid/x", "/static/../bid.html"]
)
async def test_other_addresses_are_not_found(path: str) -> None:
    told = await answer(path, {})
    assert (told.status_code, told.json()) == (404, {"error": "Not Found"})


async def test_other_methods_are_refused() -> None:
    async with client(Deciding()) as asking:
        assert (await asking.post("/bid", params=BID, content=b"x")).status_code == 405


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [(BusyError(), 503, "busy: ask again"), (BotError("exit status 1"), 500, "exit status 1")],
)
async def test_the_failure_of_a_bot_is_told(error: Exception, status: int, text: str) -> None:
    told = await answer("/bid", BID, Failing(error))
    assert (told.status_code, told.json()) == (status, {"error": text})


@pytest.mark.parametrize("details", ["true", "false"])
async def test_a_flood_is_told_to_come_again(details: str) -> None:
    flood = BID | {"details": details}
    decider = Deciding()
    decider.waiting.clear()
    async with client(decider) as asking, asyncio.TaskGroup() as group:
        first = [group.create_task(asking.get("/bid", params=flood)) for _ in range(MOST_WAITING)]
        while len(decider.asked) < MOST_WAITING:  # noqa: ASYNC110 (there is no event)
            await asyncio.sleep(0)
        late = [await asking.get(path, params=flood) for path in ("/bid", "/explain", "/claim")]
        decider.waiting.set()
    assert [(each.status_code, each.headers["retry-after"]) for each in late] == [(503, "1")] * 3
    assert {task.result().status_code for task in first} == {200}
    assert len(decider.asked) == MOST_WAITING


# Claims.


CLAIM = PLAY | {"hand": "AK97543.K.T3.AK6", "played": "H2HJH3HK"}


@pytest.mark.parametrize(
    ("changes", "result"),
    [
        ({"tricks": "3"}, "Contract: 3NT Accepted declarer's claim of 3 tricks"),
        ({"tricks": "0"}, "Contract: 3NT Accepted declarer's claim of 0 tricks"),
        ({}, "Declarer claimed 12 tricks - rejected, 4 are sure"),
        # In the middle of a trick nothing is judged.
        ({"played": "H2", "tricks": "1"}, "Declarer claimed 1 tricks - rejected, 0 are sure"),
    ],
)
async def test_claims_are_judged(changes: dict[str, str], result: str) -> None:
    told = await answer("/claim", CLAIM | changes)
    assert told.json()["result"] == result


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"tricks": "13"}, "tricks: '13' is no number from 0 to 12"),
        ({"tricks": "-1"}, "tricks: '-1' is no number from 0 to 12"),
        ({"tricks": "٣"}, "tricks: '٣' is no number from 0 to 12"),
        ({"ctx": "1S-P-2C-P-3N-P-P-P-P"}, "ctx: call 9: .*"),
    ],
)
async def test_claims_that_make_no_sense_are_refused(changes: dict[str, str], error: str) -> None:
    told = await answer("/claim", CLAIM | changes)
    assert told.status_code == 400
    assert told.json()["error"].startswith(error.removesuffix(".*"))


async def test_defenders_do_not_claim() -> None:
    west = {"hand": "Q86.A62.K842.543", "seat": "W", "dummy": "2.QJT.AQJ9.QJT98"}
    told = await answer("/claim", PLAY | west | {"played": "H2HTH3HKS3"})
    assert told.status_code == 400
    assert told.json()["error"] == "seat: only claims of declarer (S) are judged"


@given(st.integers(0, 2000), st.integers(30, 80))
@settings(deadline=None)
def test_an_accepted_claim_is_made(seed: int, length: int) -> None:
    """However the defenders' cards lie, so also as they do lie."""
    turn = random_turn(seed, length)
    view = turn.view
    if view.play is None or view.seat != view.playing.declarer or not view.playing.cards:
        return
    told = asyncio.run(answer("/claim", parameters_of(Position.of(view)) | {"tricks": "0"}))
    assert told.status_code == 200
    sure = _most(parameters_of(Position.of(view)))
    held = [turn.deal[seat] - view.played[seat] for seat in range(4)]  # type: ignore[index]
    best = best_tricks(SolverPosition.of(view.playing, held))
    assert sure <= best


def _most(parameters: dict[str, str]) -> int:
    """The most tricks of a claim that is accepted."""
    accepted = 0
    for tricks in range(14):
        told = asyncio.run(answer("/claim", parameters | {"tricks": str(tricks)}))
        if told.status_code != 200 or "Accepted" not in told.json()["result"]:
            break
        accepted = tricks
    return accepted


# Explanations.


EXPLAIN = {"dealer": "N", "vul": "", "ctx": "1C-P-1S"}


async def test_the_meanings_of_calls_are_told() -> None:
    told = await answer("/explain", EXPLAIN)
    assert told.json() == {
        "explanation": "natural [hcp 6-37, S 4-13, forcing]",
        "Alert": False,
        "alert": "False",
        "who": "ours",
        "calls": [
            {
                "call": "1C",
                "seat": "N",
                "alert": "False",
                "text": "clubs",
                "hcp": [10, 21],
                "lengths": {"C": [3, 13]},
            },
            {"call": "PASS", "seat": "E", "alert": "False", "text": "no overcall", "hcp": [0, 16]},
            {
                "call": "1S",
                "seat": "S",
                "alert": "False",
                "text": "natural",
                "hcp": [6, 37],
                "lengths": {"S": [4, 13]},
                "forcing": True,
            },
        ],
    }


async def test_artificial_calls_are_alerted() -> None:
    told = (await answer("/explain", EXPLAIN | {"ctx": "1N-P-2C"})).json()
    assert (told["alert"], told["Alert"], told["calls"][-1]["artificial"]) == ("True", True, True)
    assert told["calls"][0]["alert"] == "False"


async def test_no_hand_changes_what_calls_mean() -> None:
    """Nor does a seat: what is sealed is not needed, and not looked at."""
    told = [
        (await answer("/explain", EXPLAIN | {"hand": hand, "seat": seat})).text
        for hand, seat in [(BID["hand"], "S"), ("2.AQJ.AQJ9.QJT98", "W"), ("nonsense", "")]
    ]
    assert set(told) == {(await answer("/explain", EXPLAIN)).text}


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"ctx": None}, "ctx: it is missing"),
        ({"ctx": ""}, "ctx: it has no call to explain"),
        ({"ctx": "1C-1B"}, "ctx: '1B' is not a call"),
        ({"ctx": "2C-1S"}, "ctx: call 2: 1S by E is illegal: insufficient"),
        ({"dealer": "Q"}, "dealer: 'Q' is not a seat"),
        ({"vul": "@v"}, "vul: '@v' is not a vulnerability"),
    ],
)
async def test_auctions_that_make_no_sense_are_refused(
    changes: dict[str, str | None], error: str
) -> None:
    parameters = {name: text for name, text in (EXPLAIN | changes).items() if text is not None}
    told = await answer("/explain", parameters)
    assert told.status_code == 400
    assert told.json()["error"].startswith(error)


async def test_a_bot_without_a_system_explains_nothing() -> None:
    async with client(Deciding(), system=None) as asking:
        told = await asking.get("/explain", params=EXPLAIN)
    why = "ours has no bidding system that explains calls"
    assert (told.status_code, told.json()) == (404, {"error": why})


class Slow(Natural):
    """Explains when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.may = threading.Event()

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        assert self.may.wait(PATIENCE)
        return super().explain(auction, vulnerability)


async def test_a_long_explanation_keeps_nobody_waiting() -> None:
    calls = [PASS] * 3
    for bid in [call for call in CALLS if call.is_bid]:
        calls += [bid, PASS, PASS, DOUBLE, PASS, PASS, REDOUBLE, PASS, PASS]
    slow = Slow()
    longest = EXPLAIN | {"ctx": write_calls(calls)}
    async with client(Deciding(), system=slow) as asking, asyncio.TaskGroup() as group:
        long = group.create_task(asking.get("/explain", params=longest))
        assert (await asking.get("/bid", params=BID)).status_code == 200
        slow.may.set()
    assert len(long.result().json()["calls"]) == len(calls)


# Pages of others.


async def test_pages_of_a_site_that_is_named_may_read_the_answers() -> None:
    async with client(Deciding(), "https://bridge.example.org") as asking:
        for origin, allowed in [("https://bridge.example.org", True), ("https://evil.org", False)]:
            told = await asking.get("/bid", params=BID, headers={"origin": origin})
            assert ("access-control-allow-origin" in told.headers) is allowed


async def test_no_page_may_read_answers_where_no_site_is_named() -> None:
    async with client(Deciding()) as asking:
        told = await asking.get("/bid", params=BID, headers={"origin": "https://evil.org"})
    assert "access-control-allow-origin" not in told.headers


async def test_a_name_that_points_here_opens_nothing() -> None:
    decider = Deciding()
    guarded = Guard(RobotRequests(decider.decide, "ours").application(), ["127.0.0.1:8085"])
    transport = httpx.ASGITransport(app=guarded)
    async with httpx.AsyncClient(transport=transport, base_url="http://evil.org:8085") as asking:
        assert (await asking.get("/bid", params=BID)).status_code == 421
    assert decider.asked == []

"""Checks that the bot answers the turns it is asked, at the right table, and nothing else."""

from __future__ import annotations

import asyncio
from itertools import takewhile
from typing import Any

from bridge_arena.base.concurrency import first_error
from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.conformance.bot_connection import BotConnection, Slips
from bridge_arena.conformance.exam import HOME, Exam
from bridge_arena.conformance.game import Judged, Setup
from bridge_arena.conformance.point import NotHeldError, NotPossibleError

BOARDS = 8  # the number of random boards, in all seats together


async def named(exam: Exam) -> None:
    """Play a board among baseline bots, then one on which the bot declares."""
    await exam.play(_random(exam, HOME))
    await exam.play(exam.setup(HOME, "2S P P P"))


async def random_boards(exam: Exam) -> str:
    seats = [] if exam.is_remote else [seat for seat in SEATS if seat != HOME]
    async with exam.guests(seats) as guests:
        places = [exam.place, *guests]
        for number in range(BOARDS):
            place, dealer = places[number % len(places)], SEATS[(number + number // 4) % 4]
            await exam.play(_random(exam, dealer, judged=Judged.ALL), place=place)
    where = ", ".join(str(place.seat) for place in places)
    return f"{BOARDS} boards, in {where}"


async def bidding_only(exam: Exam) -> None:
    await exam.play(_random(exam, HOME, bidding_only=True))
    await exam.play(_random(exam, Seat.WEST, bidding_only=True))


async def together(exam: Exam) -> None:
    places = exam.home.seated
    if len(places) < 2:
        raise NotPossibleError("the bot sits at one table only")

    async def play_at(place: BotConnection) -> None:
        for dealer in SEATS:
            await exam.play(_random(exam, dealer), place=place)

    with first_error(NotHeldError):
        async with asyncio.TaskGroup() as group:
            for place in places:
                group.create_task(play_at(place))


async def twice(exam: Exam) -> str:
    """Play the same boards twice with the same seed, and compare the bot's actions."""
    setups = [_random(exam, HOME), exam.setup(HOME, "3NT P P P", seed=exam.terms.seed)]
    first, second = [
        [answer for setup in setups for answer in (await exam.play(setup)).answers] for _ in "12"
    ]
    if first == second:
        return f"the same {len(first)} actions"
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    return f"not the same: action {len(list(same)) + 1} differs"


def _random(exam: Exam, dealer: Seat, **how: Any) -> Setup:
    """Return a random board among baseline bots; `how` as in `Setup`."""
    return exam.setup(dealer, thinker=lambda _: BaselineBot(), seed=exam.terms.seed, **how)


async def unasked(exam: Exam) -> None:
    # The answer to a ping comes after everything sent before it.
    for place in exam.home.seated:
        await place.ping()
        await place.sweep()
    _none(exam.conduct.unasked, "no message that was not asked for")


async def explanations(exam: Exam) -> None:
    _none(exam.conduct.explanations, "explanations that are of the protocol")


async def times(exam: Exam) -> str:
    timing = exam.conduct.timing()
    return (
        f"median {timing['median_ms']:g} ms, longest {timing['max_ms']:g} ms, "
        f"of {timing['actions']:g} actions"
    )


def _none(slips: Slips, expected: str) -> None:
    slip = slips.first
    if slip is not None:
        more = f" (the first of {slips.count})" if slips.count > 1 else ""
        raise NotHeldError(expected, f"{slip.text}{more}", frame=slip.frame)

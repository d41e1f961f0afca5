"""Programs that come to an event over Blue Chip: seated, lost, missing, back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from threading import Barrier

import pytest

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.natural.bot import NaturalBot
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.record import BoardRecord, FaultKind, MadeCall, Mode
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.bluechip.spelling import Quirks
from bridge_arena.protocol.view import View
from bridge_arena.server.claims import Claims
from bridge_arena.tournaments.events.event import Entrant, Event, EventPolicies
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.units import Unit
from tests.patience import PATIENCE
from tests.tournaments.house import Coming, House, open_house
from tests.tournaments.scores import event

NORTH, WEST = Seat.NORTH, Seat.WEST


def match(a: str, b: str, boards: int = 3, **settings: object) -> Event:
    entries = (Entrant(bot=a, name="A"), Entrant(bot=b, name="B"))
    return event(Format.MATCH, 2, entries=entries, boards=boards, **settings)


async def over_websockets(
    like: Event, first: Callable[[], Bot], second: Callable[[], Bot]
) -> dict[str, BoardRecord]:
    """Return what becomes of the match where both teams are of the other kind."""
    entries = tuple(Entrant(bot=f"remote:{name}", name=name) for name in "AB")
    async with open_house(like.model_copy(update={"entries": entries})) as house:
        bots = [*house.visitors("A", first), *house.visitors("B", second)]
        await house.play()
    await asyncio.gather(*bots)
    return house.kept


def events_of(log: Path, bot: str) -> list[str]:
    """Return what the log has of a bot."""
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return [line["event"] for line in lines if line.get("bot") == bot]


# Good programs.


@pytest.mark.parametrize("tables", [1, 3])
async def test_a_match_is_the_same_over_either_protocol(tmp_path: Path, tables: int) -> None:
    """However many tables: they take turns with the programs."""
    cup = match("bluechip:A", "remote:B")
    log = tmp_path / "log.jsonl"
    async with open_house(cup, tables=tables, log=log) as house:
        bots = [*house.programs("A", BaselineBot), *house.visitors("B", NaturalBot)]
        await house.play()
    await asyncio.gather(*bots)
    assert house.kept == await over_websockets(cup, BaselineBot, NaturalBot)
    assert all(record.is_finished and not record.faults for record in house.kept.values())
    assert "waiting for A in seats N E S W: one program for each seat" in house.lines
    assert events_of(log, "A (N)") == ["seated"]


async def test_both_rooms_are_played_at_once() -> None:
    """And no more of a team's match, however many tables there are."""
    both = Barrier(2, timeout=PATIENCE)

    class Meeting(BaselineBot):
        """In the first auction North waits for East, who sits in the other room."""

        met = False

        def call(self, view: View) -> MadeCall:
            if not self.met and view.seat in (NORTH, Seat.EAST):
                self.met = True
                both.wait()
            return super().call(view)

    cup = match("bluechip:A", "remote:B")
    async with open_house(cup, tables=4) as house:
        bots = [*house.programs("A", Meeting), *house.visitors("B", BaselineBot)]
        await house.play()
    await asyncio.gather(*bots)
    assert all(record.is_finished and not record.faults for record in house.kept.values())


async def test_no_board_begins_before_its_programs_have_ended_another() -> None:
    cup = match("bluechip:A", "remote:B", boards=2, mode=Mode.BIDDING)
    steps: list[str] = []

    def begin(unit: Unit) -> bool:
        steps.append(f"{unit.position} begins")
        return unit.position == 1

    def keep(unit: Unit, record: BoardRecord | None) -> None:
        assert record is not None
        steps.append(f"{unit.position} ends")

    async with open_house(cup, tables=2) as house, asyncio.timeout(PATIENCE):
        bots = [*house.programs("A", BaselineBot), *house.visitors("B", BaselineBot)]
        await house.hall.seat(house.units)
        in_open = [unit for unit in house.units if unit.place == "open"]
        await house.hall.play(iter(in_open), keep, begin)
    await asyncio.gather(*bots)
    assert steps == ["1 begins", "1 ends", "2 begins"]


async def test_both_teams_may_speak_blue_chip_each_in_its_own_way() -> None:
    words = ["card=suit-rank", "dummy_lead=none", "timing=no", "letters=upper"]
    cup = match("bluechip:A", f"bluechip:The B team:{','.join(words)}")
    async with open_house(cup, tables=2) as house:
        bots = house.programs("a", NaturalBot)
        bots += house.programs(" the  B TEAM", BaselineBot, Quirks.parse(words))
        await house.play()
    await asyncio.gather(*bots)
    assert house.kept == await over_websockets(cup, NaturalBot, BaselineBot)


async def test_boards_that_are_only_bid_end_after_the_auction_for_programs() -> None:
    cup = match("bluechip:A", "bluechip:B", mode=Mode.BIDDING)
    async with open_house(cup) as house:
        bots = [*house.programs("A", NaturalBot), *house.programs("B", BaselineBot)]
        await house.play()
    await asyncio.gather(*bots)
    assert house.kept == await over_websockets(cup, NaturalBot, BaselineBot)
    assert all(record.is_finished for record in house.kept.values())


class Greedy(BaselineBot):
    """Claims all that is left, at every chance."""

    def claim(self, view: View) -> int | None:
        return 13 - len(view.playing.tricks)


@pytest.mark.parametrize("policy", [Claims.CHECKED, Claims.PLAYERS])
async def test_claims_against_programs_are_settled_without_asking_them(policy: Claims) -> None:
    """Programs cannot be asked, and so refuse; where the solver accepts, the next board
    begins."""
    cup = match("bluechip:A", "remote:B", boards=2, claims=policy)
    async with open_house(cup) as house:
        bots = [*house.programs("A", BaselineBot), *house.visitors("B", Greedy)]
        await house.play()
    await asyncio.gather(*bots)
    records = house.kept.values()
    assert all(record.is_finished and not record.faults for record in records)
    played_out = [len(record.cards) == 52 for record in records if record.contract]
    assert all(played_out) is (policy is Claims.PLAYERS)


async def test_questions_of_programs_are_in_the_record() -> None:
    """Each asks about the opponents' bids and doubles, of which it is told nothing else."""
    cup = match("bluechip:A:infos=none", "remote:B")
    async with open_house(cup) as house:
        bots = house.programs("A", NaturalBot, Quirks(explain=True))
        bots += house.visitors("B", NaturalBot)
        await house.play()
    await asyncio.gather(*bots)
    kept = [(record, asked) for record in house.kept.values() for asked in record.questions]
    assert {record.players[asked.seat] for record, asked in kept} == {"A"}
    assert {asked.seat for _, asked in kept} == set(SEATS)
    assert all(record.calls[asked.call].explanation for record, asked in kept)


async def test_players_of_an_individual_event_may_be_programs() -> None:
    """Each partners everybody, in one seat or another."""
    names = [f"P{number}" for number in range(8)]
    entries = tuple(Entrant(bot=f"bluechip:{name}", name=name) for name in names)
    cup = event(Format.INDIVIDUAL, 8, entries=entries, boards=1)
    async with open_house(cup, tables=2) as house:
        wanted = {
            (names[at], seat)
            for unit in house.units
            for seat, at in zip(SEATS, unit.lineup, strict=True)
        }
        bots = [house.program(name, seat, BaselineBot) for name, seat in wanted]
        await house.play()
    await asyncio.gather(*bots)
    assert len(house.kept) == len(house.units) == 14
    assert all(record.is_finished and not record.faults for record in house.kept.values())


# Programs that are lost.


class Lost(Exception):  # noqa: N818 (no error of the code under test)
    """The program has had enough."""


class Leaving(BaselineBot):
    """Is lost in the auction of board 2."""

    def call(self, view: View) -> MadeCall:
        if view.number == 2:
            raise Lost
        return super().call(view)


class Pausing(BaselineBot):
    """Is lost when board 1 is over."""

    def board_ended(self, view: View) -> None:
        if view.number == 1:
            raise Lost


async def came_again(house: House, first: Coming) -> None:
    """As soon as North of A is lost, the eighth at the table, another takes its seat."""
    with pytest.raises(Lost):
        await first
    await house.until_connected(7)
    await house.program("A", NORTH, BaselineBot)


async def test_a_program_that_is_lost_costs_the_board_and_the_next_takes_over(
    tmp_path: Path,
) -> None:
    cup = match("bluechip:A", "bluechip:B")
    log = tmp_path / "log.jsonl"
    async with open_house(cup, log=log) as house:
        bots = [*house.programs("B", BaselineBot)]
        bots += [house.program("A", seat, BaselineBot) for seat in SEATS if seat != NORTH]
        first = house.program("A", NORTH, Leaving)
        second = asyncio.create_task(came_again(house, first))
        await house.play()
    await asyncio.gather(*bots, second)
    lost = {unit: record for unit, record in house.kept.items() if not record.is_finished}
    (record,) = lost.values()
    assert list(lost) == ["1/1/2/open"]
    (fault,) = record.faults
    assert (fault.seat, fault.kind) == (NORTH, FaultKind.DISCONNECT)
    assert fault.detail == "connection lost (the connection was closed)"
    others = await over_websockets(cup, BaselineBot, BaselineBot)
    assert {**others, **lost} == house.kept
    seen = events_of(log, "A (N)")
    assert (seen[0], seen[-1]) == ("seated", "seated")
    assert sorted(seen[1:-1]) in (
        ["bot_lost", "connection"],
        ["bot_lost", "connection", "connection"],
    )


async def test_a_program_that_is_lost_between_boards_costs_nothing(tmp_path: Path) -> None:
    """North of A has no part in the closed room, and is back before board 2."""
    cup = match("bluechip:A", "bluechip:B", boards=2)
    log = tmp_path / "log.jsonl"
    async with open_house(cup, log=log) as house:
        bots = [*house.programs("B", BaselineBot)]
        bots += [house.program("A", seat, BaselineBot) for seat in SEATS if seat != NORTH]
        first = house.program("A", NORTH, Pausing)
        await house.play(house.units[:1])
        second = asyncio.create_task(came_again(house, first))
        await house.play(house.units[1:])
    await asyncio.gather(*bots, second)
    assert house.kept == await over_websockets(cup, BaselineBot, BaselineBot)
    assert "bot_lost" not in events_of(log, "A (N)")


async def test_a_seat_to_which_nobody_comes_back_loses_its_boards(tmp_path: Path) -> None:
    cup = match("bluechip:A", "bluechip:B", policies=EventPolicies(no_show=1.0))
    log = tmp_path / "log.jsonl"
    async with open_house(cup, log=log) as house:
        bots = [*house.programs("B", BaselineBot)]
        bots += [house.program("A", seat, BaselineBot) for seat in SEATS if seat != NORTH]
        first = house.program("A", NORTH, Leaving)
        await house.play()
    await asyncio.gather(*bots)
    with pytest.raises(Lost):
        await first
    faults = {
        unit: record.faults[-1].detail for unit, record in house.kept.items() if record.faults
    }
    assert faults == {
        "1/1/2/open": "connection lost (the connection was closed)",
        "1/1/3/open": "bot A (N) did not connect within 1 s",
    }
    assert events_of(log, "A (N)") == ["seated", "connection", "bot_lost", "no_show"]


async def test_a_program_that_comes_late_plays_the_boards_that_are_left() -> None:
    cup = match("bluechip:A", "bluechip:B", boards=2, policies=EventPolicies(no_show=0.2))
    async with open_house(cup) as house:
        open_1, closed_1, open_2, closed_2 = house.units
        bots = [*house.programs("B", BaselineBot)]
        bots += [house.program("A", seat, BaselineBot) for seat in SEATS if seat != WEST]
        await house.play([open_1, closed_1, open_2])
        assert [record.is_finished for record in house.kept.values()] == [True, False, True]
        assert house.kept[closed_1.id].faults[-1].seat == WEST
        assert any("bot A (W) did not connect within 0.2 s: " in line for line in house.lines)
        bots.append(house.program("A", WEST, BaselineBot))
        await house.until_connected(8)
        await house.play([closed_2])
    await asyncio.gather(*bots)
    assert house.kept[closed_2.id].is_finished


async def test_a_program_that_comes_when_all_is_over_is_said_goodbye_to() -> None:
    cup = match("bluechip:A", "bluechip:B", boards=2)
    async with open_house(cup) as house:
        bots = [*house.programs("B", BaselineBot)]
        bots += [house.program("A", seat, BaselineBot) for seat in SEATS if seat != NORTH]
        first = house.program("A", NORTH, Leaving)
        await house.play(house.units[:3])
        again = asyncio.create_task(came_again(house, first))
        await house.until_connected(8)
    await asyncio.gather(*bots, again)

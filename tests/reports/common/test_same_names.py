"""Bots of one name in several events: told from each other, and kept apart."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.reports.common.same_names import NamedBot, renamed, shared_names
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from tests.reports.leaderboard.events import event


def results(bot: str, *programs: str, name: str = "x") -> EventResults:
    """An event of one board in one room, which `name` plays North-South."""
    teams = event(Format.MATCH, name, "other", boards=1)
    entries = Entrant(bot=bot, name=name), teams.entries[1]
    played = [
        Played(
            BoardRecord(
                Board.dealt(1, 1),
                (name, "other", name, "other"),
                room=Room.OPEN,
                home=name,
                visitors="other",
                programs=(program, "", program, ""),
            )
        )
        for program in programs or ("",)
    ]
    return EventResults(teams.model_copy(update={"entries": entries}), played)


def groups(*events: EventResults) -> dict[str, list[tuple[int, ...]]]:
    """The events of each bot of the names that several have."""
    shared = shared_names(events, apart=False)
    return {each.name: [numbers for _, numbers in each.bots] for each in shared}


def test_a_bot_is_told_by_its_definition() -> None:
    assert groups(results("random"), results("natural"), results("random")) == {"x": [(0, 2), (1,)]}


def test_a_bot_is_told_by_its_folder() -> None:
    def of(folder: str) -> EventResults:
        played = results("cmd:bot")
        first = played.event.entries[0].model_copy(update={"dir": folder})
        entries = (first, played.event.entries[1])
        return replace(played, event=played.event.model_copy(update={"entries": entries}))

    assert groups(of("v1"), of("v2"), of("v1")) == {"x": [(0, 2), (1,)]}


def test_a_bot_is_told_by_the_version_that_played() -> None:
    first, second = results("cmd:bot", "Bot 1"), results("cmd:bot", "Bot 2")
    assert groups(first, second) == {"x": [(0,), (1,)]}
    assert groups(first, replace(first)) == {}


def test_a_version_that_is_not_known_tells_nothing() -> None:
    """A PBN file holds none."""
    assert groups(results("cmd:bot", "Bot 1"), results("cmd:bot")) == {}


def test_a_title_is_no_part_of_a_definition() -> None:
    assert groups(results("x=random"), results("random")) == {}
    assert groups(results("cmd:bot --level=1"), results("cmd:bot --level=2")) == {"x": [(0,), (1,)]}


def test_a_new_name_is_one_that_nobody_has() -> None:
    events = [results("random"), results("natural"), results("baseline", name="x (1)")]
    (shared,) = shared_names(events, apart=True)
    assert shared.names == ("x (2)", "x (3)")


BOTS = st.sampled_from(["random", "natural", "x=random"])
PROGRAMS = st.lists(st.sampled_from(["1", "2"]), max_size=1)


@given(st.lists(st.tuples(BOTS, PROGRAMS, st.sampled_from(["x", "y", "x (1)"])), max_size=6))
def test_kept_apart_no_name_has_two_bots(
    events: list[tuple[str, list[str], str]],
) -> None:
    found = [results(bot, *programs, name=name) for bot, programs, name in events]
    apart = renamed(found, shared_names(found, apart=True))
    assert shared_names(apart, apart=False) == []
    for each in apart:
        home = each.event.entries[0].name
        assert {record.home for record in (one.record for one in each.played)} == {home}
        assert {one.record.players[0] for one in each.played} == {home}


def test_a_bot_says_its_definition_and_programs() -> None:
    assert str(NamedBot("cmd:bot", ("Bot 1", "Bot 2"))) == "`cmd:bot` (Bot 1, Bot 2)"
    assert str(NamedBot("random", ())) == "`random`"

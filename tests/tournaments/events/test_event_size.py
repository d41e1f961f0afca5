"""How much an event is, against the plan of what is played."""

from __future__ import annotations

import pytest

from bridge_arena.tournaments.events.event import Entrant, Event, EventSize, event_size
from bridge_arena.tournaments.formats.rules import Deals, Format, Movement
from bridge_arena.tournaments.schedule.plan import plan


def an_event(format_: Format, entries: int, **keys: object) -> Event:
    entrants = [{"bot": "random", "name": f"{number}"} for number in range(entries)]
    return Event.model_validate(
        {"name": "x", "format": format_, "seed": 1, "entries": entrants, "boards": 3, **keys}
    )


KINDS: list[dict[str, object]] = [
    *(
        {"format_": format_, "deals": deals, "legs": legs}
        for format_, legs in (
            (Format.ROUND_ROBIN, 1),
            (Format.ROUND_ROBIN, 2),
            (Format.GAUNTLET, 1),
        )
        for deals in Deals
    ),
    {"format_": Format.PAIRS, "movement": Movement.HOWELL},
    {"format_": Format.PAIRS, "movement": Movement.MITCHELL},
    {"format_": Format.INDIVIDUAL},
]


@pytest.mark.parametrize(
    ("keys", "entries"),
    [
        pytest.param(keys, entries, id="-".join(map(str, [*keys.values(), entries])))
        for keys in KINDS
        for entries in (4, 5, 8, 9, 12)
        if entries >= 8 or keys["format_"] is not Format.INDIVIDUAL
    ],
)
def test_the_size_of_an_event_is_that_of_its_plan(keys: dict[str, object], entries: int) -> None:
    """Every board of the supply up to the last is played, so a file needs no more."""
    event = an_event(**keys, entries=entries)  # type: ignore[arg-type]
    rounds = plan(event, [])
    matches = [match for each in rounds for match in each.matches]
    units = [unit for match in matches for unit in match.units()]
    boards = {unit.board for unit in units}
    assert event_size(event) == EventSize(len(rounds), len(matches), len(boards), len(units))
    assert boards == set(range(1, len(boards) + 1))


@pytest.mark.parametrize("deals", Deals)
@pytest.mark.parametrize("entries", [2, 5, 8])
def test_the_size_of_a_first_round_is_that_of_its_plan(entries: int, deals: Deals) -> None:
    """These are a Swiss of one round, a knock-out between two, and the like."""
    for event in (
        an_event(Format.SWISS, entries, deals=deals, rounds=1),
        an_event(Format.KNOCK_OUT, 2, deals=deals),
        an_event(Format.MATCH, 2, deals=deals),
    ):
        (only,) = plan(event, [])
        units = [unit for match in only.matches for unit in match.units()]
        boards = {unit.board for unit in units}
        assert event_size(event) == EventSize(1, len(only.matches), len(boards), len(units))


def test_the_sizes_of_a_swiss_and_a_knock_out_are_those_by_hand() -> None:
    """Seven entries: three matches and a bye in each round; six matches to one winner."""
    assert event_size(an_event(Format.SWISS, 7, rounds=4, deals=Deals.BAROMETER)) == EventSize(
        4, 12, 12, 72
    )
    assert event_size(an_event(Format.SWISS, 7, rounds=4, deals=Deals.FRESH)) == EventSize(
        4, 12, 36, 72
    )
    assert event_size(an_event(Format.KNOCK_OUT, 7, deals=Deals.BAROMETER)) == EventSize(
        3, 6, 9, 36
    )


@pytest.mark.parametrize(
    ("format_", "entries"),
    [(Format.MATCH, 1), (Format.KNOCK_OUT, 0), (Format.PAIRS, 1), (Format.INDIVIDUAL, 7)],
)
def test_numbers_of_entries_that_cannot_play_are_refused(format_: Format, entries: int) -> None:
    with pytest.raises(ValueError, match=str(entries)):
        event_size(an_event(format_, entries))


def test_entrants_keep_their_order() -> None:
    """The plan above speaks of entries by number."""
    assert an_event(Format.MATCH, 2).entries == tuple(
        Entrant(bot="random", name=name) for name in "01"
    )

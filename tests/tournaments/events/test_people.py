"""Tests of the defaults of events with people, and of the number of people."""

from __future__ import annotations

import pytest

from bridge_arena.bridge.seats import SEATS
from bridge_arena.tournaments.events.entries import Access, EntryError, parse_entry
from bridge_arena.tournaments.events.event import Entrant, EventPolicies
from bridge_arena.tournaments.events.people import (
    CLOCK,
    GRACE,
    NO_SHOW,
    people_of,
    person_of,
    suited,
)
from bridge_arena.tournaments.formats.rules import Format
from tests.tournaments.scores import event

ANN = parse_entry("human:Ann")

WITH_ANN = event(
    Format.MATCH,
    0,
    entries=(Entrant(bot="human:Ann & random", name="Us"), Entrant(bot="random", name="Them")),
)


def test_a_person_is_an_entry() -> None:
    assert (ANN.name, ANN.access, ANN.command) == ("Ann", Access.HUMAN, ())
    with pytest.raises(EntryError, match="gives no name"):
        parse_entry("human: ")


def test_an_event_knows_its_people() -> None:
    assert people_of(WITH_ANN) == ["Us / Ann"]
    assert people_of(event(Format.MATCH, 2)) == []


def test_defaults_of_events_with_people_suit_people() -> None:
    found = suited(WITH_ANN, (), ())
    assert (found.clock, found.policies.grace, found.policies.no_show) == (CLOCK, GRACE, NO_SHOW)


def test_keys_that_are_given_stand_in_events_with_people() -> None:
    said = WITH_ANN.model_copy(update={"clock": "5", "policies": EventPolicies(grace=1, no_show=2)})
    assert suited(said, ("clock",), ("grace", "no_show")) == said


def test_events_of_bots_keep_their_own_defaults() -> None:
    bots = event(Format.MATCH, 2)
    assert suited(bots, (), ()) == bots


@pytest.mark.parametrize(
    ("format_", "count"),
    [(Format.MATCH, 4), (Format.SWISS, 4), (Format.PAIRS, 2), (Format.INDIVIDUAL, 1)],
)
def test_how_many_people_a_name_stands_for(format_: Format, count: int) -> None:
    """In a team's two rooms the same boards are played; who moves round the tables is one."""
    assert len({person_of(format_, ANN, seat) for seat in SEATS}) == count

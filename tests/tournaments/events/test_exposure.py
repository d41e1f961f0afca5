"""Tests of what an event leaves open to bots that are not trusted."""

from __future__ import annotations

import pytest

from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.events.sealed_deals import exposures
from bridge_arena.tournaments.formats.rules import Deals, Format
from tests.tournaments.scores import event


def of(format_: Format, *bots: str, **settings: object) -> Event:
    entries = tuple(Entrant(bot=bot, name=f"e{at}") for at, bot in enumerate(bots))
    return event(format_, 0, **{"seed": None, "entries": entries, **settings})


def test_our_own_bots_are_trusted() -> None:
    assert not list(exposures(of(Format.ROUND_ROBIN, "random", "natural", "baseline")))


@pytest.mark.parametrize("stranger", ["remote:far", "http:http://127.0.0.1:8085"])
def test_a_stranger_can_remember_deals_and_sit_in_both_rooms(stranger: str) -> None:
    again, rooms = exposures(of(Format.ROUND_ROBIN, "random", stranger, "natural"))
    assert "can remember them (e1)" in again
    assert "hands of both rooms side by side" in rooms


@pytest.mark.parametrize("deals", [Deals.BAROMETER, Deals.FRESH])
def test_deals_that_nobody_meets_again_are_exposed_by_both_rooms_alone(deals: Deals) -> None:
    bots = ("random", "remote:far", "natural")
    (rooms,) = exposures(of(Format.ROUND_ROBIN, *bots, deals=deals))
    assert "both rooms" in rooms


def test_a_program_that_is_started_here_can_remember_but_for_a_sandbox() -> None:
    bots = ("random", "cmd:./mine", "natural")
    (again,) = exposures(of(Format.ROUND_ROBIN, *bots))
    assert "can remember them (e1)" in again
    assert not list(exposures(of(Format.ROUND_ROBIN, *bots, isolation=Isolation.SANDBOX)))


def test_one_program_alone_may_be_in_a_sandbox() -> None:
    own = {"e0": Isolation.SANDBOX, "e1": Isolation.NONE}
    entries = tuple(Entrant(bot=f"cmd:./{name}", name=name, isolation=own[name]) for name in own)
    rest = Entrant(bot="natural", name="e2")
    (again,) = exposures(of(Format.ROUND_ROBIN, entries=(*entries, rest)))
    assert "can remember them (e1)" in again


def test_a_pair_meets_a_deal_once() -> None:
    assert not list(exposures(of(Format.PAIRS, "remote:a", "remote:b", "random", "random")))


def test_a_match_has_two_rooms_but_no_second_match() -> None:
    (rooms,) = exposures(of(Format.MATCH, "remote:far", "natural"))
    assert "(e0)" in rooms


def test_a_person_has_one_hand_of_a_board() -> None:
    team = "random & human:Ann & random & random"
    assert not list(exposures(of(Format.MATCH, team, "natural")))


def test_nothing_is_hidden_where_the_deals_are_not_sealed() -> None:
    assert not list(exposures(of(Format.ROUND_ROBIN, "remote:a", "remote:b", "random", seed=1)))


@pytest.mark.parametrize("broadcast", ["live", "30"])
def test_spectators_may_tell_a_bot_what_they_see(broadcast: str) -> None:
    told, _ = exposures(of(Format.MATCH, "remote:far", "natural", broadcast=broadcast))
    assert f'broadcast = "{broadcast}"' in told
    assert "(e0)" in told
    assert not list(exposures(of(Format.MATCH, "natural", "random", broadcast=broadcast)))
    (rooms,) = exposures(of(Format.MATCH, "remote:far", "natural", broadcast="board"))
    assert "both rooms" in rooms

"""Tests of the text about an event's clock, claims and policies."""

from __future__ import annotations

from bridge_arena.reports.common.values import values
from bridge_arena.reports.leaderboard import wording
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.report import summary as leaderboard_summary
from bridge_arena.reports.match.figures import match_figures
from bridge_arena.reports.match.report import render
from bridge_arena.reports.match.wording import how_texts
from bridge_arena.server.claims import Claims
from bridge_arena.server.faults import Remedy
from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.event import (
    PLAIN,
    Entrant,
    Event,
    EventPolicies,
    differences,
    terms,
    terms_text,
)
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_results import EventResults
from tests.tournaments.scores import event

ALL = EventPolicies(
    restarts=1, retries=0, at_zero=Remedy.FORFEIT, illegal=9, timeouts=2, grace=2.5, no_show=5
)


def test_the_defaults_are_not_told() -> None:
    assert terms(event(Format.SWISS, 4)) == {}
    assert terms(event(Format.MATCH, 2)) == {}
    assert terms(event(Format.MATCH, 2, policies=PLAIN)) == {}
    assert terms_text({}) == ""


def test_what_a_plain_match_has_is_told_of_an_event() -> None:
    assert terms(event(Format.SWISS, 4, policies=PLAIN)) == {"restarts": 0, "grace": 0.0}


def test_terms_that_differ_from_the_defaults_are_told() -> None:
    found = terms(event(Format.MATCH, 2, clock="9 board=99", claims=Claims.CHECKED, policies=ALL))
    assert found == {
        "clock": "9 board=99",
        "claims": "checked",
        "restarts": 1,
        "retries": 0,
        "at_zero": "forfeit",
        "illegal": 9,
        "timeouts": 2,
        "grace": 2.5,
        "no_show": 5.0,
    }
    assert terms_text(found) == (
        "Set otherwise than by default: clock 9 board=99, claims checked, restarts 1, retries 0, "
        "at_zero forfeit, illegal 9, timeouts 2, grace 2.5, no_show 5."
    )


def test_a_match_report_tells_the_terms() -> None:
    figures = match_figures(EventResults(event(Format.MATCH, 2, claims=Claims.PLAYERS), []))
    text = "Set otherwise than by default: claims players."
    assert text in how_texts(figures)
    assert text in render(figures)
    assert values(figures)["terms"] == {"claims": "players"}


def test_settings_of_single_entries_are_terms() -> None:
    entries = (
        Entrant(bot="random", name="<own>", clock="<i>", restarts=0, dir="v1", env=("KEY=1",)),
        Entrant(bot="random", name="other", clock="9", isolation=Isolation.NONE),
    )
    match = event(Format.MATCH, 0, clock="9", entries=entries)
    found = terms(match)
    assert found == {"clock": "9", "clock of <own>": "<i>", "restarts of <own>": 0}
    page = render(match_figures(EventResults(match, [])))
    assert "clock of &lt;own&gt; &lt;i&gt;, restarts of &lt;own&gt; 0." in page
    assert "<own>" not in page


def test_a_leaderboard_tells_the_terms_of_each_event() -> None:
    usual = event(Format.MATCH, 2, name="Usual")
    other = event(Format.MATCH, 2, name="Other", claims=Claims.PLAYERS)
    board = leaderboard([EventResults(usual, []), EventResults(other, [])])
    told = [text for text in wording.how_texts(board) if "default" in text]
    assert told == ["Other: Set otherwise than by default: claims players."]
    events = leaderboard_summary(board)["events"]
    assert [each["terms"] for each in events] == [{}, {"claims": "players"}]


def test_differences_are_named_key_by_key() -> None:
    def named(**changes: object) -> list[str]:
        return differences(one, Event(**{**dict(one), **changes}))

    one = event(Format.MATCH, 2)
    assert named() == []
    assert named(clock="30", claims=Claims.PLAYERS) == ["clock", "claims"]
    assert named(boards=9, policies=EventPolicies(retries=2, grace=1)) == [
        "boards",
        "policies.retries",
        "policies.grace",
    ]


def test_differences_of_entries_are_named_with_the_name_that_was() -> None:
    def match(*entries: Entrant) -> Event:
        return event(Format.MATCH, 0, entries=entries)

    before = match(Entrant(bot="random", name="a"), Entrant(bot="cmd:bot", name="bot-2"))
    own = Entrant(bot="cmd:bot", name="bot (v2)", clock="9")
    assert differences(match(before.entries[0], own), before) == [
        "name of entry 2 (it was 'bot-2')",
        "clock of entry 2",
    ]
    assert differences(match(own), before) == ["entries"]

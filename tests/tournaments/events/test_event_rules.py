"""Tests of the combinations of keys that an event allows."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Mode
from bridge_arena.pbn.read.records import read_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import HEADER, format_game
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.faults import Remedy
from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.event import Entrant, EntrySettings, Event, EventPolicies
from bridge_arena.tournaments.events.event_rules import cautions, mistakes, settle, swiss_rounds
from bridge_arena.tournaments.formats.pairings import first_round, pair_swiss
from bridge_arena.tournaments.formats.rules import Deals, Format, Scoring


def an_event(format_: Format, entries: int, **keys: Any) -> Event:
    """A settled event of bots alike."""
    entrants = tuple(Entrant(bot="random", name=f"bot {number}") for number in range(entries))
    event = Event(name="An event", format=format_, seed=1, entries=entrants, **keys)
    return settle(event, keys)


def wrong(event: Event, *given_keys: str) -> list[tuple[str, str]]:
    """The mistakes, each as its place and text."""
    return [
        (".".join(map(str, each.place)), each.text) for each in mistakes(event, set(given_keys))
    ]


@pytest.mark.parametrize("format_", Format)
def test_eight_entries_can_play_everything_but_a_match(format_: Format) -> None:
    found = wrong(an_event(format_, 8))
    assert found == (
        [("entry", "format match takes 2 entries, not 8")] if format_ is Format.MATCH else []
    )


@pytest.mark.parametrize(
    ("format_", "entries", "words"),
    [
        (Format.MATCH, 1, "format match takes 2 entries, not 1"),
        (Format.ROUND_ROBIN, 1, "takes 2 entries or more, not 1"),
        (Format.GAUNTLET, 0, "takes 2 entries or more, not 0"),
        (Format.SWISS, 1, "takes 2 entries or more, not 1"),
        (Format.KNOCK_OUT, 1, "takes 2 entries or more, not 1"),
        (Format.PAIRS, 3, "takes 4 entries or more, not 3"),
        (Format.PAIRS, 61, "not 61"),
        (Format.INDIVIDUAL, 5, "takes 8 entries or more, not 5"),
        (Format.INDIVIDUAL, 10, "takes 8, 9, 12, 13, 16"),
    ],
)
def test_each_format_has_its_numbers_of_entries(format_: Format, entries: int, words: str) -> None:
    ((place, text),) = wrong(an_event(format_, entries))
    assert place == "entry"
    assert words in text


@pytest.mark.parametrize("format_", Format)
def test_the_page_of_events_names_the_numbers_of_entries_that_a_format_takes(
    format_: Format,
) -> None:
    page = Path(__file__).parents[3] / "docs" / "running-an-event.md"
    (row,) = re.findall(rf"\| `{format_}` \|.*", page.read_text().partition("## Formats")[2])
    told = row.split("|")[3].partition(":")[0]
    least, *others = map(int, re.findall(r"\d+", told))
    taken = [entries for entries in range(64) if not wrong(an_event(format_, entries))]
    assert taken[0] == least
    if "..." in told:  # "8, 9, 12, 13, ... 40, 41"
        assert taken[:4] + taken[-2:] == [least, *others]
    else:  # "2", "2 or more" or "4 or more, in a Howell up to 60"
        assert taken[-1] == (others[0] if others else 63 if "or more" in told else least)


@pytest.mark.parametrize("scoring", Scoring)
@pytest.mark.parametrize("format_", Format)
def test_scoring_by_tables_is_for_tables(format_: Format, scoring: Scoring) -> None:
    found = wrong(an_event(format_, 2 if format_ is Format.MATCH else 8, scoring=scoring))
    assert [place for place, _ in found] == (
        [] if scoring in format_.rules.scorings else ["event.scoring"]
    )
    comparing = scoring in (Scoring.MATCHPOINTS, Scoring.BUTLER, Scoring.CROSS_IMPS)
    assert not found or comparing == format_.is_teams or format_ is Format.KNOCK_OUT


@pytest.mark.parametrize("key", ["rounds", "legs", "movement", "sprt"])
@pytest.mark.parametrize("format_", Format)
def test_keys_of_one_format_are_refused_in_others(format_: Format, key: str) -> None:
    own = {
        "rounds": Format.SWISS,
        "legs": Format.ROUND_ROBIN,
        "movement": Format.PAIRS,
        "sprt": Format.MATCH,
    }[key]
    found = wrong(an_event(format_, 2 if format_ is Format.MATCH else 8), key)
    assert found == (
        [] if format_ is own else [(f"event.{key}", f"only for format {own}, not {format_}")]
    )


def test_movements_give_the_boards() -> None:
    for format_ in (Format.PAIRS, Format.INDIVIDUAL):
        ((place, text),) = wrong(an_event(format_, 8, deals=Deals.FRESH), "deals")
        assert place == "event.deals"
        assert "movement" in text
    assert not wrong(an_event(Format.SWISS, 8, deals=Deals.FRESH), "deals")


def test_a_sequential_test_is_of_imps_and_must_be_one() -> None:
    event = an_event(Format.MATCH, 2, sprt="imp0=1", scoring=Scoring.VP)
    assert wrong(event, "sprt") == [
        ("event.sprt", "only for scoring by imps, not by vp"),
        ("event.sprt", "imp1=0.5 must be above imp0=1"),
    ]
    assert not wrong(an_event(Format.MATCH, 2, sprt="imp0=-1 imp1=0"), "sprt")


def test_only_a_butler_datum_is_trimmed() -> None:
    event = an_event(Format.PAIRS, 8, trim=0.2)
    assert wrong(event, "trim") == [
        ("event.trim", "only for scoring by butler, not by matchpoints")
    ]
    assert not wrong(an_event(Format.PAIRS, 8, trim=0.2, scoring=Scoring.BUTLER), "trim")


@pytest.mark.parametrize(("entries", "most"), [(2, 1), (3, 3), (4, 3), (7, 7), (8, 7)])
def test_a_swiss_ends_when_all_have_met(entries: int, most: int) -> None:
    assert not wrong(an_event(Format.SWISS, entries, rounds=most), "rounds")
    assert wrong(an_event(Format.SWISS, entries, rounds=most + 1), "rounds") == [
        ("event.rounds", f"{most + 1} is too many: all have met after round {most}")
    ]


@pytest.mark.parametrize("entries", range(2, 18))
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_the_rounds_of_a_swiss_that_gives_none_need_no_rematch(
    entries: int, data: st.DataObject
) -> None:
    """No rematch is needed, however the standings change."""
    met: set[frozenset[int]] = set()
    byes: list[int] = []
    for number in range(swiss_rounds(entries)):
        order = data.draw(st.permutations(range(entries)))
        drawn = first_round(entries) if number == 0 else pair_swiss(order, met, byes)
        pairs = {frozenset(pair) for pair in drawn.pairs}
        assert not pairs & met
        met |= pairs
        byes += [] if drawn.bye is None else [drawn.bye]
    assert len(set(byes)) == len(byes)


def test_the_rounds_of_a_swiss_are_one_more_than_a_knock_out_takes() -> None:
    assert [swiss_rounds(entries) for entries in (2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 32, 33)] == [
        *(1, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7)
    ]


def test_a_knock_out_leaves_numbers_for_extra_boards() -> None:
    assert not wrong(an_event(Format.KNOCK_OUT, 4, boards=5000), "boards")
    ((place, text),) = wrong(an_event(Format.KNOCK_OUT, 4, boards=5001), "boards")
    assert place == "event.boards"
    assert "10002" in text
    assert not wrong(an_event(Format.MATCH, 2, boards=20_000), "boards")


def test_clock_bots_and_names_must_be_usable() -> None:
    event = Event(
        name="",
        format=Format.ROUND_ROBIN,
        seed=1,
        clock="soon",
        mode=Mode.PLAY,
        entries=(
            Entrant(bot="random", name="a"),
            Entrant(bot="nobody", name="a"),
            Entrant(bot="baseline:x=1", name="b"),
            Entrant(bot="random", name=" b"),
            Entrant(bot="random", name="a"),
        ),
    )
    found = wrong(settle(event, ()))
    assert [place for place, _ in found] == [
        "entry.1.bot",
        "entry.1.name",
        "entry.2.bot",
        "entry.3.name",
        "entry.4.name",
        "event.name",
        "event.clock",
    ]
    assert "is the name of entry 1 too" in found[4][1]


def test_claims_need_cards_and_a_forfeit_needs_time_to_be_used_up() -> None:
    for mode in Mode:
        found = wrong(an_event(Format.MATCH, 2, mode=mode, claims=Claims.PLAYERS))
        assert [place for place, _ in found] == ["event.claims"] * (mode is Mode.BIDDING)
        assert not wrong(an_event(Format.MATCH, 2, mode=mode, claims=Claims.OFF))
    policies = EventPolicies(at_zero=Remedy.FORFEIT)
    for clock, count in {"60": 1, "60 lag=1": 1, "60 board=90": 0, "match=90+1": 0}.items():
        found = wrong(an_event(Format.MATCH, 2, clock=clock, policies=policies))
        assert [place for place, _ in found] == ["policies.at_zero"] * count


def with_own(bot: str, format_: Format = Format.MATCH, **own: Any) -> Event:
    """An event whose first entry has settings of its own."""
    event = an_event(format_, 8 if format_ is Format.INDIVIDUAL else 2)
    entrant = Entrant(bot=bot, name="own", **own)
    return event.model_copy(update={"entries": (entrant, *event.entries[1:])})


def test_settings_of_an_entry_take_the_place_of_the_events() -> None:
    own: dict[str, Any] = {
        "clock": "5 match=60",
        "start": 9,
        "restarts": 0,
        "isolation": Isolation.SANDBOX,
    }
    event = with_own("random", **own)
    assert wrong(event) == []
    first, other = map(event.settings, event.entries)
    assert first == EntrySettings(TimeControl(5, match=60), 9, 0, Isolation.SANDBOX, 30)
    assert other == EntrySettings(TimeControl(60), 300, 3, Isolation.NONE, 30)
    assert wrong(event.model_copy(update={"policies": EventPolicies(at_zero=Remedy.FORFEIT)})) == []


@pytest.mark.parametrize(
    ("event", "place", "words"),
    [
        (with_own("random", clock="fast"), "clock", "'fast' is not a time limit"),
        (with_own("random", Format.INDIVIDUAL, clock="60 board=9"), "clock", "share one limit"),
        (with_own("random", dir="nowhere"), "dir", "there is no folder .*/nowhere"),
        (with_own("random", env=("A B=1",)), "env", "'A B=1' is neither"),
        (with_own("random", env=("ok", "X=a\0b")), "env", "is neither"),
        (with_own("random", env=("ARENA_TOKEN=x",)), "env", "ARENA_TOKEN is the arena's own"),
        (with_own("remote:far", dir="."), "dir", "only for a program that the arena starts"),
        (with_own("remote:far", env=("A",)), "env", "only for a program"),
        (with_own("remote:far", start=9), "start", "only for a program"),
        (with_own("human:A & remote:b", isolation=Isolation.NONE), "isolation", "only for"),
        (with_own("http:http://a", isolation=Isolation.SANDBOX), "bot", "does not have"),
    ],
)
def test_wrong_settings_of_an_entry_are_mistakes(event: Event, place: str, words: str) -> None:
    found = [text for where, text in wrong(event) if where == f"entry.0.{place}"]
    assert len(found) == 1
    assert re.search(words, found[0])


def test_values_of_variables_are_warned_of() -> None:
    (warning,) = cautions(with_own("random", env=("KEY", "A=1", "B=")))
    assert "env of own: the results show the values of A, B:" in warning
    assert not list(cautions(with_own("random", env=("KEY",))))


@pytest.mark.parametrize(
    ("first", "second", "isolation", "holds"),
    [
        (".", "two", "sandbox", "the folder of the event file"),
        ("..", None, "sandbox", "the folder of the event file"),
        ("one", "one/two", "sandbox", "the folder of other"),
        ("one", "one/two", "none", None),
        ("one", "two", "sandbox", None),
        ("one", "one", "sandbox", None),
        ("one", None, "sandbox", None),
        (None, "two", "sandbox", None),
    ],
)
def test_a_folder_is_warned_of_that_shows_a_bot_in_a_sandbox_more_than_its_own(
    tmp_path: Path, first: str | None, second: str | None, isolation: str, holds: str | None
) -> None:
    entries = tuple(
        Entrant(bot="cmd:bot", name=name, dir=folder)
        for name, folder in (("own", first), ("other", second))
    )
    match = an_event(Format.MATCH, 2, isolation=Isolation(isolation))
    found = cautions(match.model_copy(update={"entries": entries}).located(tmp_path))
    expected = [] if holds is None else [f"dir of own holds {holds}, and its bot can read"]
    assert [line[: len(expected[0])] for line in found] == expected


def test_entries_that_come_by_themselves_have_clocks_and_restarts() -> None:
    assert wrong(with_own("remote:far", clock="5 board=60", restarts=0)) == []


@given(st.text(max_size=12) | st.text(st.characters(max_codepoint=0x17F), max_size=101))
def test_names_that_are_allowed_come_back_from_pbn(name: str) -> None:
    entrants = (Entrant(bot="random", name=name), Entrant(bot="random", name="other"))
    event = Event(name="An event", format=Format.MATCH, seed=1, entries=entrants)
    if wrong(settle(event, ())):
        return
    name = event.entries[0].name
    players = (name, "other", name, "other")
    record = BoardRecord(Board.dealt(1, 1), players, event=name, home=name, visitors="other")
    text = HEADER + format_game(game_of(record))
    (read,) = read_records(BytesIO(text.encode("latin-1")))
    assert (read.players, read.event, read.home) == (players, name, name)


@pytest.mark.parametrize("name", ["", " ", "a ", "?", "#1", "a\nb", "\x7f", "\xad", "Ω", "a" * 101])
def test_names_that_pbn_cannot_hold_are_refused(name: str) -> None:
    event = an_event(Format.MATCH, 2).model_copy(update={"name": name})
    assert [place for place, _ in wrong(event)] == ["event.name"]


@pytest.mark.parametrize("name", ["a", "a ?", "C#", 'the "best"', "back\\slash", "Größe", "~{};%"])
def test_names_that_pbn_can_hold_are_allowed(name: str) -> None:
    assert not wrong(an_event(Format.MATCH, 2).model_copy(update={"name": name}))


# Blue Chip programs.


def programs(*bots: str, **keys: Any) -> Event:
    """An event of such bots."""
    event = an_event(Format.ROUND_ROBIN, len(bots), **keys)
    entries = tuple(Entrant(bot=bot, name=f"e{number}") for number, bot in enumerate(bots))
    return event.model_copy(update={"entries": entries})


def test_programs_are_told_apart_by_their_teams() -> None:
    found = wrong(programs("bluechip:A", "random", "bluechip: a :timing=no", "x=bluechip:B"))
    assert found == [("entry.2.bot", "'a' is the team of entry 1 too")]


def test_a_bad_entry_has_no_team() -> None:
    found = wrong(programs("bluechip:A:tea=5", "bluechip:A"))
    assert [place for place, _ in found] == ["entry.0.bot"]


def test_programs_bid_for_themselves() -> None:
    assert wrong(programs("bluechip:A", "random", mode=Mode.BIDDING)) == []
    assert wrong(programs("bluechip:A", "random", mode=Mode.PLAY)) == [
        ("entry.0.bot", "a Blue Chip program bids for itself: not in mode play")
    ]


TEAM = '"natural & human:Bob & natural & natural"'


@pytest.mark.parametrize(
    ("format_", "bot", "seats", "example"),
    [
        (Format.MATCH, "human:Bob", 4, TEAM),
        (Format.SWISS, "human:Bob & natural", 2, TEAM),
        (Format.KNOCK_OUT, "human:Bob & natural & natural & human:Bob", 2, TEAM),
        (Format.ROUND_ROBIN, "natural & Us=human:Bob", 2, TEAM.replace("Bob", "Us")),
        (Format.PAIRS, "human:Bob", 2, '"natural & human:Bob"'),
        (Format.PAIRS, "human:Bob & human:Bob", 2, '"natural & human:Bob"'),
    ],
)
def test_a_person_has_one_seat_of_a_board(
    format_: Format, bot: str, seats: int, example: str
) -> None:
    count = 2 if format_ is Format.MATCH else 4
    event = settle(with_bots(an_event(format_, count), bot), ())
    person = "Us" if "Us=" in bot else "Bob"
    assert wrong(event) == [
        (
            "entry.0.bot",
            f"{person} would have {seats} seats of bot 0 on every board: give a person one seat, "
            f"as in {example}",
        )
    ]


def with_bots(event: Event, *bots: str) -> Event:
    """The event with these in place of its first ones."""
    chosen = zip(event.entries, [*bots, *["random"] * len(event.entries)], strict=False)
    entries = tuple(entrant.model_copy(update={"bot": bot}) for entrant, bot in chosen)
    return event.model_copy(update={"entries": entries})


@pytest.mark.parametrize(
    ("format_", "bots"),
    [
        (
            Format.MATCH,
            [
                "natural & human:Bob & human:Ann & natural",
                "human:Eve & a=human:Cy & random & random",
            ],
        ),
        (Format.PAIRS, ["natural & human:Bob", "human:Ann & human:Eve"]),
        (Format.INDIVIDUAL, ["human:Bob", "human:Ann"]),
    ],
)
def test_people_may_have_a_seat_each(format_: Format, bots: list[str]) -> None:
    count = {Format.MATCH: 2, Format.PAIRS: 4, Format.INDIVIDUAL: 8}[format_]
    assert wrong(with_bots(an_event(format_, count), *bots)) == []


@pytest.mark.parametrize(
    ("format_", "bot"),
    [
        (Format.MATCH, "random & human:Bob & random & random"),
        (Format.PAIRS, "random & human:Bob"),
        (Format.INDIVIDUAL, "human:Bob"),
    ],
)
def test_a_person_plays_for_one_entry(format_: Format, bot: str) -> None:
    count = {Format.MATCH: 2, Format.PAIRS: 4, Format.INDIVIDUAL: 8}[format_]
    assert wrong(with_bots(an_event(format_, count), bot, bot)) == [
        (
            "entry.1.bot",
            "Bob of bot 1 plays for bot 0 too: write another human:NAME, as a person plays for one "
            "entry",
        )
    ]


def test_a_person_meets_no_board_again_in_another_match() -> None:
    """Nor does anybody who plays with one, whatever the deals come from."""
    bot = "random & human:Bob & random & random"
    event = with_bots(an_event(Format.GAUNTLET, 3), bot)
    assert settle(event, ()).deals is Deals.BAROMETER
    assert wrong(settle(event, ())) == []
    for format_ in (Format.GAUNTLET, Format.SWISS):
        event = with_bots(an_event(format_, 3, deals=Deals.SAME), bot)
        assert wrong(event, "deals") == [
            (
                "event.deals",
                '"same" gives bot 0 / Bob the same boards in every match: "barometer" or "fresh"',
            )
        ]

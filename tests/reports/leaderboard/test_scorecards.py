"""Recaps of pairs and individual events, scorecards, and the bracket of a knock-out."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.seats import Seat
from bridge_arena.reports.common.wording import signed
from bridge_arena.reports.leaderboard.bracket import Pairing, bracket
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.lines import score_of
from bridge_arena.reports.leaderboard.report import PAGE, SUMMARY
from bridge_arena.reports.leaderboard.scorecards import recap
from bridge_arena.reports.leaderboard.wording import deals_text, labels, title
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from tests.reports.leaderboard.events import event, lost, play_event, result, units
from tests.reports.pages import words, write_site


@pytest.fixture(scope="module")
def individual() -> EventResults:
    return play_event(
        event(Format.INDIVIDUAL, *"abcdefgh", boards=1, scoring=Scoring.MATCHPOINTS, title="Cup")
    )


@pytest.mark.parametrize("scoring", [Scoring.MATCHPOINTS, Scoring.BUTLER, Scoring.CROSS_IMPS])
def test_the_lines_of_a_scorecard_make_its_score(scoring: Scoring) -> None:
    (figures,) = leaderboard(
        [play_event(event(Format.PAIRS, *"abcd", boards=2, scoring=scoring))]
    ).events
    for standing in figures.standings.entries:
        own = figures.lines[figures.event.entries[standing.entry].name]
        score = score_of(figures.sums, standing)
        assert len(own) == score.n == standing.boards
        assert score.mean == pytest.approx(standing.score)
        assert score.standard_error is not None


def test_a_score_counts_boards_not_played_against_a_withdrawn_pair(tmp_path: Path) -> None:
    pairs = event(Format.PAIRS, *"abcd", boards=1, scoring=Scoring.MATCHPOINTS)
    first, *others = units(pairs)
    gone = first.lineup[0]
    played = [lost(pairs, first, "N", adjusted=False)]
    played += [result(pairs, unit, "1NT", "N", 7) for unit in others if gone not in unit.lineup]
    results = EventResults(pairs, played)
    pages = write_site([results], tmp_path)
    # Two boards that only one table played are 50 %, the third is average plus.
    cards = [page for address, page in pages.items() if "scorecard" in address]
    assert ["53.33 % over 2 boards" in words(card) for card in cards] == [True] * 3
    assert words(pages[PAGE]).count("53.33 2") == 3
    entries = json.loads((tmp_path / SUMMARY).read_text())["entries"]
    errors = [place["standard_error"] for one in entries for place in one["standings"]]
    assert errors == [None] * 4


def test_an_individual_has_a_recap_and_a_scorecard_for_each(
    individual: EventResults, tmp_path: Path
) -> None:
    pages = write_site([individual], tmp_path)
    (figures,) = leaderboard([individual]).events
    page = pages[PAGE]
    cards = [link for link in page.links if "scorecard" in link]
    assert sorted(cards[8:]) == sorted(cards[:8]), "the rows of the plot lead there too"
    del cards[8:]
    assert cards == [
        f"boards/scorecard-{standing.entry + 1}.html" for standing in figures.standings.entries
    ], "in the order of the standings, each once"
    boards = [f"boards/board.html#board=board-{number}" for number in range(1, 8)]
    assert [link for link in page.links if link in boards] == boards
    shown = recap(figures)
    for _, name, scores in shown.entries:
        assert f"{name} {' '.join(scores)}" in words(page)

    line = figures.lines["a"][0]
    card = pages["boards/scorecard-1.html"]
    assert card.links[0] == f"../{PAGE}"
    assert card.links[1] == f"board.html#board=board-1&table={line.place + 1}"
    assert len(card.links) == 1 + 7
    contracts = [line.table.record.contract for line in figures.lines["a"]]
    in_red = [one for one in contracts if one and one.denomination.trump in (1, 2)]
    assert card.tags.count("span") == len(in_red) > 0
    assert f"{line.seat} {line.partner} {line.opponents}" in words(card)
    (standing,) = (one for one in figures.standings.entries if one.entry == 0)
    mean = score_of(figures.sums, standing)
    assert f"{mean.mean:.2f} ± {mean.standard_error:.2f} % over 7 boards" in words(card)
    (entry,) = (
        one for one in json.loads((tmp_path / SUMMARY).read_text())["entries"] if one["name"] == "a"
    )
    assert entry["standings"][0]["standard_error"] == pytest.approx(mean.standard_error, abs=1e-6)


def test_bars_points_and_lines_of_a_team_lead_to_its_matches(tmp_path: Path) -> None:
    robin = play_event(event(Format.ROUND_ROBIN, "alpha", "beta", "gamma", boards=1))
    pages = write_site([robin], tmp_path)
    (figures,) = leaderboard([robin]).events
    cards = [link for link in pages[PAGE].links if "scorecard" in link]
    # The standings, the rows of two plots, and a line with its name in the key.
    assert Counter(cards) == {f"boards/scorecard-{number}.html": 5 for number in (1, 2, 3)}
    card = pages["boards/scorecard-1.html"]
    own = [match for match in figures.matches if "alpha" in match.names]
    assert card.links == [f"../{PAGE}", *(f"{match.round}-1.html" for match in own)]
    for match in own:
        other = match.names[1 - match.names.index("alpha")]
        imps = match.outcome.imps if match.names[0] == "alpha" else -match.outcome.imps
        assert f"{match.round} {other} {signed(imps)}".replace("-", "−") in words(card)


def test_a_row_of_a_match_has_one_link(tmp_path: Path) -> None:
    robin = play_event(event(Format.ROUND_ROBIN, "alpha", "beta", "gamma", boards=1))
    links = write_site([robin], tmp_path)[PAGE].links
    matches = [link for link in links if link.startswith("boards/") and link[7].isdigit()]
    assert matches == [f"boards/{number}-1.html" for number in (1, 2, 3)]


def test_byes_stand_beside_the_match_that_they_lead_to() -> None:
    results = play_event(event(Format.KNOCK_OUT, *"abcdef", boards=1))
    first, second, final = bracket(results.event, results.so_far)
    goes_on = [pairing.names[pairing.winner or 0] for pairing in first.pairings]
    neighbours = zip(goes_on[::2], goes_on[1::2], strict=True)
    assert list(map(set, neighbours)) == [{*pairing.names} for pairing in second.pairings]
    byes = [pairing for pairing in first.pairings if pairing.reason == "bye"]
    assert {name for pairing in byes for name in pairing.names} == {"a", "b"}
    in_final = {pairing.names[pairing.winner or 0] for pairing in second.pairings}
    assert in_final == {*final.pairings[0].names}


def test_a_level_match_says_why_a_team_goes_on(tmp_path: Path) -> None:
    cup = event(Format.KNOCK_OUT, "alpha", "gamma", boards=1)
    results = play_event(cup)
    (figures,) = leaderboard([results]).events
    (pairing,) = bracket(cup, results.so_far)[0].pairings
    assert isinstance(pairing, Pairing)
    imps = figures.matches[0].outcome.imps
    expected = f"by {abs(imps)} IMP" if imps else "as the better seed: level after"
    assert pairing.reason.startswith(expected)
    text = words(write_site([results], tmp_path)[PAGE])
    assert f"goes on {pairing.reason}" in text
    assert "1.00" not in text.partition("Bracket")[0], "rounds are whole"


@pytest.mark.parametrize(
    ("scoring", "reason"),
    [
        (Scoring.IMPS, "by 5 IMPs"),
        (Scoring.BOARD_A_MATCH, "by 2 boards to 1"),
        (Scoring.TOTAL_POINTS, "by 280 points"),
    ],
)
def test_a_team_goes_on_by_what_the_event_counts(scoring: Scoring, reason: str) -> None:
    """Alpha wins two boards by 2 IMPs, and beta one by 9."""
    cup = event(Format.KNOCK_OUT, "alpha", "beta", boards=3, scoring=scoring)
    contracts = ["1C", "", "1C", "", "", "4S"]
    played = [
        result(cup, unit, contract, "N", 10 if contract == "4S" else 7)
        for unit, contract in zip(units(cup), contracts, strict=True)
    ]
    (pairing,) = bracket(cup, EventResults(cup, played).so_far)[0].pairings
    assert pairing.reason == reason
    assert pairing.names[pairing.winner or 0] == (
        "alpha" if scoring is Scoring.BOARD_A_MATCH else "beta"
    )


def test_an_adjusted_board_has_no_contract(tmp_path: Path) -> None:
    pairs = event(Format.PAIRS, *"abcd", boards=1, scoring=Scoring.MATCHPOINTS)
    first, *others = units(pairs)
    adjusted = lost(pairs, first, "N").record
    bid = replace(adjusted, contract=Contract.parse("4S", Seat.NORTH))
    played = [Played(bid), *(result(pairs, unit) for unit in others)]
    pages = write_site([EventResults(pairs, played)], tmp_path)
    card = pages[f"boards/scorecard-{first.lineup[0] + 1}.html"]
    assert "adjusted" in words(card)
    assert "4♠" not in words(card)


def test_events_with_deals_of_different_origin_are_told_apart() -> None:
    match = event(Format.MATCH, "alpha", "beta", title="Match")
    one, other = (EventResults(match.model_copy(update={"seed": seed}), []) for seed in (1, 2))
    assert deals_text(leaderboard([one])) == one.provenance.short
    both = deals_text(leaderboard([one, other]))
    assert both == f"Match (1): {one.provenance.short}; Match (2): {other.provenance.short}"
    assert one.provenance.short != other.provenance.short


def test_events_of_one_name_are_told_apart(tmp_path: Path) -> None:
    match = event(Format.MATCH, "alpha", "beta", boards=1, title="Match")
    results = [play_event(match), play_event(match.model_copy(update={"seed": 2}))]
    board = leaderboard(results)
    assert labels(board) == ["Match (1)", "Match (2)"]
    assert title(board) == "Match, 2 events"
    pages = write_site(results, tmp_path)
    for label in labels(board):
        assert f"Matches of {label}" in words(pages[PAGE])
    assert "Match (2): alpha – beta" in words(pages["boards/2-1-1.html"])

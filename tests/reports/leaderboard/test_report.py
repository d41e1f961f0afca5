"""The files: that they agree with the figures and each other, and quote what they are given."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import SUITS, Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall, Room
from bridge_arena.bridge.seats import Side
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.columns import csv_names
from bridge_arena.reports.common.explanations import SUIT_KEYS
from bridge_arena.reports.leaderboard.columns import CSV
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.report import PAGE, SUMMARY, TABLE, write_leaderboard
from bridge_arena.reports.leaderboard.terminal import print_leaderboard
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from bridge_arena.web.board.page import BOARDS_SCRIPTS
from tests.reports.leaderboard.events import (
    event,
    lost,
    play_event,
    result,
    units,
    worked_event,
)
from tests.reports.pages import words, write_site

BOARDS = "boards/board.html"

COLUMNS = tuple(csv_names(CSV))


@pytest.fixture(scope="module")
def robin() -> EventResults:
    return play_event(
        event(Format.ROUND_ROBIN, "alpha", "beta", "gamma", boards=2, scoring=Scoring.VP)
    )


def test_scores_of_boards_make_the_standings_of_pairs(tmp_path: Path) -> None:
    pairs = play_event(
        event(Format.PAIRS, *"abcd", boards=2, scoring=Scoring.MATCHPOINTS, title="Pairs")
    )
    pages = write_site([pairs], tmp_path)
    found = json.loads((tmp_path / SUMMARY).read_text())
    seated = {(each.match, each.record.board.number): each for each in pairs.played}
    own: dict[str, list[float]] = {name: [] for name in "abcd"}
    for board in found["events"][0]["boards"]:
        for score in board["scores"]:
            table = seated[(score["round"], score["table"]), board["board"]]
            own[table.record.players[0]].append(score["north_south"])
            own[table.record.players[1]].append(score["east_west"])
    for entry in found["entries"]:
        scores = own[entry["name"]]
        assert sum(scores) / len(scores) == pytest.approx(entry["standings"][0]["score"], abs=1e-4)
    document = pages[BOARDS].boards["board-1"]
    assert " %, EW " in document["tables"][0]["worth"]
    rows = list(csv.DictReader(StringIO((tmp_path / TABLE).read_text())))
    assert sorted(row["rank"] for row in rows)[0] == "1"
    assert {row["score_unit"] for row in rows} == {"%"}
    errors = [entry["standings"][0]["standard_error"] for entry in found["entries"]]
    assert [float(row["score_se"]) for row in rows] == errors


def test_adjusted_boards_faults_and_forfeits_are_told(tmp_path: Path) -> None:
    robin = event(Format.ROUND_ROBIN, "alpha", "beta", "gamma", "delta", boards=1)
    played = [
        lost(robin, unit, "NESW"[unit.lineup.index(0)], adjusted=unit.match.round == 1)
        if 0 in unit.lineup
        else result(robin, unit)
        for unit in units(robin)
        if unit.match.round < 3
    ]
    pages = write_site([EventResults(robin, played)], tmp_path)
    assert "alpha withdrawn" in words(pages[PAGE])
    assert words(pages[PAGE]).count("forfeited by alpha") == 2
    documents = pages[BOARDS].boards.values()
    outcomes = {document["outcome"] for document in documents}
    assert any(outcome.endswith("as adjusted.") for outcome in outcomes)
    assert "Not finished in both rooms: it does not count." in outcomes
    remarks = [
        remark
        for document in documents
        for table in document["tables"]
        for remark in table.get("remarks", ())
    ]
    adjusted = "Adjusted: average minus (-3 IMPs) for alpha, average plus (+3)"
    assert any(remark.startswith(adjusted) for remark in remarks)
    assert any("action 1, crash: it crashed" in remark for remark in remarks)


def test_names_and_explanations_are_quoted(tmp_path: Path) -> None:
    title, first, second = 'Cup <b>&"', "<i>one</i> & $x$", '"two"'
    results = play_event(event(Format.MATCH, first, second, boards=1, title=title))
    record = results.played[0].record
    note = Explanation("</td><script>alert(1)</script>")
    calls = (MadeCall(record.calls[0].call, alert=True, explanation=note), *record.calls[1:])
    played = [Played(replace(record, calls=calls), results.played[0].values), results.played[1]]
    pages = write_site([EventResults(results.event, played)], tmp_path)
    assert pages[PAGE].tags.count("script") == 1
    assert title in pages[PAGE].text
    assert f"{first} – {second}" in words(pages["boards/1-1.html"])
    assert "script" not in pages["boards/1-1.html"].tags
    assert pages[BOARDS].tags.count("script") == 1 + len(BOARDS_SCRIPTS)
    document = pages[BOARDS].boards["1-1-board-1"]
    assert document["title"] == f"{title}: {first} – {second}"
    assert "</td><script>alert(1)</script>" in {
        call.get("explanation") for table in document["tables"] for call in table["calls"]
    }
    summary = json.loads((tmp_path / SUMMARY).read_text())
    assert {each["name"] for each in summary["entries"]} == {first, second}


def test_nothing_played_gives_a_page_without_replays(tmp_path: Path) -> None:
    pages = write_site([EventResults(event(Format.SWISS, *"abcd", rounds=2), ())], tmp_path)
    assert set(pages) == {PAGE}
    assert "4 entries, no board was played" in words(pages[PAGE])


def test_json_has_the_figures(tmp_path: Path) -> None:
    write_leaderboard(leaderboard([worked_event()]), tmp_path)
    summary = json.loads((tmp_path / SUMMARY).read_text())
    beta, alpha = summary["entries"]
    assert (beta["name"], alpha["name"]) == ("beta", "alpha")
    assert alpha["imps_per_board"] == {"n": 3, "mean": -1.0, "standard_error": 4.618802}
    assert alpha["matches"] == {"won": 0, "drawn": 0, "lost": 1}
    assert alpha["ledger"]["imps_per_board"]["auction"]["mean"] == 2.666667
    assert alpha["ledger"]["imps_per_board"]["own"]["defence"]["mean"] == -4.0
    assert alpha["standings"][0] | {"score": None} == {
        "event": 0,
        "rank": 2,
        "score": None,
        "unit": "IMPs",
        "matches": 1,
        "won": 0,
        "drawn": 0,
        "byes": 0,
        "boards": 3,
        "imps": -3,
        "withdrawn": False,
        "standard_error": None,
    }
    (meeting,) = summary["head_to_head"]
    assert (meeting["first"], meeting["imps"], meeting["p_value"]) == ("beta", 3, 0.75)
    (match,) = summary["events"][0]["matches"]
    assert match["replay"] == "boards/1-1.html"
    assert (match["home"], match["imps"], match["forfeited_by"]) == ("alpha", -3, [])


def test_csv_has_a_row_for_each_entry(tmp_path: Path) -> None:
    write_leaderboard(leaderboard([worked_event()]), tmp_path)
    rows = list(csv.DictReader(StringIO((tmp_path / TABLE).read_text())))
    assert tuple(rows[0]) == COLUMNS
    assert [row["name"] for row in rows] == ["beta", "alpha"]
    assert (rows[1]["imps_per_board"], rows[1]["boards"]) == ("-1.0", "3")
    parts = [key for key in COLUMNS if key.startswith(("imps_own", "imps_opponents", "imps_auct"))]
    assert len(parts) == 7
    assert sum(float(rows[1][key]) for key in parts) == pytest.approx(-1, abs=1e-5)
    assert (rows[1]["cross_imps"], rows[1]["ms_per_action"]) == ("", "")


def test_names_are_no_formulas_in_csv(tmp_path: Path) -> None:
    robin = play_event(event(Format.ROUND_ROBIN, "=HYPERLINK(1)", "@SUM(1)", boards=1))
    write_leaderboard(leaderboard([robin]), tmp_path)
    rows = list(csv.DictReader(StringIO((tmp_path / TABLE).read_text())))
    assert {row["name"] for row in rows} == {"'=HYPERLINK(1)", "'@SUM(1)"}


def test_explanations_are_in_all_files(tmp_path: Path) -> None:
    """North of board 1 holds 13 points and one spade; her partner's team says nothing."""
    results = worked_event()
    told = Explanation("invitation", (14, 18), {Suit.SPADES: (3, 13)})
    calls = (MadeCall(Call("1D"), alert=True, explanation=told), MadeCall(Call("Pass")))
    first = results.played[0]
    played = [Played(replace(first.record, calls=calls), first.values), *results.played[1:]]
    other = event(Format.MATCH, "alpha", "gamma", boards=1, title="Other")
    again = [result(other, unit) for unit in units(other)]
    both = [EventResults(other, again), EventResults(results.event, played)]
    page = write_site(both, tmp_path)[PAGE]
    text = words(page)
    assert "alpha 1 1 1 1 0.0 % 0.0 % of 1, 1.0 off 0.0 % of 1, 2.0 off – – –" in text
    assert "beta explains nothing 1 0 0 0 – – – – – –" in text
    assert "gamma explains nothing" not in text
    row = "invitation [hcp 14-18, S 3-13] 13 points, 1 spade 2.KQ74.QJ83.KQ72"
    assert f"alpha 1 Open N 1D {row}" in text
    assert f"{BOARDS}#board=2-1-1-board-1&table=1" in page.links
    entries = {
        each["name"]: each for each in json.loads((tmp_path / SUMMARY).read_text())["entries"]
    }
    (worst,) = entries["alpha"]["explanations"]["worst"]
    assert (worst["event"], worst["replay"]) == (1, f"{BOARDS}#board=2-1-1-board-1&table=1")
    assert worst["off"] == {"hcp": -1, "spades": -2}
    assert entries["beta"]["explanations"]["calls"] == 1
    rows = {row["name"]: row for row in csv.DictReader(StringIO((tmp_path / TABLE).read_text()))}
    assert (rows["alpha"]["calls"], rows["alpha"]["calls_with_ranges"]) == ("1", "1")
    assert (rows["alpha"]["spades_missed_by"], rows["alpha"]["hcp_width"]) == ("2.0", "4.0")
    assert (rows["beta"]["calls_explained"], rows["beta"]["hcp_kept"]) == ("0", "")


def test_the_worst_of_pairs_links_to_its_table(tmp_path: Path) -> None:
    pairs = event(Format.PAIRS, *"abcd", boards=1, scoring=Scoring.MATCHPOINTS, title="Pairs")
    impossible = Explanation(lengths=dict.fromkeys(SUITS, (4, 13)))
    calls = (MadeCall(Call("1D"), explanation=impossible),)
    played = [
        Played(replace(each.record, calls=calls), each.values) for each in play_event(pairs).played
    ]
    page = write_site([EventResults(pairs, played)], tmp_path)[PAGE]
    tables = [each for each in page.links if "&table=" in each]
    assert len(set(tables)) == len(played)
    assert len(tables) == len(played)


def test_the_terminal_tells_of_explanations(robin: EventResults) -> None:
    console = Console(width=80, file=StringIO(), force_terminal=False)
    calls = (MadeCall(Call("1NT"), explanation=Explanation(hcp=(0, 1))), MadeCall(Call("Pass")))
    played = [
        Played(replace(each.record, calls=calls), each.values)
        for each in robin.played
        if each.record.board.dealer.side == Side.NS and each.record.room is Room.OPEN
    ]
    print_leaderboard(leaderboard([EventResults(robin.event, played)]), console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    lines = [line.rstrip() for line in text.splitlines()]
    homes = {each.record.home for each in played}
    visitors = {each.record.visitors for each in played} - homes
    assert [line for line in lines if line.endswith("explains nothing.")] == [
        f"{name} explains nothing." for name in sorted(visitors)
    ]
    assert homes
    kept = lines[lines.index("Promises of calls that the hand kept") :]
    for name in homes:
        assert any(line.split()[:1] == [name] and "0.0 %" in line for line in kept)


def test_the_terminal_fits_80_columns(robin: EventResults) -> None:
    console = Console(width=80, file=StringIO(), force_terminal=False)
    print_leaderboard(leaderboard([robin]), console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "Standings of Test (round-robin)" in text
    assert "Where the IMPs of a board came from" in text
    assert all(name in text for name in ("alpha", "beta", "gamma"))
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_bye_is_told_wherever_the_standings_are(tmp_path: Path) -> None:
    cup = play_event(event(Format.KNOCK_OUT, "alpha", "beta", "gamma", boards=1))
    page = write_site([cup], tmp_path)[PAGE]
    told = "A bye counts as a round won in the standings (alpha)."
    assert told in page.text
    values = json.loads((tmp_path / SUMMARY).read_text())
    assert told in values["notices"]
    byes = {entry["name"]: entry["standings"][0]["byes"] for entry in values["entries"]}
    assert byes == {"alpha": 1, "beta": 0, "gamma": 0}
    rows = csv.DictReader((tmp_path / TABLE).read_text().splitlines())
    assert {row["name"]: int(row["byes"]) for row in rows} == byes
    console = Console(width=80, file=StringIO(), force_terminal=False)
    print_leaderboard(leaderboard([cup]), console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert told in text
    assert "Byes" in text
    robin = play_event(event(Format.ROUND_ROBIN, "alpha", "beta", "gamma", boards=1))
    assert "Byes" not in write_site([robin], tmp_path)[PAGE].text


def test_the_documents_have_each_column_of_the_csv_file() -> None:
    page = Path("docs/leaderboards.md").read_text(encoding="utf-8")
    for name in COLUMNS:
        pattern = name.removesuffix("_se")
        for role in Role:
            pattern = pattern.replace(f"_{role.key}", "_ROLE")
        for kind in ("hcp", *SUIT_KEYS.values()):
            pattern = pattern.replace(f"{kind}_", "KIND_")
        assert f"`{pattern}`" in page, name

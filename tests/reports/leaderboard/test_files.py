"""The files: that they agree with the figures and each other, and quote what they are given."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import SUITS, Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall, Room
from bridge_arena.bridge.seats import Side
from bridge_arena.reports.leaderboard.csv_rows import COLUMNS
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.files import PAGE, SUMMARY, TABLE, write_leaderboard
from bridge_arena.reports.leaderboard.terminal import print_leaderboard
from bridge_arena.tournaments.events.event import Format, Scoring
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from tests.reports.leaderboard.events import (
    event,
    lost,
    play_event,
    result,
    units,
    worked_event,
)

VOID = {"meta", "br", "input", "path", "use", "rect", "line", "circle"}


class Page(HTMLParser):
    """A page whose elements must nest: its ids, links, tags and text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert not self._open, f"{path.name} leaves {self._open} open"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        values = dict(attrs)
        if identity := values.get("id"):
            self.ids.append(identity)
        if tag == "a" and (link := values.get("href")):
            self.links.append(link)
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop() == tag, f"</{tag}> at {self.getpos()}"
        if tag in ("td", "th"):
            self.text += " "

    def handle_data(self, data: str) -> None:
        if self._open[-1:] not in (["style"], ["script"]):
            self.text += data


def words(page: Page) -> str:
    return " ".join(page.text.split())


def check_site(folder: Path) -> dict[str, Page]:
    """Every page, once all that it links to is found."""
    pages = {path.relative_to(folder).as_posix(): Page(path) for path in folder.rglob("*.html")}
    for name, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), f"{name} has an id twice"
        for link in page.links:
            target, _, anchor = link.partition("#")
            path = (folder / name).parent / target if target else folder / name
            found = path.resolve().relative_to(folder.resolve()).as_posix()
            assert found in pages, f"{name} links to {link}"
            assert not anchor or anchor in pages[found].ids, f"{name} links to {link}"
    return pages


def write(results: Sequence[EventResults], folder: Path) -> dict[str, Page]:
    write_leaderboard(results, folder)
    return check_site(folder)


@pytest.fixture(scope="module")
def robin() -> EventResults:
    return play_event(
        event(Format.ROUND_ROBIN, "alpha", "beta", "gamma", boards=2, scoring=Scoring.VP)
    )


def test_pages_of_a_team_event(robin: EventResults, tmp_path: Path) -> None:
    pages = write([robin], tmp_path)
    assert set(pages) == {PAGE, *(f"boards/{number}-1.html" for number in (1, 2, 3))}
    for number in (1, 2):
        assert f"boards/1-1.html#board-{number}" in pages[PAGE].links
    assert pages[PAGE].tags.count("svg") == 3
    replay = pages["boards/1-1.html"]
    # Two boards in two rooms: hands, tricks and the PBN of each.
    assert replay.tags.count("article") == replay.tags.count("pre") == 4
    assert {"board-1", "board-2", "board-1-open", "board-2-closed"} <= set(replay.ids)
    assert replay.text.count('[Deal "') == 4


def test_the_same_results_give_the_same_bytes(robin: EventResults, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write_leaderboard([robin], tmp_path / folder)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*"))
    assert len(files) == 6
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_replays_of_a_pairs_event_are_by_board(tmp_path: Path) -> None:
    pairs = play_event(
        event(Format.PAIRS, *"abcd", boards=1, scoring=Scoring.MATCHPOINTS, title="Pairs")
    )
    pages = write([pairs], tmp_path)
    boards = {each.record.board.number for each in pairs.played}
    assert set(pages) == {PAGE, *(f"boards/board-{number}.html" for number in boards)}
    assert "svg" not in pages[PAGE].tags
    assert sum(page.tags.count("article") for page in pages.values()) == len(pairs.played)
    assert "IMPs/comparison" in words(pages[PAGE])


def test_scores_of_boards_make_the_standings_of_pairs(tmp_path: Path) -> None:
    pairs = play_event(
        event(Format.PAIRS, *"abcd", boards=2, scoring=Scoring.MATCHPOINTS, title="Pairs")
    )
    pages = write([pairs], tmp_path)
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
    assert "% NS" in words(pages["boards/board-1.html"])
    rows = list(csv.DictReader(StringIO((tmp_path / TABLE).read_text())))
    assert sorted(row["rank"] for row in rows)[0] == "1"
    assert {row["score_unit"] for row in rows} == {"%"}


def test_pages_of_several_events_do_not_collide(tmp_path: Path) -> None:
    pages = write([worked_event(), worked_event()], tmp_path)
    assert set(pages) == {PAGE, "boards/1-1-1.html", "boards/2-1-1.html"}


def test_a_replay_tells_result_imps_and_their_split(tmp_path: Path) -> None:
    text = words(write([worked_event()], tmp_path)["boards/1-1.html"])
    assert "−3 IMPs for alpha over 3 boards" in text
    assert "7 IMPs to alpha. For alpha: the auction +6.0 declarer play of beta +1.0" in text
    assert "9 IMPs to beta. For alpha: the auction +2.0 defence of alpha −11.0" in text
    assert "4♠ N =, NS +420, 10 tricks, double dummy 10" in text
    assert "The result cost declarer 1 trick against double dummy." in text


def test_every_card_that_lost_a_trick_shows_it(robin: EventResults, tmp_path: Path) -> None:
    write_leaderboard([robin], tmp_path)
    text = (tmp_path / "boards" / "1-1.html").read_text()
    ledgers = [each.ledger for each in robin.played if each.match == (1, 1)]
    losses = [loss.tricks for ledger in ledgers if ledger for loss in ledger.losses]
    assert sum(losses) > 0
    for tricks in set(losses):
        # One more in the key below the boards.
        assert text.count(f"<i>−{tricks}</i>") == losses.count(tricks) + (tricks == 1)


def test_adjusted_boards_faults_and_forfeits_are_told(tmp_path: Path) -> None:
    robin = event(Format.ROUND_ROBIN, "alpha", "beta", "gamma", "delta", boards=1)
    played = [
        lost(robin, unit, "NESW"[unit.lineup.index(0)], adjusted=unit.match.round == 1)
        if 0 in unit.lineup
        else result(robin, unit)
        for unit in units(robin)
        if unit.match.round < 3
    ]
    pages = write([EventResults(robin, played)], tmp_path)
    assert "alpha withdrawn" in words(pages[PAGE])
    assert words(pages[PAGE]).count("forfeited by alpha") == 2
    texts = " ".join(words(page) for name, page in pages.items() if name != PAGE)
    assert "as adjusted." in texts
    assert "Adjusted: average minus (-3 IMPs) for alpha, average plus (+3)" in texts
    assert "action 1, crash: it crashed" in texts
    assert "Not finished in both rooms: it does not count." in texts


def test_names_and_explanations_are_quoted(tmp_path: Path) -> None:
    title, first, second = 'Cup <b>&"', "<i>one</i> & $x$", '"two"'
    results = play_event(event(Format.MATCH, first, second, boards=1, title=title))
    record = results.played[0].record
    note = Explanation("</td><script>alert(1)</script>")
    calls = (MadeCall(record.calls[0].call, alert=True, explanation=note), *record.calls[1:])
    played = [Played(replace(record, calls=calls), results.played[0].values), results.played[1]]
    pages = write([EventResults(results.event, played)], tmp_path)
    assert pages[PAGE].tags.count("script") == 1
    replay = pages["boards/1-1.html"]
    assert "script" not in replay.tags
    assert f"{first} against {second}" in words(replay)
    assert "</td><script>alert(1)</script>" in replay.text
    assert title in pages[PAGE].text
    summary = json.loads((tmp_path / SUMMARY).read_text())
    assert {each["name"] for each in summary["entries"]} == {first, second}


def test_nothing_played_gives_a_page_without_replays(tmp_path: Path) -> None:
    pages = write([EventResults(event(Format.SWISS, *"abcd", rounds=2), ())], tmp_path)
    assert set(pages) == {PAGE}
    assert "4 entries, no board was played" in words(pages[PAGE])


def test_json_has_the_figures(tmp_path: Path) -> None:
    write_leaderboard([worked_event()], tmp_path)
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
    }
    (meeting,) = summary["head_to_head"]
    assert (meeting["first"], meeting["imps"], meeting["p_value"]) == ("beta", 3, 0.75)
    (match,) = summary["events"][0]["matches"]
    assert match["replay"] == "boards/1-1.html"
    assert (match["home"], match["imps"], match["forfeited_by"]) == ("alpha", -3, [])


def test_csv_has_a_row_for_each_entry(tmp_path: Path) -> None:
    write_leaderboard([worked_event()], tmp_path)
    rows = list(csv.DictReader(StringIO((tmp_path / TABLE).read_text())))
    assert tuple(rows[0]) == COLUMNS
    assert [row["name"] for row in rows] == ["beta", "alpha"]
    assert (rows[1]["imps_per_board"], rows[1]["boards"]) == ("-1.0", "3")
    parts = [key for key in COLUMNS if key.startswith(("imps_own", "imps_opponents", "imps_auct"))]
    assert len(parts) == 7
    assert sum(float(rows[1][key]) for key in parts) == pytest.approx(-1, abs=1e-5)
    assert (rows[1]["cross_imps"], rows[1]["ms_per_action"]) == ("", "")


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
    page = write(both, tmp_path)[PAGE]
    text = words(page)
    assert "alpha 1 1 1 1 0.0 % 0.0 % of 1, 1.0 off 0.0 % of 1, 2.0 off – – –" in text
    assert "beta explains nothing 1 0 0 0 – – – – – –" in text
    assert "gamma explains nothing" not in text
    row = "invitation [hcp 14-18, S 3-13] 13 points, 1 spade 2.KQ74.QJ83.KQ72"
    assert f"alpha 1 Open N 1D {row}" in text
    assert "boards/2-1-1.html#board-1-open" in page.links
    entries = {
        each["name"]: each for each in json.loads((tmp_path / SUMMARY).read_text())["entries"]
    }
    (worst,) = entries["alpha"]["explanations"]["worst"]
    assert (worst["event"], worst["replay"]) == (1, "boards/2-1-1.html#board-1-open")
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
    page = write([EventResults(pairs, played)], tmp_path)[PAGE]
    tables = [each for each in page.links if "#table-" in each]
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


def test_players_with_names_of_their_own_are_named(tmp_path: Path) -> None:
    results = worked_event()
    record = replace(results.played[0].record, players=("Ann", "Bob", "Cid", "Dee"))
    played = [Played(record, results.played[0].values), *results.played[1:]]
    page = write([EventResults(results.event, played)], tmp_path)["boards/1-1.html"]
    assert "NS alpha (Ann and Cid) EW beta (Bob and Dee)" in words(page)
    assert "NS beta EW alpha" in words(page)


def test_a_call_without_explanation_has_no_note(tmp_path: Path) -> None:
    match = event(Format.MATCH, "alpha", "beta", boards=1)
    rooms = units(match)
    passed = tuple(MadeCall(Call("Pass")) for _ in range(4))
    played = [Played(replace(result(match, unit).record, calls=passed)) for unit in rooms]
    page = write([EventResults(match, played)], tmp_path)["boards/1-1.html"]
    assert "ol" not in page.tags
    assert words(page).count("West North East South Pass Pass Pass Pass") == 2
    assert "No swing." in page.text


def test_a_bye_is_told_wherever_the_standings_are(tmp_path: Path) -> None:
    cup = play_event(event(Format.KNOCK_OUT, "alpha", "beta", "gamma", boards=1))
    page = write([cup], tmp_path)[PAGE]
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
    assert "Byes" not in write([robin], tmp_path)[PAGE].text

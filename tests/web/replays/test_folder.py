"""Tests of replays as files: their names, content, size and links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.reports.common.replay_pages import FOLDER, TABLES
from bridge_arena.reports.common.replay_pages import PAGE as PAGE_OF_BOARDS
from bridge_arena.reports.leaderboard.event_figures import EventTables
from bridge_arena.reports.leaderboard.figures import leaderboard
from bridge_arena.reports.leaderboard.report import PAGE, write_leaderboard
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.play.seating.started_bots import SECRETS
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from bridge_arena.web.board.document import DoubleDummyFigures, Link
from bridge_arena.web.common.pages import static_files
from bridge_arena.web.replays.folder import ReplayFolder, write_replays
from bridge_arena.web.replays.listing import ROWS, rows_of
from bridge_arena.web.replays.of_files import replays_of_records
from bridge_arena.web.replays.replay import MOST_BYTES, Replay, ReplayTable
from bridge_arena.web.replays.scripts import MOST_VALUES, ranges
from tests.reports.leaderboard.events import event, play_event, result, units, worked_event
from tests.reports.pages import boards_in, check_site, values_of, words, write_site

LARGEST = 200_000
"""Bytes that a page may have."""

BOARDS = "boards/board.html"

INDEX = Link(href="../index.html", text="Back")


@pytest.fixture(scope="module")
def robin() -> EventResults:
    return play_event(
        event(Format.ROUND_ROBIN, "alpha", "beta", "gamma", boards=2, scoring=Scoring.VP)
    )


def document_of(results: EventResults, folder: Path, board: int = 1) -> dict[str, Any]:
    """The document of a board of the first match."""
    return write_site([results], folder)[BOARDS].boards[f"1-1-board-{board}"]


def test_boards_have_the_figures_that_are_known_the_largest_swings_asked_for_first(
    robin: EventResults, tmp_path: Path
) -> None:
    board = leaderboard([robin])
    given = DoubleDummyFigures(dd=[[7] * 5] * 4, par={"score": 90, "contracts": ["1NT N ="]})
    asked: list[Board] = []

    def figures_of(boards: Iterable[Board]) -> dict[Board, DoubleDummyFigures]:
        asked.extend(boards)
        return {asked[0]: given}

    write_replays(board, tmp_path / FOLDER, is_private=False, figures_of=figures_of)
    boards = [other for match in board.events[0].matches for other in match.boards]
    swings = {other.board: abs(other.imps or 0) for other in boards}
    assert swings[asked[0]] == max(swings.values())
    assert set(asked) == set(swings)
    shown = boards_in(tmp_path / FOLDER).values()
    known = [each for each in shown if each["board"] == asked[0].number]
    assert [(each["dd"], each["par"]) for each in known[:1]] == [(given["dd"], given["par"])]
    assert {each["par"] is None for each in shown} == {True, False}


def test_a_team_event_has_a_page_for_each_match_and_one_for_all_boards(
    robin: EventResults, tmp_path: Path
) -> None:
    pages = write_site([robin], tmp_path)
    matches = {f"boards/{number}-1.html" for number in (1, 2, 3)}
    boards = [f"{number}-1-board-{board}" for number in (1, 2, 3) for board in (1, 2)]
    cards = {f"boards/scorecard-{number}.html" for number in (1, 2, 3)}
    assert set(pages) == {PAGE, "boards/matches.html", *matches, *cards, BOARDS}
    assert list(pages[BOARDS].boards) == boards
    assert {"boards/matches.html", *matches} < set(pages[PAGE].links)
    listed = words(pages["boards/matches.html"])
    assert "Test 3 matches Match Players Results IMPs" in listed
    assert "Round 1, match 1 beta, gamma 2 boards −15" in listed
    assert pages[PAGE].tags.count("svg") == 3
    assert pages["boards/1-1.html"].links == [
        "../leaderboard.html",
        "board.html#board=1-1-board-1",
        "board.html#board=1-1-board-2",
    ]
    document = pages[BOARDS].boards["1-1-board-2"]
    assert [table["name"] for table in document["tables"]] == ["Open room", "Closed room"]
    assert document["links"] == {
        "index": {"href": "1-1.html", "text": "beta – gamma"},
        "previous": {"href": "board.html#board=1-1-board-1", "text": "← Board 1"},
    }


def test_pages_load_only_what_is_beside_them(robin: EventResults, tmp_path: Path) -> None:
    write_site([robin], tmp_path)
    names = {path.name for path in (tmp_path / "boards" / "static").iterdir()}
    assert names < {file.name for file in static_files()}
    assert not names & {"live.js", "lobby.js", "site.css", "page.js"}
    assert not names & {"figures.js", "calls.js", "search.js"}, "there is no server to ask"
    text = (tmp_path / BOARDS).read_text()
    for part in text.split('src="')[1:] + text.split('<link rel="stylesheet" href="')[1:]:
        address = part.split('"')[0]
        assert address.removeprefix("static/") in names


def test_the_same_results_give_the_same_bytes(robin: EventResults, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write_site([robin], tmp_path / folder)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*"))
    assert len(files) > 9
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_replays_of_a_pairs_event_are_by_board(tmp_path: Path) -> None:
    pairs = play_event(
        event(Format.PAIRS, *"abcd", boards=1, scoring=Scoring.MATCHPOINTS, title="Pairs")
    )
    pages = write_site([pairs], tmp_path)
    boards = {each.record.board.number for each in pairs.played}
    cards = {f"boards/scorecard-{entry}.html" for entry in (1, 2, 3, 4)}
    assert set(pages) == {PAGE, "boards/index.html", BOARDS, *cards}
    assert set(pages[BOARDS].boards) == {f"board-{number}" for number in boards}
    assert pages[PAGE].tags.count("svg") == 1, "what each made of its boards"
    tables = [table for board in pages[BOARDS].boards.values() for table in board["tables"]]
    assert len(tables) == len(pairs.played)
    assert "IMPs/comparison" in words(pages[PAGE])
    listed = words(pages["boards/index.html"])
    for table in tables:
        share = float(table["worth"].split()[1])
        suited = table["contract"].translate(str.maketrans("SHDC", "♠♥♦♣"))
        result = f"{suited} {table['declarer']} {table['result']} {share:.0f} %".replace("-", "−")
        assert f" {result} " in f"{listed} "
    assert "Results, with North-South’s score" in listed
    assert "Total" not in listed


def test_pages_of_several_events_do_not_collide(tmp_path: Path) -> None:
    pages = write_site([worked_event(), worked_event()], tmp_path)
    boards = [f"{event}-1-1-board-{board}" for event in (1, 2) for board in (1, 2, 3)]
    matches = {"boards/1-1-1.html", "boards/2-1-1.html"}
    cards = {f"boards/{event}-scorecard-{entry}.html" for event in (1, 2) for entry in (1, 2)}
    assert set(pages) == {PAGE, "boards/matches.html", *matches, *cards, BOARDS}
    assert list(pages[BOARDS].boards) == boards


def test_a_replay_tells_result_imps_and_their_split(tmp_path: Path) -> None:
    first, second = (document_of(worked_event(), tmp_path, board) for board in (1, 2))
    assert first["outcome"] == "7 IMPs to alpha. For alpha:"
    assert first["parts"] == [
        {"what": "the auction", "imps": 6.0},
        {"what": "declarer play of beta", "imps": 1.0},
    ]
    assert second["outcome"] == "9 IMPs to beta. For alpha:"
    assert [part["imps"] for part in second["parts"]] == [2.0, -11.0]
    in_open, in_closed = first["tables"]
    assert (in_open["contract"], in_open["declarer"], in_open["result"]) == ("4S", "N", "=")
    assert (in_open["score"], in_open["tricks"], in_open["dd"]) == (420, 10, 10)
    assert (in_open["imps"], in_closed["imps"]) == (7, -7)
    assert "The result cost declarer 1 trick against double dummy." in in_closed["remarks"]
    listed = words(write_site([worked_event()], tmp_path)["boards/1-1.html"])
    head = "Board Open room Closed room IMPs Total"
    assert f"Test: alpha – beta 3 boards {head}" in listed
    assert "Board 1 4♠ N = 3♠ N = +7 +7" in listed
    assert "3NT E = Pass −9 −2" in listed


def test_a_board_of_which_nothing_came_announces_nothing(tmp_path: Path) -> None:
    match = event(Format.MATCH, "alpha", "beta", boards=1)
    flat = EventResults(match, [result(match, unit, "4S", "N", 10, 10) for unit in units(match)])
    document = document_of(flat, tmp_path)
    assert (document["outcome"], document.get("parts", [])) == ("No swing.", [])


def test_every_card_that_lost_a_trick_shows_it(robin: EventResults, tmp_path: Path) -> None:
    for table in document_of(robin, tmp_path)["tables"]:
        (played,) = (
            each
            for each in robin.played
            if each.match == (1, 1) and each.board.number == 1 and each.record.room == table["room"]
        )
        assert played.ledger is not None
        losses = {loss.card: loss.tricks for loss in played.ledger.losses}
        assert losses
        shown = {number: card.get("cost", 0) for number, card in enumerate(table["cards"])}
        assert {number: cost for number, cost in shown.items() if cost} == losses


def test_players_with_names_of_their_own_are_named(tmp_path: Path) -> None:
    results = worked_event()
    record = replace(results.played[0].record, players=("Ann", "Bob", "Cid", "Dee"))
    played = [Played(record, results.played[0].values), *results.played[1:]]
    in_open, in_closed = document_of(EventResults(results.event, played), tmp_path)["tables"]
    assert in_open["players"] == {
        "N": "Ann (alpha)",
        "E": "Bob (beta)",
        "S": "Cid (alpha)",
        "W": "Dee (beta)",
    }
    assert in_closed["players"] == {"N": "beta", "E": "alpha", "S": "beta", "W": "alpha"}


def test_a_board_that_all_passed_is_told(tmp_path: Path) -> None:
    match = event(Format.MATCH, "alpha", "beta", boards=1)
    passed = tuple(MadeCall(Call("Pass")) for _ in range(4))
    played = [Played(replace(result(match, unit).record, calls=passed)) for unit in units(match)]
    document = document_of(EventResults(match, played), tmp_path)
    assert document["outcome"].startswith("No swing.")
    assert [table["calls"] for table in document["tables"]] == [[{"call": "Pass"}] * 4] * 2


def field(tables: int, board: Board, **terms: Any) -> list[BoardRecord]:
    """The same board, passed out at many tables."""
    passed = tuple(MadeCall(Call("Pass")) for _ in range(4))
    blank = BoardRecord(board, ("", "", "", ""), calls=passed, score=0)
    return [replace(blank, table=number, **terms) for number in range(1, tables + 1)]


def written(folder: Path, replays: Iterable[Replay], *, is_private: bool = True) -> dict[str, int]:
    """The sizes of the files of replays, which lead to each other as they should."""
    with ReplayFolder(folder / "boards", INDEX, is_private=is_private) as pages:
        pages.write(replays, INDEX)
    (folder / "index.html").write_text("<!DOCTYPE html>\n")
    check_site(folder)
    return {
        path.name: path.stat().st_size for path in (folder / "boards").iterdir() if path.is_file()
    }


def test_pages_and_scripts_stay_small_whatever_strangers_write(tmp_path: Path) -> None:
    """Many tables, all with the longest of names, in letters that take most room."""
    name = "<" * 300
    explained = (MadeCall(Call("Pass"), explanation=Explanation("<" * 5000)),) * 4
    records = field(
        3 * TABLES,
        Board.dealt(1, 1),
        players=(name, name, name, name),
        home=name,
        visitors=name,
        event=name,
    )
    records[0] = replace(records[0], calls=explained)
    sizes = written(tmp_path, replays_of_records(records))
    alone = "board-1-tables-1.js"  # the one table that tells so much
    assert max(size for name, size in sizes.items() if name != alone) < LARGEST
    assert list(values_of(tmp_path / "boards" / alone, "tablesLoaded")) == ["1"]
    boards = [name for name in sizes if name.startswith("boards-")]
    assert len(boards) == 3, "each part of the board alone takes as much as a script may have"
    tables = [name for name in sizes if name.startswith("board-1-")]
    assert len(boards) < len(tables) < len(records) / 4
    assert len(sizes) == len(boards) + len(tables) + 1


def test_two_tables_with_much_to_tell_come_by_a_script_of_their_own(tmp_path: Path) -> None:
    for length, scripts in ((10, 1), (MOST_BYTES, 3)):
        text = Explanation("x" * length)
        first, second = field(2, Board.dealt(1, 1))
        calls = (MadeCall(Call("Pass"), explanation=text), *first.calls[1:])
        tables = [replace(first, calls=calls), second]
        sizes = written(tmp_path / str(length), replays_of_records(tables))
        assert sum(name.endswith(".js") for name in sizes) == scripts


def many(boards: int) -> list[Replay]:
    return list(
        replays_of_records(
            record for number in range(1, boards + 1) for record in field(1, Board.dealt(1, number))
        )
    )


def test_boards_come_by_scripts_of_at_most_a_hundred(tmp_path: Path) -> None:
    boards = 2 * MOST_VALUES + 1
    sizes = written(tmp_path, many(boards))
    assert set(sizes) == {PAGE_OF_BOARDS, "boards-1.js", "boards-2.js", "boards-3.js"}
    assert list(values_of(tmp_path / "boards" / "boards-3.js", "boardsLoaded")) == [
        f"board-{boards}"
    ]


def test_what_an_earlier_report_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "boards"
    first = written(tmp_path, many(MOST_VALUES + 1))
    assert "boards-2.js" in first
    page = (folder / PAGE_OF_BOARDS).read_text()
    for name in ("board-7.html", "1-2-board-7-2-from-65.html", "index-from-101.html"):
        (folder / name).write_text(page)
    (folder / "board-7-table-3.js").write_text('Arena.tableLoaded("board-7-table-3.js", {});\n')
    foreign = {
        "notes.html": page,
        "board-8.html": "<!DOCTYPE html>\n<title>Mine</title>\n",
        "board-8-table-1.js": "mine();\n",
        "boards-1.json": "{}",
    }
    for name, text in foreign.items():
        (folder / name).write_text(text)
    assert set(written(tmp_path, many(2))) == {PAGE_OF_BOARDS, "boards-1.js", *foreign}


def test_a_report_that_fails_removes_nothing(tmp_path: Path) -> None:
    before = written(tmp_path, many(2))
    page = (tmp_path / "boards" / PAGE_OF_BOARDS).read_bytes()

    def failing() -> Iterator[Replay]:
        yield from many(1)
        raise ValueError("a record is not of the event")

    with pytest.raises(ValueError, match="not of the event"):
        written(tmp_path, failing())
    assert (tmp_path / "boards" / PAGE_OF_BOARDS).read_bytes() == page
    assert {path.name for path in (tmp_path / "boards").iterdir()} == {*before, "static"}


@pytest.mark.parametrize("is_private", [True, False])
def test_private_pages_and_scripts_are_their_owners_alone(
    tmp_path: Path, *, is_private: bool
) -> None:
    records = field(3, Board.dealt(1, 1)) + field(2, Board.dealt(1, 2))
    names = written(tmp_path, replays_of_records(records), is_private=is_private)
    assert set(names) == {PAGE_OF_BOARDS, "boards-1.js", "board-1-tables-1.js"}
    modes = {(tmp_path / "boards" / name).stat().st_mode & 0o077 for name in names}
    assert (modes == {0}) == is_private


def test_a_sandbox_hides_the_scripts_with_deals_from_a_bot_in_whose_folder_they_are(
    tmp_path: Path,
) -> None:
    records = field(3, Board.dealt(1, 1)) + field(2, Board.dealt(1, 2))
    names = {*written(tmp_path, replays_of_records(records))} - {PAGE_OF_BOARDS}
    assert names == {"boards-1.js", "board-1-tables-1.js"}
    assert all(any(fnmatch(name, hidden) for hidden in SECRETS) for name in names)


def test_names_of_boards_are_short_in_their_order() -> None:
    names = ["board-1", "board-2", "board-3-2", "board-4-2", "board-4", "1-2-board-5", "board-5"]
    names += ["board-6-from-65", "board-6"]
    assert ranges(names) == [
        ("board-", 1, 2, ""),
        ("board-", 3, 4, "-2"),
        ("board-", 4, 4, ""),
        ("1-2-board-", 5, 5, ""),
        ("board-", 5, 5, ""),
        ("board-", 6, 6, "-from-65"),
        ("board-", 6, 6, ""),
    ]


def test_a_long_list_has_several_pages(tmp_path: Path) -> None:
    name = "<&>" * 100
    replays = [
        Replay(f"board-{number}", board, name, (ReplayTable(Played(record), "t", (name,) * 4),))
        for number in range(1, 2 * ROWS + 2)
        for board in [Board.dealt(1, number)]
        for record in field(1, board)
    ]
    with ReplayFolder(tmp_path, INDEX, is_private=False) as folder:
        folder.write_list("1-1", name, rows_of(replays), INDEX)
    pages = sorted(tmp_path.glob("1-1*.html"), key=lambda path: path.stat().st_size)
    assert [path.name for path in pages] == [
        f"1-1-from-{2 * ROWS + 1}.html",
        "1-1.html",
        f"1-1-from-{ROWS + 1}.html",
    ]
    assert pages[-1].stat().st_size < LARGEST


def test_matches_without_boards_have_no_pages_and_no_links(tmp_path: Path) -> None:
    robin = event(Format.ROUND_ROBIN, "alpha", "beta", "gamma", boards=1)
    played = leaderboard([EventResults(robin, [result(robin, unit) for unit in units(robin)])])
    (only,) = played.events
    detail = EventTables(only.detail.results)
    vars(detail)["matches"] = [replace(match, boards=()) for match in only.matches]
    board = replace(played, events=(replace(only, detail=detail),))
    write_replays(board, tmp_path / FOLDER, is_private=False)
    write_leaderboard(board, tmp_path)
    pages = check_site(tmp_path)
    assert set(pages) == {PAGE}
    assert not any(link.startswith(FOLDER) for link in pages[PAGE].links)
    assert "listed on a page" not in words(pages[PAGE])

"""Card play in the laboratory and in a match, on the same boards with the same seed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.play import in_both_rooms
from bridge_arena.reports.common.values import values
from bridge_arena.tournaments.events.boards import (
    BIDDER,
    GivenBoard,
    dealt_boards,
    recorded_boards,
)
from tests.data import data_path
from tests.end_to_end.arena import records_of, summary_of
from tests.end_to_end.conftest import Here
from tests.lab.played import figures, played

SEED = 9
BOARDS = 4


def dealt(_: Path) -> tuple[list[str], list[GivenBoard]]:
    boards = dealt_boards(DealKey.of_seed(SEED), system(BIDDER))
    return [], [next(boards) for _ in range(BOARDS)]


def recorded(folder: Path) -> tuple[list[str], list[GivenBoard]]:
    """Boards that other programs have bid, with auctions of their own."""
    games = data_path("wbridge5", "games-1-8000.pbn").read_text("latin-1").split("\n\n")
    path = folder / "games.pbn"
    path.write_text("\n\n".join(games[: 2 * BOARDS]) + "\n\n", "latin-1")
    found = recorded_boards(path, system(BIDDER))
    return ["--boards-from", path.name], found[:BOARDS]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("boards", "bots"),
    [(dealt, ("fastplay", "baseline")), (recorded, ("random", "fastplay:bidding=simple"))],
)
def test_card_play_in_the_laboratory_ends_as_a_match_card_for_card(
    here: Here,
    tmp_path: Path,
    boards: Callable[[Path], tuple[list[str], list[GivenBoard]]],
    bots: tuple[str, str],
) -> None:
    options, given = boards(tmp_path)
    command = ["match", *bots, "--mode", "play", *options, "--boards", f"{BOARDS}"]
    ended = here(*command, "--seed", f"{SEED}", "--out", "out")
    assert (ended.status, ended.errors) == (0, ""), ended
    expected = records_of(tmp_path / "out" / "match.pbn")
    tables = played(*bots, list(in_both_rooms(given)), DealKey.of_seed(SEED), valued=True)
    found = [table.record for table in tables]
    assert len(found) == len(expected) == 2 * BOARDS
    for one, other in zip(found, expected, strict=True):
        for part in "board room players calls contract cards tricks score mode home".split():
            assert getattr(one, part) == getattr(other, part), part
    # So are the ledgers of both bots.
    told = [each["ledger"] for each in summary_of(tmp_path / "out")["bots"]]
    assert [values(each)["ledger"] for each in figures(tables)] == told

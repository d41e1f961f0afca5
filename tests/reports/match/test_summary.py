"""The keys and values of summary.json."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings

from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, Mode, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.reports.match.figures import match_figures
from bridge_arena.reports.match.summary import summary
from bridge_arena.tournaments.events.sealing.provenance import UNTOLD
from tests.reports.match.matches import Ledgers, explained_match, matches, worked_match
from tests.tournaments.matches import unfinished


def test_worked_match() -> None:
    records, ledgers = worked_match()
    records[0] = replace(records[0], times=((1.0,), (4.0,), (2.0,), ()))
    result = summary(match_figures(records, ledgers))
    boards = result.pop("board_results")
    alpha, beta = result.pop("bots")
    assert result == {
        "names": ["alpha", "beta"],
        "event": records[0].event,
        "dates": sorted({record.date for record in records if record.date}),
        "mode": "full",
        "boards": 3,
        "single_table_boards": 0,
        "imps": -2,
        "imps_per_board": -0.666667,
        "standard_error": 4.630815,
        "p_value": 1.0,
        "victory_points": [8.62, 11.38],
        "winner": "beta",
        "forfeit": None,
        "adjusted_boards": 0,
        "adjusted_imps": 0,
        "sprt": None,
        "deals": UNTOLD.values,
        "terms": {},
    }
    assert alpha["name"] == "alpha"
    assert alpha["timing"] == {"n": 2, "mean_ms": 1.5, "p99_ms": 1.99}
    assert beta["timing"]["p99_ms"] == 4
    assert (alpha["illegal_actions"], alpha["timeouts"], alpha["forfeits"]) == (0, 0, 0)
    declarer = beta["tricks_vs_dd"]["declarer"]
    assert (declarer["n"], declarer["mean"], declarer["standard_error"]) == (3, 0.0, 0.57735)
    assert declarer["by_level"]["3"] == {"n": 2, "mean": 0.0, "standard_error": 1.0}
    assert alpha["ledger"]["tricks_lost"] == {"opening_lead": 2, "declarer_play": 0, "defence": 0}
    assert alpha["ledger"]["tricks_lost_per_board"]["opening_lead"]["mean"] == 0.666667
    assert alpha["ledger"]["imps"] == {
        "auction": 8.0,
        "play": -10.0,
        "opening_lead": -13.5,
        "declarer_play": 0.0,
        "defence": 0.0,
    }
    assert boards[1] == {
        "board": 2,
        "dealer": "E",
        "vulnerability": "NS",
        "open": {"contract": "3NT", "declarer": "E", "tricks": 9, "dd_tricks": 8, "score": -400},
        "closed": {
            "contract": "Pass",
            "declarer": None,
            "tricks": None,
            "dd_tricks": None,
            "score": 0,
        },
        "imps": -9,
        "cumulative": -2,
        "split": {
            "auction": 2.0,
            "first": {"opening_lead": -11.0, "declarer_play": 0.0, "defence": 0.0},
            "second": {"opening_lead": 0.0, "declarer_play": 0.0, "defence": 0.0},
        },
    }


def test_explanations() -> None:
    result = summary(match_figures(*explained_match()))
    alpha, beta = (bot["explanations"] for bot in result["bots"])
    assert (alpha["calls"], alpha["alerted"], alpha["explained"], alpha["with_ranges"]) == (1,) * 4
    one = {"n": 1, "mean": 0.0, "standard_error": None}
    none = {"n": 0, "mean": None, "standard_error": None}
    assert alpha["kept"] == one
    assert alpha["hcp"] == {"kept": one, "width": 4.0, "missed_by": one | {"mean": 1.0}}
    assert alpha["spades"] == {"kept": one, "width": 10.0, "missed_by": one | {"mean": 2.0}}
    assert alpha["diamonds"] == {"kept": one | {"mean": 1.0}, "width": 9.0, "missed_by": none}
    assert alpha["clubs"] == {"kept": none, "width": None, "missed_by": none}
    assert alpha["worst"] == [
        {
            "board": 1,
            "room": "Open",
            "seat": "N",
            "position": 1,
            "call": "1D",
            "promised": "invitation [hcp 14-18, S 3-13, D 4-13]",
            "hand": "2.KQ74.QJ83.KQ72",
            "off": {"hcp": -1, "spades": -2},
        }
    ]
    assert alpha.keys() == beta.keys()
    assert (beta["calls"], beta["explained"], beta["kept"], beta["worst"]) == (1, 0, none, [])


def test_a_given_auction_explains_nothing_of_the_bots() -> None:
    records = [replace(record, mode=Mode.PLAY) for record in explained_match()[0]]
    bots = summary(match_figures(records, {}))["bots"]
    assert [bot["explanations"] for bot in bots] == [None, None]


def test_forfeit() -> None:
    crash = Fault(Seat.EAST, FaultKind.CRASH, 9, "exit status 1")
    records, ledgers = worked_match()
    result = summary(match_figures([*records, unfinished(4, Room.OPEN, crash)], ledgers))
    assert result["winner"] == "alpha"
    assert result["forfeit"] == {
        "by": "beta",
        "board": 4,
        "room": "Open",
        "seat": "E",
        "fault": "crash",
        "detail": "exit status 1",
    }


@pytest.mark.parametrize("key", ["imps_per_board", "standard_error", "p_value", "victory_points"])
def test_what_is_not_known_is_null(key: str) -> None:
    result = summary(match_figures([], {}))
    assert result[key] is None
    assert result["bots"][0]["timing"] == {"n": 0, "mean_ms": None, "p99_ms": None}


@settings(deadline=None)
@given(matches())
def test_is_strict_json(match: tuple[list[BoardRecord], Ledgers]) -> None:
    result = summary(match_figures(*match))
    text = json.dumps(result, allow_nan=False)
    assert json.loads(text) == result
    assert "-0.0," not in text

"""The example of the documentation: natural with one rule changed, and where it is seen."""

from __future__ import annotations

from tests.data import DOCS
from tests.lab.auctions import boards_of
from tests.lab.told import figures_of

EXAMPLE = DOCS / "examples" / "light_notrump.py"


def test_the_rule_is_found_where_it_was_changed() -> None:
    figures = figures_of(boards_of(150), f"{EXAMPLE}:LightNotrump", "natural")
    (arm,) = figures.arms
    assert arm.partings > 3
    for row in arm.where["hands"].every:
        situation, own, _, hand = row.what
        assert situation.startswith("opening in ")
        assert (own, hand) == ("1NT", "12-14 balanced")
    # At the table it calls as it did on many boards, and says what its notrump means.
    told = {
        str(made.explanation)
        for record in figures.records
        for place, made in enumerate(record.calls)
        if str(made.call) == "1NT" and record.players[record.caller(place)] == arm.name
    }
    assert "14 to 17, balanced [hcp 14-17]" in told

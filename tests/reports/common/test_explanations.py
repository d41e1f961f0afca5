"""Whether hands kept what their calls promised: by hand, and against `Explanation.holds_for`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from io import BytesIO
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import SUITS, Deal, Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, MadeCall, Mode, Room
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.pbn.read.records import read_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import HEADER, format_canonical
from bridge_arena.reports.common.explanations import (
    MOST_BROKEN,
    ExplanationFigures,
    explanation_figures,
)
from bridge_arena.reports.common.sums import Sums
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.tournaments import Played

# North: 16 points, 4-4-3-2. East: 10 points, 4-3-3-3.
DEAL = Deal.parse("N:AK32.KQ32.A32.32 QJ54.A54.K54.654 T9.T98.T987.T987 876.J76.QJ6.AKQJ")
OTHER = Deal.parse("N:AK32.KQ32.A32.42 QJ54.A54.K54.653 T9.T98.T987.T987 876.J76.QJ6.AKQJ")


def record(*calls: MadeCall, deal: Deal = DEAL, number: int = 1) -> BoardRecord:
    """A table at which North dealt and nobody finished the auction."""
    board = Board(number, Seat.NORTH, Vulnerability.NONE, deal)
    return BoardRecord(board, ("n", "e", "s", "w"), calls, room=Room.OPEN, home="a", visitors="b")


def told(call: str, explanation: Explanation | None = None, *, alert: bool = False) -> MadeCall:
    return MadeCall(Call(call), alert, explanation)


def north(*records: BoardRecord) -> ExplanationFigures:
    return of_seats(records, [Seat.NORTH])


def of_seats(records: Iterable[BoardRecord], seats: Collection[Seat]) -> ExplanationFigures:
    """The figures of an entry that sits in some seats of every table."""
    north, east, south, west = ("own" if seat in seats else "other" for seat in SEATS)
    sums = Sums.of(SeatedTable(Played(each), (north, east, south, west)) for each in records)
    return explanation_figures(sums, sums.entry("own"))


PASS = told("Pass")
NOTRUMP = told("1NT", Explanation("strong", (15, 17), dict.fromkeys(SUITS, (2, 5))), alert=True)


def test_promises_that_were_told_are_counted() -> None:
    text, empty = told("2C", Explanation("Stayman?")), told("3C", Explanation())
    found = north(record(NOTRUMP, PASS, PASS, PASS, text, PASS, PASS, PASS, empty))
    assert (found.calls, found.alerted, found.explained, found.with_ranges) == (3, 1, 2, 1)
    assert (found.kept.n, found.kept.mean) == (1, 1)
    assert (found.hcp.kept.n, found.hcp.kept.mean, found.hcp.width) == (1, 1, 2)
    assert found.clubs.kept.n == 1
    assert found.hcp.missed_by.mean is None
    assert found.worst == ()


def test_calls_of_the_other_entry_are_not_counted() -> None:
    wrong = told("1S", Explanation(lengths={Suit.SPADES: (5, 13)}))
    table = record(NOTRUMP, wrong)
    assert north(table).worst == ()
    east = of_seats([table], [Seat.EAST, Seat.WEST])
    assert (east.calls, east.kept.mean, east.spades.missed_by.mean) == (1, 0, 1)
    assert of_seats([table], []).calls == 0


def test_misses_have_a_sign_and_a_mean() -> None:
    weak = told("2S", Explanation("weak", (5, 10), {Suit.SPADES: (6, 6), Suit.CLUBS: (0, 1)}))
    big = told("2C", Explanation(hcp=(20, 37), lengths={Suit.SPADES: (3, 4)}))
    found = north(record(weak, deal=DEAL), record(big, deal=OTHER, number=2))
    # 16 points are 6 too many, and 4 too few.
    assert (found.hcp.kept.mean, found.hcp.missed_by.n, found.hcp.missed_by.mean) == (0, 2, 5)
    assert found.hcp.missed_by.standard_error == pytest.approx(1)
    assert found.hcp.width == pytest.approx((5 + 17) / 2)
    assert found.spades.kept.mean == 0.5
    first, second = found.worst
    assert first.off == {None: 6, Suit.SPADES: -2, Suit.CLUBS: 1}
    assert (first.weight, str(first.call), first.promised) == (15, "2S", weak.explanation)
    assert (second.off, second.record.board.number) == ({None: -4}, 2)
    assert str(second.hand) == "AK32.KQ32.A32.42"


def test_standard_errors_are_clustered_by_deal() -> None:
    """A hand that repeats what is wrong tells no more than once."""
    right, wrong = told("1S", Explanation(hcp=(16, 16))), told("1S", Explanation(hcp=(17, 17)))
    again = replace(wrong, call=Call("2S"))
    found = north(
        record(wrong, PASS, PASS, PASS, again),
        replace(record(wrong), room=Room.CLOSED),
        record(right, deal=OTHER, number=2),
    )
    # Three observations of 0 in one cluster, one of 1 in the other: the sums of their
    # distances from the mean of 1/4 are -3/4 and 3/4.
    assert (found.kept.n, found.kept.mean) == (4, 0.25)
    assert found.kept.standard_error == pytest.approx(sqrt(2 * (0.75**2 + 0.75**2)) / 4)
    assert north(record(wrong), record(wrong)).kept.standard_error is None


def test_ranges_that_all_hands_keep_are_no_promises() -> None:
    found = north(record(told("1S", Explanation("any", (0, 37), {Suit.SPADES: (0, 13)}))))
    assert (found.explained, found.with_ranges, found.kept.mean) == (1, 0, None)
    assert (found.hcp.kept.n, found.hcp.width, found.spades.kept.n) == (0, None, 0)


def test_given_auctions_are_not_the_players() -> None:
    found = north(
        replace(record(NOTRUMP), mode=Mode.PLAY), replace(record(PASS), mode=Mode.BIDDING)
    )
    assert (found.calls, found.explained) == (1, 0)


def test_the_worst_is_shown_once_a_hand_and_of_equals_the_first_tables() -> None:
    def wrong(points: int) -> MadeCall:
        return told("1S", Explanation(hcp=(16 + points, 37)))

    tables = [record(wrong(at % 4 + 1), number=at) for at in range(1, 9)]
    longer = replace(
        tables[0], calls=(wrong(1), PASS, PASS, PASS, replace(wrong(9), call=Call("2S")))
    )
    found = north(longer, *tables[1:])
    assert [one.record for one in found.worst[1:3]] == [tables[2], tables[6]]
    backwards = north(*tables[:0:-1], longer).worst
    assert [one.record for one in backwards[1:3]] == [tables[6], tables[2]]
    numbers = [each.record.board.number for each in found.worst]
    assert len(numbers) == MOST_BROKEN
    # Board 1 by nine points in its second call, 3 and 7 by four, 2 and 6 by three.
    assert numbers == [1, 3, 7, 2, 6]
    assert found.worst[0].at == 4


RANGES = st.tuples(st.integers(0, 13), st.integers(0, 13)).map(lambda two: (min(two), max(two)))


def auctions(texts: st.SearchStrategy[str]) -> st.SearchStrategy[list[BoardRecord]]:
    """Boards passed out, or not bid to an end, with explanations of such texts."""
    explanations = st.builds(
        Explanation,
        text=texts,
        hcp=st.none() | RANGES,
        lengths=st.dictionaries(st.sampled_from(SUITS), RANGES),
        forcing=st.booleans(),
    )
    made = st.builds(MadeCall, st.just(PASS.call), st.booleans(), st.none() | explanations)
    calls = st.lists(st.lists(made, max_size=4), min_size=1, max_size=3)
    return calls.map(
        lambda auctions: [
            replace(record(*own), board=Board.dealt(5, number))
            for number, own in enumerate(auctions, start=1)
        ]
    )


def of_all(records: Iterable[BoardRecord]) -> ExplanationFigures:
    return of_seats(records, SEATS)


@given(auctions(st.just("told")))
def test_a_promise_is_kept_if_it_holds_for_the_hand(records: list[BoardRecord]) -> None:
    held = [
        made.explanation.holds_for(each.board.deal[SEATS[(each.board.dealer + at) % 4]])
        for each in records
        for at, made in enumerate(each.calls)
        if made.explanation is not None
    ]
    found = of_all(records)
    assert found.explained == len(held)
    broken = found.kept.n * (1 - (found.kept.mean or 0.0))
    assert round(broken) == held.count(False)
    assert bool(found.worst) == (False in held)


@settings(deadline=None)
@given(
    auctions(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
        | st.sampled_from(["strong [hcp 15-17]", "Alert", "[S 5-13] ", "a [b]", "x  [forcing]"])
    )
)
def test_a_file_gives_the_same_figures(records: list[BoardRecord]) -> None:
    text = "".join(format_canonical(game_of(each)) for each in records)
    file = BytesIO((HEADER + text).encode("latin-1"))
    assert shown(of_all(read_records(file))) == shown(of_all(records))


def shown(figures: ExplanationFigures) -> tuple[ExplanationFigures, list[str]]:
    """All that a report shows, whatever else of a record a file may tell."""
    worst = [
        f"{each.record.board} {each.at} {each.promised} {each.weight}" for each in figures.worst
    ]
    return replace(figures, worst=()), worst

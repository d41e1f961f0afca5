"""The columns of the scoring bracket, and their figures."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bridge_arena.bots.fastplay.bot import FastPlayBot
from bridge_arena.bots.library.bidding_systems import BiddingBot, SystemName, system
from bridge_arena.bots.library.many_auctions.boards import imps
from bridge_arena.bots.montecarlo.bot import MonteCarloBot
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALLS, Contract
from bridge_arena.bridge.cards import PACK, Card, Deal, Hand
from bridge_arena.bridge.record import MadeCall, Room
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.bidders import Bidder, parse_bidders
from bridge_arena.lab.bidding import bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.bracket import (
    COLUMNS,
    KINDS,
    LEVELS,
    PLAIN,
    ToLead,
    brackets,
    column_points,
    leads,
    led,
    system_of,
    tricks_after,
)
from bridge_arena.lab.experiment import UNKNOWN, Experiment, Match, Part
from bridge_arena.lab.figures import LabFigures, lab_figures
from bridge_arena.lab.play import play
from bridge_arena.lab.report import PAGE, SUMMARY, write_lab_files
from bridge_arena.lab.run import do_part
from bridge_arena.lab.run import solve as solved_here
from bridge_arena.lab.scoring import points_of, scored
from bridge_arena.lab.wording import imps_text
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from bridge_arena.protocol.view import View
from bridge_arena.tournaments.events.boards import GivenBoard, dealt_boards
from bridge_arena.tournaments.play.in_process import named_pair, play_match
from bridge_arena.tournaments.schedule.units import team_at
from tests.lab.auctions import bid_of, boards_of, finished
from tests.lab.bidders_here import Passes
from tests.lab.test_bidders import HERE
from tests.lab.told import bidden, solve


def test_each_column_of_the_bracket_has_its_points() -> None:
    boards = boards_of(1)  # North deals, nobody is vulnerable
    bid = bid_of(boards, [(finished("4S"), finished("1D X XX"))])
    tricks = np.array([[10, 7]], np.uint8)
    led = np.array([[11, 8]], np.uint8)
    points = {
        name: column_points(column, boards, bid, tricks, led).tolist()
        for name, column in COLUMNS.items()
    }
    # 4S made, and 1DXX made, are the same with a doubler; the lead gives a trick.
    assert points == {
        "double_dummy": [[420, 230]],
        "lead": [[450, 430]],
        "doubler": [[420, 230]],
        "lead_and_doubler": [[450, 430]],
    }


@pytest.mark.parametrize(
    ("auction", "plain", "doubled", "after_lead"),
    [("4S", -100, -300, 420), ("4S X", -300, -300, 590), ("4S X XX", -600, -600, 880)],
)
def test_only_what_goes_down_undoubled_is_doubled(
    auction: str, plain: int, doubled: int, after_lead: int
) -> None:
    boards = boards_of(1)
    bid = bid_of(boards, [(finished(auction), finished("P"))])
    # Two down double dummy; the lead lets it make. The other room passed the board out.
    tricks = np.array([[8, UNKNOWN]], np.uint8)
    led = np.array([[10, UNKNOWN]], np.uint8)
    points = [column_points(each, boards, bid, tricks, led).tolist() for each in COLUMNS.values()]
    assert points == [[[each, 0]] for each in (plain, after_lead, doubled, after_lead)]


def told_of() -> tuple[LabFigures, Part]:
    """An experiment in which the lead gives a trick in every contract of an odd board."""
    experiment, part = bidden(boards_of(40), "baseline", "natural", "simple=baseline")
    gift = part.boards.numbers[:, None] % 2
    matches = tuple(
        replace(
            match,
            led=np.where(
                match.tricks == UNKNOWN, UNKNOWN, np.minimum(match.tricks + gift, 13)
            ).astype(np.uint8),
        )
        for match in part.matches
    )
    part = replace(part, matches=matches)
    return lab_figures(replace(experiment, leader=Bidder.parse("fastplay")), part, solve), part


def test_the_first_column_is_the_result_and_kinds_add_up() -> None:
    figures, _ = told_of()
    comparisons = (*figures.differences, *figures.arms)
    assert len(figures.bracket) == len(comparisons) == 3
    for bracket, comparison in zip(figures.bracket, comparisons, strict=True):
        assert (bracket.name, bracket.against) == (comparison.name, comparison.against)
        assert tuple(bracket.columns) == tuple(COLUMNS)
        assert bracket.columns[PLAIN].imps_per_board == comparison.imps_per_board
        for column in bracket.columns.values():
            whole = column.imps_per_board.mean
            for question in (LEVELS, ("notrump", "suit"), ("undoubled", "doubled")):
                assert whole == pytest.approx(
                    sum(column.kinds[kind].mean or 0 for kind in question)
                )
            less = column.more_than_plain.mean
            plain = bracket.columns[PLAIN].imps_per_board.mean
            assert whole is not None
            assert plain is not None
            assert less == pytest.approx(whole - plain)
    moved = [each.columns["lead"].more_than_plain.mean for each in figures.bracket]
    assert any(moved)


@pytest.mark.parametrize(
    ("rooms", "kinds"),
    [
        (("2S", "1NT"), {"part-score", "suit", "undoubled"}),
        (("4S", "1NT X"), {"game", "suit", "doubled"}),
        (("3NT X XX", "4C"), {"part-score", "suit", "doubled"}),
        (("3C", "6NT"), {"slam", "notrump", "undoubled"}),
    ],
)
def test_a_board_is_of_the_kinds_of_its_contracts(rooms: tuple[str, str], kinds: set[str]) -> None:
    experiment, _ = bidden(boards_of(1), "baseline", "natural")
    boards = boards_of(1)
    bid = bid_of(boards, [(finished(rooms[0]), finished(rooms[1]))])
    tricks = np.array([[13, 0]], np.uint8)
    points = points_of(boards, bid, tricks)
    match = Match(bid, tricks, points, imps(points[:, 0] - points[:, 1]), tricks)
    given = replace(experiment, leader=Bidder.parse("fastplay"))
    (bracket,) = brackets(given, Part(boards, (match,)), np.arange(1))
    for column in bracket.columns.values():
        assert {kind for kind, mean in column.kinds.items() if mean.mean} == kinds


def test_files_show_the_bracket(tmp_path: Path) -> None:
    figures, _ = told_of()
    write_lab_files(figures, tmp_path)
    told = json.loads((tmp_path / SUMMARY).read_text(encoding="utf-8"))
    assert told["leader"] == "fastplay"
    (first, *_) = told["bracket"]
    assert set(first) == {"name", "against", "columns"}
    for column in first["columns"].values():
        assert set(column) == {"imps_per_board", "more_than_plain", "kinds"}
        assert set(column["kinds"]) == set(KINDS)
    page = (tmp_path / PAGE).read_text(encoding="utf-8")
    assert "The scoring bracket" in page
    for bracket in figures.bracket:
        for column in bracket.columns.values():
            assert imps_text(column.imps_per_board).replace("-", "−") in page


def test_no_bracket_where_none_was_asked_for(tmp_path: Path) -> None:
    figures = lab_figures(*bidden(boards_of(4), "baseline", "natural"), solve)
    assert figures.bracket == ()
    write_lab_files(figures, tmp_path)
    assert "bracket" not in (tmp_path / PAGE).read_text(encoding="utf-8")


KEY = DealKey.of_seed(3)


@pytest.mark.parametrize("name", ["natural", "simple"])
def test_the_lead_is_that_of_fastplay_at_the_table(name: str) -> None:
    reader = system(name)  # type: ignore[arg-type]
    boards = dealt_boards(KEY, reader)
    given = [next(boards) for _ in range(4)]
    bot = f"fastplay:bidding={name}"
    records = play(named_pair(bot, bot), [(Room.OPEN, each) for each in given], KEY)
    tables = [
        ToLead(each.board, [made.call for made in each.auction], reader, reader, KEY)
        for each in given
    ]
    assert leads(tables) == [record.cards[0] for record in records]


class LeadsOnly(FastPlayBot):
    """Leads as `fastplay` does, and plays on with any card. It is asked for one card at a time."""

    def play(self, view: View) -> Card:
        return super().play(view) if not view.playing.cards else min(view.legal_cards())


class Samples(MonteCarloBot):
    """The same with the lead of `montecarlo` from two worlds; calls are those of the system."""

    call = BiddingBot.call

    def __init__(self, bidding: SystemName = "natural") -> None:
        super().__init__(worlds=2, bidding=bidding)

    def play(self, view: View) -> Card:
        return super().play(view) if not view.playing.cards else min(view.legal_cards())


@pytest.mark.parametrize(
    ("systems", "kind", "boards"),
    [
        (("qtable", "natural"), LeadsOnly, 6),
        (("neural", "natural"), LeadsOnly, 3),
        (("natural", "qtable"), Samples, 2),
    ],
)
def test_leads_are_those_of_a_match(
    systems: tuple[SystemName, SystemName], kind: Callable[..., Bot], boards: int
) -> None:
    """Both sides bid by systems of their own, and explain their calls to each other."""
    every = [KEY.board(number) for number in range(1, boards + 1)]
    home, visitors = (partial(kind, bidding=name) for name in systems)
    records = [
        record for record in play_match(home, visitors, every, seed=3).records if record.contract
    ]
    tables = []
    for record in records:
        assert record.contract is not None
        declaring = team_at(record.contract.declarer.side, record.room)
        calls = [made.call for made in record.calls]
        sides = system(systems[1 - declaring]), system(systems[declaring])
        tables.append(ToLead(record.board, calls, *sides, KEY))
    expected = [record.cards[0] for record in records]
    assert leads(tables, kind) == expected
    if kind is LeadsOnly:
        assert leads(tables) == expected


def test_the_leader_does_not_see_what_is_hidden() -> None:
    """The cards of the other three are dealt anew; the auction stays."""
    reader = system("natural")
    boards = dealt_boards(KEY, reader)
    rng = Random(1)
    for given in (next(boards) for _ in range(6)):
        calls = [made.call for made in given.auction]
        table = ToLead(given.board, calls, reader, reader, KEY)
        leader = table.contract.declarer.next
        hidden = [card for card in PACK if card not in given.board.deal[leader]]
        rng.shuffle(hidden)
        thirteens = iter([Hand.of(hidden[start : start + 13]) for start in (0, 13, 26)])
        north, east, south, west = (
            given.board.deal[seat] if seat == leader else next(thirteens) for seat in SEATS
        )
        other = replace(given.board, deal=Deal((north, east, south, west)))
        assert leads([replace(table, board=other)]) == leads([table])


class Wrong(FastPlayBot):
    """Plays what is no card."""

    def play(self, view: View) -> Card:
        del view
        return 7  # type: ignore[return-value]


class Short(FastPlayBot):
    """Answers on many boards with no card."""

    def play_many(self, views: Sequence[View]) -> list[Card] | None:
        return [] if views else super().play_many(views)


@pytest.mark.parametrize(("kind", "what"), [(Wrong, "Wrong.play "), (Short, "Short.play_many ")])
def test_what_is_no_card_is_refused(kind: Callable[[], Bot], what: str) -> None:
    reader = system("simple")
    given = next(dealt_boards(KEY, reader))
    calls = [made.call for made in given.auction]
    with pytest.raises(TypeError, match=what):
        leads([ToLead(given.board, calls, reader, reader, KEY)], kind)


def test_the_leader_hears_the_opponents_and_reads_its_partner() -> None:
    board = Board.standard(1, KEY.deal(1))
    calls = GivenBoard.in_contract(board, Contract.parse("3NT", Seat.NORTH)).auction
    declaring = system("deepq")
    table = ToLead(board, [made.call for made in calls], system("natural"), declaring, KEY)
    view = table.view()
    assert view.seat is Seat.EAST
    assert view.hand == board.deal[Seat.EAST]
    said = declaring.explain(view.auction, board.vulnerability)
    assert view.calls == [
        MadeCall(made.call, explanation=meaning if place % 2 == 0 else None)
        for place, (made, meaning) in enumerate(zip(calls, said, strict=True))
    ]


def test_tricks_after_each_lead_are_those_of_the_solver() -> None:
    deal = KEY.deal(2)
    contract = Contract.parse("4S", Seat.WEST)
    values = card_values(Position(deal.hands, contract.denomination.trump, Seat.NORTH))
    before = 13 - max(values.values())
    assert len(set(values.values())) > 1
    for card, defenders in values.items():
        assert tricks_after(deal, contract, card, before) == 13 - defenders


def test_the_system_of_a_bot_is_its_own() -> None:
    bot = FastPlayBot(bidding="simple")
    assert system_of(bot) is bot.system
    assert type(system_of(Passes())) is type(system("natural"))


def experiment(*names: str, boards: int) -> tuple[Experiment, LabBoards]:
    *arms, opponent = parse_bidders(list(names))
    given = Experiment(tuple(arms), opponent, boards, 3, leader=Bidder.parse("fastplay"))
    return given, LabBoards.dealt(given.key, 1, boards + 1)


def test_no_lead_gives_fewer_tricks_than_the_best() -> None:
    given, boards = experiment("natural", "simple=baseline", "neural", boards=4)
    found = do_part(given, boards)
    assert isinstance(found, dict)
    part = Part.of(found)
    better = 0
    for match in part.matches:
        assert match.led is not None
        known = match.tricks != UNKNOWN
        assert (match.led[known] >= match.tricks[known]).all()
        assert (match.led[~known] == UNKNOWN).all()
        better += int((match.led[known] > match.tricks[known]).sum())
    assert better
    assert Part.joined([part.first(3), part]).matches[0].led is not None
    without = do_part(replace(given, leader=None), boards)
    assert isinstance(without, dict)
    assert Part.of(without).matches[0].led is None


def test_each_side_leads_by_its_own_system() -> None:
    given, boards = experiment("natural", "simple=baseline", boards=12)
    arm, opponent = (each.maker() for each in (*given.arms, given.opponent))
    (match,) = scored(boards, [bid(boards, arm, opponent, given.key)], solved_here)
    (found,) = led(given, boards, [match])
    assert found.led is not None
    systems = system_of(arm()), system_of(opponent())
    for row, room in np.argwhere(match.tricks != UNKNOWN)[:12].tolist():
        declarer = Seat(int(match.bid.declarer[row, room]))
        # The arm sits North-South in the open room and East-West in the closed one.
        of_declarer = systems[0] if (declarer % 2 == 0) == (room == 0) else systems[1]
        (of_leader,) = (each for each in systems if each is not of_declarer)
        made = [call for call in match.bid.calls[row, room].tolist() if call >= 0]
        calls = [CALLS[call] for call in made]
        table = ToLead(boards.board(row), calls, of_leader, of_declarer, KEY)
        (lead,) = leads([table])
        before = int(match.tricks[row, room])
        after = tricks_after(table.board.deal, table.contract, lead, before)
        assert found.led[row, room] == after


def test_a_system_that_cannot_explain_is_told_in_a_line() -> None:
    given, boards = experiment(f"{HERE}:Mumbles", "baseline", boards=8)
    found = do_part(given, boards)
    assert found == "opening leads of fastplay: RuntimeError: no words (bidders_here.py, line 58)"

"""Tests of the beliefs about hands that follow from calls and their explanations."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from bridge_arena.bots.library.bidding_systems import System, system
from bridge_arena.bots.library.hand_ranges import ANY, HandRanges
from bridge_arena.bots.library.sampling.beliefs import beliefs, disclosed, promised
from bridge_arena.bots.library.sampling.sampler import Sampler
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Hand, Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.protocol.http_robot.answer import read_bid
from bridge_arena.protocol.messages import CallMade
from bridge_arena.protocol.view import View
from tests.bots.views import hold, new_view


def heard(seat: Seat, calls: list[tuple[str, str]]) -> View:
    """Return what `seat` knows after calls with their explanations; North deals."""
    view = new_view(seat, Board.dealt(1, 1))
    assert view.dealer == Seat.NORTH
    for index, (call, line) in enumerate(calls):
        view.apply(
            CallMade(
                table="t",
                board=1,
                seq=2,
                seat=SEATS[index % 4],
                call=Call(call),
                explanation=Explanation.parse(line) if line else None,
            )
        )
    return view


@dataclass
class Scripted(System):
    """A system in which the calls have given meanings."""

    lines: list[str]

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        raise NotImplementedError

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        raise NotImplementedError

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        del vulnerability
        assert len(auction.calls) == len(self.lines)
        return [Explanation.parse(line) for line in self.lines]


def spades(belief: HandRanges) -> tuple[int, int]:
    return belief.lengths[Suit.SPADES]


class TestTold:
    def test_silence_tells_nothing_of_a_hand(self) -> None:
        assert promised([]) == ANY

    def test_all_explanations_of_a_hand_hold_together(self) -> None:
        lines = ["[hcp 12-21, S 4-13]", "[hcp 0-15, H 3-5]", "[S 0-6]", "pass"]
        belief = promised(map(Explanation.parse, lines))
        assert belief == HandRanges((12, 15), ((0, 13), (0, 13), (3, 5), (4, 6)))

    def test_the_later_explanation_is_believed_where_two_contradict(self) -> None:
        lines = ["[hcp 12-21, S 5-13]", "[hcp 6-9, S 4-6]"]
        belief = promised(map(Explanation.parse, lines))
        assert belief.hcp == (6, 9)
        assert spades(belief) == (5, 6)


class TestBeliefs:
    def test_the_own_side_means_what_its_system_says(self) -> None:
        """Explanations given to the seat do not count, and the last call tells all."""
        view = heard(Seat.SOUTH, [("1S", "[hcp 3-4]"), ("Pass", ""), ("2S", "[hcp 1-1]")])
        found = beliefs(view, Scripted(["[hcp 12-21, S 5-13]", "", "[hcp 6-9, S 3-13]"]))
        assert found[Seat.NORTH].hcp == (12, 21)
        assert spades(found[Seat.NORTH]) == (5, 13)
        assert found[Seat.SOUTH].hcp == (6, 9)
        assert found[Seat.EAST] == found[Seat.WEST] == HandRanges()

    def test_a_system_may_widen_what_it_said(self) -> None:
        calls = [("1S", ""), ("Pass", ""), ("2S", ""), ("Pass", ""), ("3S", "")]
        lines = ["[hcp 12-14]", "", "", "", "[hcp 12-21]"]
        assert beliefs(heard(Seat.SOUTH, calls), Scripted(lines))[Seat.NORTH].hcp == (12, 21)

    def test_opponents_mean_what_they_told(self) -> None:
        view = heard(Seat.EAST, [("1S", "[hcp 8-10, S 4-4]")])
        found = beliefs(view, Scripted(["[hcp 12-21, S 5-13]"]))
        assert found[Seat.NORTH].hcp == (8, 10)
        assert spades(found[Seat.NORTH]) == (4, 4)

    def test_ranges_in_the_words_of_an_opponents_robot_are_believed(self) -> None:
        """What BEN says of a splinter: so the layouts that a sampler draws are mostly of it."""
        said = {"bid": "4D", "explanation": "Splinter -- 1-!D; 6-!H; 5-6!S; 14-20 HCP"}
        view = heard(Seat.EAST, [("4D", str(read_bid(said).explanation))])
        north = beliefs(view, Scripted([""]))[Seat.NORTH]
        assert north == HandRanges((14, 20), ((0, 13), (0, 1), (0, 6), (5, 6)))
        layouts = Sampler(view, [ANY, ANY, ANY, ANY]).draw(200, Random(1))
        informed = Sampler(view, [north, ANY, ANY, ANY]).draw(200, Random(1))
        held, held_before = (
            sum(north.holds(hands[Seat.NORTH]) for hands in each) for each in (informed, layouts)
        )
        assert held_before < 10
        assert held > 100

    def test_opponents_who_tell_nothing_are_read_by_the_system(self) -> None:
        for line in ("", "natural", "good hand [forcing]"):
            found = beliefs(heard(Seat.EAST, [("1S", line)]), Scripted(["[hcp 12-21, S 5-13]"]))
            assert found[Seat.NORTH].hcp == (12, 21)
            assert spades(found[Seat.NORTH]) == (5, 13)

    def test_an_artificial_call_without_ranges_says_nothing(self) -> None:
        """A transfer promises no diamonds, however the system would have meant it."""
        for line in ("transfer [artificial]", "[forcing, artificial]"):
            view = heard(Seat.EAST, [("2D", line)])
            assert beliefs(view, Scripted(["[hcp 6-10, D 6-13]"]))[Seat.NORTH] == ANY

    def test_what_the_system_reads_into_an_artificial_call_is_not_added_later(self) -> None:
        calls = [("2D", "[artificial]"), ("Pass", ""), ("2S", "[S 4-13]"), ("Pass", ""), ("3H", "")]
        lines = ["[hcp 6-10, D 6-13]", "", "[]", "", "[hcp 8-10, D 6-13, H 4-13]"]
        north = beliefs(heard(Seat.EAST, calls), Scripted(lines))[Seat.NORTH]
        assert north == HandRanges((8, 10), ((0, 13), (0, 13), (4, 13), (0, 13)))

    def test_an_artificial_call_with_ranges_means_these(self) -> None:
        view = heard(Seat.EAST, [("2D", "transfer [H 5-13, artificial]")])
        found = beliefs(view, Scripted(["[hcp 6-10, D 6-13]"]))[Seat.NORTH]
        assert found == HandRanges(lengths=((0, 13), (0, 13), (5, 13), (0, 13)))

    def test_only_what_an_unexplained_call_added_is_read_by_the_system(self) -> None:
        """Not what the system would have thought of the explained call before it."""
        calls = [("1C", "[hcp 16-37]"), ("Pass", ""), ("1S", "[hcp 0-7]"), ("Pass", ""), ("2H", "")]
        lines = ["[hcp 12-21, C 4-13]", "", "[S 4-13]", "", "[hcp 12-21, C 4-13, H 5-13]"]
        north = beliefs(heard(Seat.EAST, calls), Scripted(lines))[Seat.NORTH]
        assert north.hcp == (16, 37)
        assert north.lengths == ((0, 13), (0, 13), (5, 13), (0, 13))

    def test_calls_of_the_simple_system_are_believed(self) -> None:
        found = beliefs(hold("AJ32.K54.32.Q432", "Pass 1H"), system("simple"))
        assert found[Seat.NORTH] == HandRanges((0, 11))
        assert found[Seat.EAST] == HandRanges((12, 21), ((0, 13), (0, 13), (4, 13), (0, 13)))
        assert found[Seat.WEST] == found[Seat.SOUTH] == HandRanges()


class TestDisclosed:
    def test_all_sides_mean_what_was_told_to_anybody(self) -> None:
        lines = ["[hcp 12-21, S 5-13]", "[hcp 7-11]", "[hcp 6-9]"]
        view = heard(Seat.SOUTH, [("1S", ""), ("Pass", ""), ("2S", "")])
        calls = [MadeCall(Call("1S"), explanation=Explanation.parse("[hcp 8-10, S 4-4]"))]
        calls += view.calls[1:]
        found = disclosed(view, calls, Scripted(lines))
        assert found[Seat.NORTH].hcp == (8, 10)
        assert spades(found[Seat.NORTH]) == (4, 4)
        # Calls told without ranges mean what the system says.
        assert (found[Seat.EAST].hcp, found[Seat.SOUTH].hcp) == ((7, 11), (6, 9))

"""The values of calls (auctions completed, tricks estimated) and of cards (double dummy)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bridge_arena.bots.fastplay.net import PlayNet, positions_of, promised_to
from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.library.many_auctions.auctions import Auctions, Turns
from bridge_arena.bots.library.sampling.beliefs import Beliefs
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.library.tricks.net import TricksNet
from bridge_arena.bots.montecarlo.bidding import LONGEST
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, FIRST_BID, PASS, RISKS, Call, Contract
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Side, Vulnerability
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from bridge_arena.protocol.view import View
from bridge_arena.recorded.audit.luck import Numbers


def candidates(system: System, view: View, made: Call) -> list[Call]:
    """Return the call that was made, then those that the system would consider."""
    options = system.options(view.hand, view.auction, view.vulnerability)
    return list(dict.fromkeys((made, *(option.call for option in options))))


def values_of_calls(
    system: System, net: TricksNet, view: View, calls: Sequence[Call], layouts: Sequence[Hands]
) -> Numbers:
    """Return the expected points of the caller's side after each call, calls×layouts."""
    contracts = projections(system, view.auction, view.vulnerability, calls, layouts)
    return values_of_contracts(net, view, contracts, layouts)


def values_of_contracts(
    net: TricksNet,
    view: View,
    contracts: Sequence[Sequence[Contract | None]],
    layouts: Sequence[Hands],
) -> Numbers:
    """Return the expected points of the caller's side in contracts, calls×layouts."""
    points = np.zeros((len(contracts), len(layouts)))
    played = [
        (call, place, contract)
        for call, row in enumerate(contracts)
        for place, contract in enumerate(row)
        if contract is not None
    ]
    if played:
        # Calls often lead to contracts of the same declarer, so a pair of hands is estimated
        # once for all denominations.
        sides = dict.fromkeys(_side(layouts[place], contract) for _, place, contract in played)
        estimate = net.estimate(
            hands_array(hand for hand, _ in sides), hands_array(partner for _, partner in sides)
        )
        chances = dict(zip(sides, estimate.distribution()[:, :, 0], strict=True))
        worths = {
            contract: np.array(
                [score_ns(contract, tricks, view.vulnerability) for tricks in range(14)]
            )
            for contract in {contract for _, _, contract in played}
        }
        for call, place, contract in played:
            chance = chances[_side(layouts[place], contract)]
            points[call, place] = worths[contract] @ chance[contract.denomination]
    return points if view.seat.side is Side.NS else -points


def projections(
    system: System,
    auction: Auction,
    vulnerability: Vulnerability,
    calls: Sequence[Call],
    layouts: Sequence[Hands],
) -> list[list[Contract | None]]:
    """Return what `project` returns for each call in each layout, calls×layouts.

    All auctions go on in step, as systems of networks are quicker at many turns than at one.
    """
    many = getattr(system, "call_many", None)
    number = len(calls) * len(layouts)
    dealer = auction.dealer
    hands = [np.tile(hands_array(hands), (len(calls), 1)) for hands in zip(*layouts, strict=True)]
    vulnerable = [vulnerability.includes(side) for side in (dealer.side, dealer.next.side)]
    auctions = Auctions(number)
    for made in auction.calls:
        auctions.push(np.full(number, made))
    auctions.push(np.repeat(calls, len(layouts)))
    going, contracts = np.arange(number), list[Contract | None]([None] * number)
    while True:
        for row in np.flatnonzero(auctions.over & (auctions.last > 0)).tolist():
            bid, risk = CALLS[FIRST_BID + auctions.last[row] - 1], RISKS[auctions.risk[row]]
            declarer = SEATS[(dealer + int(auctions.declarer[row])) % 4]
            contracts[going[row]] = Contract.of(bid, risk, declarer)
        left = np.flatnonzero(~auctions.over)
        if not len(left):
            return [contracts[at : at + len(layouts)] for at in range(0, number, len(layouts))]
        auctions, going = auctions.rows(left), going[left]
        chosen = np.full(len(going), int(PASS))
        if auctions.made < LONGEST:
            seat = (dealer + auctions.turn) % 4
            turns = Turns(
                hands[seat][going],
                auctions,
                np.tile(vulnerable, (len(going), 1)),
                np.full(len(going), int(dealer)),
            )
            chosen = np.asarray(many(turns) if many else turns.one_by_one(system.call))
            is_legal = auctions.legal()[np.arange(len(going)), chosen]
            chosen = np.where(is_legal, chosen, int(PASS))
        auctions.push(chosen)


def _side(layout: Hands, contract: Contract) -> tuple[Hand, Hand]:
    """Return declarer's hand and dummy's."""
    return layout[contract.declarer], layout[contract.declarer.partner]


def stake(net: PlayNet, view: View, believed: Beliefs, card: Card) -> float:
    """Return how much may depend on the choice of a card, in tricks.

    It is the sum of the costs that the network expects of the card and of the cheapest card. Two
    cards take different tricks only in layouts where one of them costs some. So if both are
    expected to cost almost nothing, there is almost nothing to see. The true layout has no part in
    this.
    """
    legal = list(view.legal_cards())
    position = positions_of([view], [promised_to(view, believed)])
    costs = np.maximum(net.costs(position)[0, legal], 0.0)
    return float(costs[legal.index(card)] + costs.min())


def values_of_cards(view: View, layouts: Sequence[Hands]) -> Numbers:
    """Return the tricks that the side in turn still takes after each legal card, cards×layouts."""
    play = view.playing
    cards = list(view.legal_cards())
    tricks: dict[Hands, list[int]] = {}
    for layout in dict.fromkeys(layouts):
        solved = card_values(Position(layout, play.trump, play.leader, tuple(play.trick)))
        tricks[layout] = [solved[card] for card in cards]
    return np.array([tricks[layout] for layout in layouts], np.float64).T

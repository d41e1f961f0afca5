"""The rebuilt networks of Yeh, Hsieh and Lin: what they are taught and coupled with."""

from __future__ import annotations

from argparse import ArgumentTypeError

import numpy as np
import pytest

from bridge_arena.bots.library.learning.hands import hands_array, random_pairs
from bridge_arena.bots.library.learning.scores import CONTRACTS
from bridge_arena.bridge.cards import Hand
from research.papers.yeh_features import features
from research.papers.yeh_openings import NATURAL, PRECISION, SAYC, openings
from tests.late_imports import late_imports

with late_imports("torch"):
    import torch
    from torch import Tensor

    from research.papers import yeh_nets
    from research.papers.yeh import changed, units
    from research.papers.yeh_data import deals_of, estimated
    from research.papers.yeh_nets import QNets, bits_of, contracts_of
    from research.papers.yeh_tables import Results, Run
    from research.papers.yeh_training import Deals, Effort, Setting, Trainer, cost_of, train

pytestmark = pytest.mark.slow


def some(number: int, seed: int = 1) -> Deals:
    """Return random pairs with random costs, so that no two contracts cost the same."""
    rng = np.random.default_rng(seed)
    hands = torch.from_numpy(np.stack(random_pairs(rng, number), axis=1)).float()
    costs = rng.uniform(0, 24, (number, CONTRACTS)).astype(np.float32)
    return Deals(hands, torch.from_numpy(costs))


def reached(nets: QNets, hands: Tensor, costs: Tensor, bids: list[int]) -> float:
    """Return the cost at which an auction ends after some bids, with one network for each bid."""
    while True:
        call = len(bids)
        if call == len(nets) or (call > 1 and bids[-1] == bids[-2]):
            return float(costs[bids[-1]])
        found = nets.found(call, hands[None, call % 2], bits_of(torch.tensor([bids])))
        bids = [*bids, bids[-1] + int(found[0, bids[-1] : CONTRACTS].argmin())]


@pytest.mark.parametrize("calls", [2, 4, 5])
def test_each_bid_is_taught_where_it_leads(calls: int) -> None:
    deals = some(2)
    trainer = Trainer(Setting(calls), Effort(), deals, seed=3)
    nets = trainer.nets
    trainer._fast.float().load_state_dict(nets.state_dict())
    costs = deals.costs / yeh_nets.SCALE
    pairs = list(zip(deals.hands, costs, strict=True))
    for made in ([], [4], [0, 9]):
        call = len(made)
        if call >= calls:
            continue
        so_far = torch.tensor([made + [-1] * (calls - call)] * len(deals))
        with torch.no_grad():
            sums = [
                nets.hand(later, deals.hands[:, later % 2]) + bits_of(so_far) @ nets.bids(later)
                for later in range(call + 1, calls)
            ]
            every = torch.ones(len(deals), CONTRACTS, dtype=torch.bool)
            targets = trainer.targets(call, sums, contracts_of(so_far), costs, every)
            for pair in range(len(deals)):
                last = made[-1] if made else -1
                expected = [
                    yeh_nets.ILLEGAL if bid < last else reached(nets, *pairs[pair], [*made, bid])
                    for bid in range(CONTRACTS)
                ]
                assert targets[pair].tolist() == pytest.approx(expected)


def test_illegal_answers_may_count() -> None:
    """A bid whose best answer of any kind is illegal then costs what illegal bids do."""
    deals = some(40)
    found: list[Tensor] = []
    for illegal in (0, 1):
        trainer = Trainer(Setting(2), Effort(illegal=illegal), deals, seed=3)
        nets = trainer.nets
        trainer._fast.float().load_state_dict(nets.state_dict())
        none, every = torch.full((40,), -1), torch.ones(40, CONTRACTS, dtype=torch.bool)
        with torch.no_grad():
            sums = [nets.hand(1, deals.hands[:, 1])]
            found.append(trainer.targets(0, sums, none, deals.costs / yeh_nets.SCALE, every))
    legal, either = found
    assert (legal < yeh_nets.ILLEGAL).all()
    differs = legal != either
    assert 0 < differs.sum() < legal.numel()
    assert (either[differs] == yeh_nets.ILLEGAL).all()


@pytest.mark.parametrize("calls", [2, 4])
def test_bellmans_targets_look_one_bid_ahead(calls: int) -> None:
    """An answer that ends the auction costs what its contract does, another what is expected."""
    deals = some(40)
    trainer = Trainer(Setting(calls, penetrative=False), Effort(), deals, seed=3)
    nets = trainer.nets
    trainer._fast.float().load_state_dict(nets.state_dict())
    costs = deals.costs / yeh_nets.SCALE
    none = torch.full((len(deals),), -1)
    with torch.no_grad():
        sums = [nets.hand(later, deals.hands[:, later % 2]) for later in range(1, calls)]
        every = torch.ones(len(deals), CONTRACTS, dtype=torch.bool)
        targets = trainer.targets(0, sums, none, costs, every)
        ended = 0
        for pair, bid in np.ndindex(*targets.shape):
            bits = bits_of(torch.tensor([[bid]]))
            found = nets.found(1, deals.hands[None, pair, 1], bits)[0, :CONTRACTS]
            then = bid + int(found[bid:].argmin())
            over = then == bid or calls == 2
            expected = costs[pair, then] if over else found[then]
            assert float(targets[pair, bid]) == pytest.approx(float(expected), abs=1e-5)
            ended += over
    assert ended == targets.numel() if calls == 2 else 0 < ended < targets.numel()


def test_what_is_not_rolled_teaches_nothing() -> None:
    deals = some(5)
    trainer = Trainer(Setting(2), Effort(), deals, seed=3)
    tried = torch.zeros(5, CONTRACTS, dtype=torch.bool)
    last = torch.full((5,), 7)
    sums = [torch.zeros(5, 128, dtype=torch.bfloat16)]
    targets = trainer.targets(0, sums, last, deals.costs, tried)
    assert targets[:, 7].equal(deals.costs[:, 7]), "agreed to"
    assert (targets[:, :7] == yeh_nets.ILLEGAL).all()
    assert targets[:, 8:].isnan().all()


def test_tested_bids_are_legal() -> None:
    torch.manual_seed(5)
    made = QNets(5).bid(some(200).hands)
    for bids in made.tolist():
        said = [bid for bid in bids if bid >= 0]
        assert bids == said + [-1] * (5 - len(said)), "over is over"
        assert said[:-1] == sorted(set(said[:-1]))
        assert len(said) == 5 or said[-1] == said[-2], "or it would go on"
        assert len(said) == 1 or said[-1] >= said[-2]


def test_an_opening_that_is_given_is_made() -> None:
    torch.manual_seed(5)
    opening = torch.arange(30)
    made = QNets(3).bid(some(30).hands, opening)
    assert made[:, 0].equal(opening)


@pytest.mark.parametrize(
    ("hand", "sayc", "natural", "precision"),
    [
        ("K432.K43.K432.43", "P", "P", "P"),
        ("AK432.K43.K43.43", "1S", "1S", "1S"),
        ("AK43.KQ43.K43.43", "1N", "1N", "1N"),
        ("AK43.Q543.K43.43", "1D", "1C", "1D"),
        ("AK43.K43.QJ43.43", "1D", "1D", "1N"),
        ("AK43.AK3.QJ43.43", "1N", "1N", "1C"),
        ("AK43.K432.A43.AK", "2N", "2N", "1C"),
        ("AK4.K43.432.A432", "1C", "1C", "1N"),
        ("AK.KQ4.AKQ432.A2", "2C", "2C", "1C"),
        ("4.K3.A432.AQ5432", "1C", "1C", "2C"),
        ("AK43.K432.3.Q432", "1C", "1C", "2D"),
        ("A4.A3.KJ43.J9432", "1C", "1C", "1D"),
        ("AK432.KQ432.43.2", "1S", "1S", "1S"),
        ("K43.Q432.AKJ.432", "1C", "1C", "1N"),
    ],
)
def test_each_system_opens_hands_as_it_says(
    hand: str, sayc: str, natural: str, precision: str
) -> None:
    row = hands_array([Hand.parse(hand)])
    names = ["P"] + [f"{level}{suit}" for level in range(1, 8) for suit in "CDHSN"]
    found = [names[int(openings(system, row)[0])] for system in (SAYC, NATURAL, PRECISION)]
    assert found == [sayc, natural, precision]


def test_features_of_a_hand_are_points_lengths_and_honours() -> None:
    row = hands_array([Hand.parse("AKJ32.Q2.5432.32")])
    told = [5, 2, 4, 2]
    assert features("median", row, 5)[0] * [10, 10, 10, 10, 25] == pytest.approx([*told, 10])
    honours = [1, 0, 1, 1] + [0, 1, 0, 0] + [0] * 8
    assert features("lowest", row, 5)[0, 4:] * 5 == pytest.approx(honours)
    assert features("highest", row, 5)[0, 5:] * 100 == pytest.approx([5 * 8, 2 * 2, 0, 0])


def test_features_are_learnt_of_partner() -> None:
    """The features are those of the other hand; the first network has none."""
    batch = Effort().batch
    deals = some(batch)
    told = torch.stack([torch.zeros(batch, 1), torch.ones(batch, 1)], dim=1)
    deals = Deals(deals.hands, deals.costs, features=told)
    trainer = Trainer(Setting(4, features="one"), Effort(epochs=1), deals, seed=1)
    pairs = torch.arange(10)
    targets = torch.zeros(10, CONTRACTS)
    theirs = [trainer._with_features(call, pairs, targets)[:, -1] for call in range(3)]
    assert theirs[0].isnan().all()
    assert (theirs[1] == 0).all()
    assert (theirs[2] == 1).all()


def test_seeds_widen_a_difference() -> None:
    rng = np.random.default_rng(1)
    test = rng.uniform(0, 5, 100).astype(np.float32)

    def run(seed: int, more: float) -> Run:
        return Run(seed, 1, 1.0, 0.0, 0.0, test + np.float32(more), np.zeros(0, np.float32))

    one, other = Setting(2), Setting(3)
    same = Results({one: [run(1, 1.0)], other: [run(1, 0.0)]})
    assert same.difference(one, other).startswith("+1.0000 ± 0.0000 | ")
    apart = Results({one: [run(1, 0.8), run(2, 1.2)], other: [run(1, 0.0), run(2, 0.0)]})
    # Seeds spread by sqrt(0.08 / 2) over all, of which each mean keeps half the variance.
    assert apart.pooled is not None
    assert apart.pooled == pytest.approx((0.2, 2))
    assert apart.difference(one, other).startswith("+1.0000 ± 0.2000 | p = 0.03")


def test_numbers_of_the_training_are_changed_by_name() -> None:
    assert changed("memory=4096") == ("memory", 4096)
    assert changed("rate=1e-4") == ("rate", 1e-4)
    for text in ("colour=1", "memory", "memory=many", "memory=2.5", "rate=-1", "rate=nan"):
        with pytest.raises(ArgumentTypeError, match=r"memory|rate"):
            changed(text)


@pytest.mark.parametrize(
    "wrong",
    [
        {"epochs": 0},
        {"best": 0},
        {"minibatch": 0},
        {"memory": 1000},
        {"minibatch": 5000},
        {"illegal": 2},
        {"honours": 0},
    ],
)
def test_numbers_that_cannot_train_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"1 or more|holds a batch|0 or 1"):
        Effort(**wrong)


def test_tables_are_of_the_bids_that_are_asked_for() -> None:
    assert {setting.calls for setting in units(["II", "III"], [2, 5])} == {2, 5}
    assert len(units(["III"], [2, 3, 4, 5])) == 4


@pytest.mark.weekly(part="research")
def test_training_lowers_the_cost() -> None:
    batch = Effort().batch
    deals = deals_of(estimated(6 * batch))
    training = Deals(deals.hands[batch:], deals.costs[batch:])
    validation = Deals(deals.hands[:batch], deals.costs[:batch])
    setting = Setting(2)
    epochs: list[int] = []
    effort = Effort(epochs=3, rate=1e-3, minibatch=128)
    trained = train(setting, effort, training, validation, 1, lambda n, _: epochs.append(n))
    torch.manual_seed(1)
    untrained = float(cost_of(QNets(2), setting, validation).mean())
    assert min(trained.curve) < untrained - 2
    assert epochs == [1, 2, 3]
    best = float(cost_of(trained.nets, setting, validation).mean())
    assert best == pytest.approx(min(trained.curve), abs=1e-4)

"""Auctions in numpy, against the environment that has the rules."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs the extra envs")

from bridge_arena.bots.library.spaces import AUCTION_SIZE
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import Deal, Hand
from bridge_arena.bridge.record import Mode
from bridge_arena.bridge.seats import SEATS, Vulnerability
from bridge_arena.envs.aec import AGENTS, BridgeEnv
from bridge_arena.envs.bidding import BiddingEnvs
from bridge_arena.envs.episode import Episode
from tests.envs.boards import solved

TABLES = 6


def episode_of(envs: BiddingEnvs, table: int) -> Episode:
    """The board of a table as the other environment takes it."""
    north, east, south, west = (
        Hand(sum(1 << int(card) for card in np.flatnonzero(envs._hands[table, seat])))
        for seat in SEATS
    )
    ns, ew = envs._vulnerable[table]
    sides = (
        (Vulnerability.NONE, Vulnerability.EW),
        (Vulnerability.NS, Vulnerability.ALL),
    )
    dealer = SEATS[envs.dealers[table]]
    board = Board(1, dealer, sides[int(ns)][int(ew)], Deal((north, east, south, west)))
    known = envs.deals.table(int(envs._deal[table]))
    return Episode(board, Mode.BIDDING, solved=known)


def test_many_auctions_show_and_reward_what_a_single_environment_does() -> None:
    envs = BiddingEnvs(solved(20), TABLES)
    seen, masks = envs.reset(3)
    rng = np.random.default_rng(5)
    singles = [BridgeEnv("bidding") for _ in range(TABLES)]
    for table, single in enumerate(singles):
        single.reset(options={"episode": episode_of(envs, table)})
    ended = 0
    for _ in range(60):
        for table, single in enumerate(singles):
            assert single.agent_selection == AGENTS[envs.turn]
            told = single.observe(single.agent_selection)
            assert np.array_equal(told["observation"], seen[table])
            assert np.array_equal(told["action_mask"], masks[table])
        doubling = rng.random(TABLES) < 0.4
        passing = (rng.random(TABLES) < 0.6) & ~(doubling & masks[:, 1:3].any(axis=1))
        weights = rng.random(masks.shape) * masks * np.exp(-np.arange(38) / 4)
        calls = np.where(passing, 0, weights.argmax(axis=1))
        seen, masks, over, points, imps = envs.step(calls)
        for table, single in enumerate(singles):
            single.step(int(calls[table]))
            assert single.terminations["player_0"] == over[table]
            if over[table]:
                ended += 1
                assert single.points == points[table]
                assert single.rewards["player_0"] == imps[table]
                single.reset(options={"episode": episode_of(envs, table)})
            else:
                assert points[table] == imps[table] == 0
    assert ended > 10
    assert seen.shape == (TABLES, AUCTION_SIZE)


def test_a_seed_gives_the_same_boards() -> None:
    envs = BiddingEnvs(solved(20), TABLES)
    first, _ = envs.reset(1)
    envs.step(np.zeros(TABLES, np.int64))
    other, _ = envs.reset(2)
    again, _ = envs.reset(1)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("call", [1, 2, 38, -1])
def test_an_illegal_call_is_refused_and_changes_nothing(call: int) -> None:
    envs = BiddingEnvs(solved(3), 2)
    with pytest.raises(ValueError, match=f"call {call} at table 1 is not legal"):
        envs.step(np.array([0, call]))
    assert envs.turn == SEATS[0]


@pytest.mark.parametrize("calls", [np.zeros(3, np.int64), np.zeros(2), np.zeros((2, 1), np.int64)])
def test_calls_of_another_shape_are_refused(calls: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"calls of shape .* for 2 tables"):
        BiddingEnvs(solved(3), 2).step(calls)


def test_an_environment_without_deals_or_tables_is_refused() -> None:
    with pytest.raises(ValueError, match="0 tables for 3 deals"):
        BiddingEnvs(solved(3), 0)

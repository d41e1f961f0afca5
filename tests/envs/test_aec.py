"""The PettingZoo environment, by PettingZoo's own tests and by the game's rules."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs the extra envs")

from pettingzoo.test import api_test, seed_test

from bridge_arena.bots.library.spaces import action_of
from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bots.sdk.client import start_board
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall, Mode
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.envs.aec import AGENTS, BridgeEnv
from bridge_arena.envs.episode import Episode, par_points, second_table
from tests.envs.boards import solved

MODES = ["full", "bidding", "play"]

Policy = Callable[[np.ndarray], int]


def env(mode: str = "full", **options: object) -> BridgeEnv:
    return BridgeEnv(mode, deals=solved(5), bidder="simple", **options)  # type: ignore[arg-type]


def a_random(rng: np.random.Generator) -> Policy:
    return lambda mask: int(rng.choice(np.flatnonzero(mask)))


def play_out(bridge: BridgeEnv, choose: Policy) -> dict[str, float]:
    """The rewards of the rest of an episode, by the loop that PettingZoo's users write."""
    rewards = dict.fromkeys(AGENTS, 0.0)
    for agent in bridge.agent_iter():
        seen, reward, over, _, _ = bridge.last()
        assert seen is not None
        rewards[agent] += reward
        bridge.step(None if over else choose(seen["action_mask"]))
    return rewards


# An observation with its mask is a dict, as in PettingZoo's own card games, which its test names.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@pytest.mark.parametrize("mode", MODES)
def test_the_environment_passes_pettingzoos_own_tests(
    mode: str, capsys: pytest.CaptureFixture[str]
) -> None:
    api_test(env(mode), num_cycles=30)
    seed_test(lambda: env(mode), num_cycles=30)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("mode", MODES)
def test_a_random_policy_plays_to_the_end(mode: str) -> None:
    bridge, choose = env(mode), a_random(np.random.default_rng(1))
    bridge.reset(seed=2)
    for _ in range(4):
        rewards = play_out(bridge, choose)
        assert bridge.points is not None
        assert rewards["player_0"] == rewards["player_2"] == -rewards["player_1"]
        assert abs(rewards["player_0"]) <= 24
        assert rewards["player_1"] == rewards["player_3"]
        assert bridge.agents == []
        bridge.reset()


def test_the_contract_is_rewarded_against_par() -> None:
    bridge = env("bidding")
    bridge.reset(seed=1)
    rewards = play_out(bridge, lambda _: 0)
    par = par_points(bridge.episode)
    assert bridge.points == 0
    assert par != 0
    assert rewards["player_0"] * par < 0


def test_duplicate_against_the_same_players_is_no_swing() -> None:
    """The bots at the second table choose what these agents choose."""
    bridge = env("full", standard=second_table(RandomBot))
    bridge.reset(seed=4)
    bots = {agent: RandomBot() for agent in AGENTS}
    for agent, bot in bots.items():
        start_board(bot, bridge.view(agent))
    for agent in bridge.agent_iter():
        _, reward, over, _, _ = bridge.last(observe=False)
        assert reward == 0
        if over:
            bridge.step(None)
            continue
        view = bridge.view(agent)
        chosen = bots[agent].call(view) if view.play is None else bots[agent].play(view)
        bridge.step(action_of(chosen))
    assert bridge.points is not None


def test_the_contract_is_rewarded_against_a_given_result() -> None:
    bridge = env("bidding", standard=lambda _: -430)
    bridge.reset(seed=1)
    rewards = play_out(bridge, lambda _: 0)
    assert rewards == {"player_0": 10, "player_1": -10, "player_2": 10, "player_3": -10}


def test_a_given_episode_may_have_any_dealer_and_vulnerability() -> None:
    bridge = env()
    board = Board(9, Seat.WEST, Vulnerability.ALL, Board.dealt(1, 1).deal)
    bridge.reset(options={"episode": Episode(board)})
    assert bridge.agent_selection == "player_3"
    assert bridge.view("player_0").vulnerability == Vulnerability.ALL
    assert bridge.view("player_0").hand == board.deal[Seat.NORTH]
    assert bridge.view("player_0").deal is None


def test_an_episode_that_does_not_fit_is_refused() -> None:
    bridge = env("play")
    board = Board.dealt(1, 1)
    with pytest.raises(ValueError, match="an episode of mode full, expected play"):
        bridge.reset(options={"episode": Episode(board)})
    for calls in "Pass Pass Pass Pass", "1NT Pass Pass":
        auction = tuple(MadeCall(Call(call)) for call in calls.split())
        with pytest.raises(ValueError, match="board 1 has no auction that ends in a contract"):
            bridge.reset(options={"episode": Episode(board, Mode.PLAY, auction=auction)})
    with pytest.raises(ValueError, match="'auction' is not a valid Mode"):
        env("auction")


def test_no_deals_to_draw_from_are_refused() -> None:
    with pytest.raises(ValueError, match="there are no solved deals to draw from"):
        BridgeEnv("bidding", deals=solved(0))


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    bridge = env()
    bridge.reset(seed=1)
    agent = bridge.agent_selection
    for action, message in [
        (action_of(Call("X")), f"X by {agent} is not legal: its mask is 0"),
        (action_of(Card("SA")), f"SA by {agent} is not legal"),
        (90, "there is no action 90"),
        (None, f"{agent} is to act, and its action is None"),
    ]:
        with pytest.raises(ValueError, match=message):
            bridge.step(action)
    assert bridge.agent_selection == agent
    assert bridge.view(agent).calls == []


def test_the_same_seed_gives_the_same_boards_and_another_gives_others() -> None:
    def boards(seed: int) -> list[Board]:
        bridge = BridgeEnv("bidding")
        bridge.reset(seed=seed)
        found = [bridge.episode.board]
        for _ in range(7):
            bridge.reset()
            found.append(bridge.episode.board)
        return found

    assert boards(1) == boards(1)
    assert not set(boards(1)) & set(boards(2))
    assert len({board.dealer for board in boards(1)}) > 1
    assert len({board.vulnerability for board in boards(1)}) > 1


def test_a_seed_may_be_a_number_of_numpy() -> None:
    bridge = env()
    bridge.reset(seed=7)
    board = bridge.episode.board
    bridge.reset(seed=np.int64(7))  # type: ignore[arg-type]
    assert bridge.episode.board == board


def test_second_tables_bots_see_what_bots_see() -> None:
    seen: list[bool] = []

    class Watcher(RandomBot):
        def board_ended(self, view: object) -> None:
            seen.append(getattr(view, "result", None) is not None)

    episode = Episode(Board.dealt(1, 1), Mode.FULL, (1, 2, 3, 4))
    points = second_table(Watcher)
    assert points(episode) == points(episode)
    assert seen == [True] * 8


def test_an_environment_can_be_printed_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    bridge = env(render_mode="human")
    bridge.reset(seed=1)
    play_out(bridge, a_random(np.random.default_rng(0)))
    bridge.render()
    told = capsys.readouterr().out
    assert told.startswith("Board 1, dealer ")
    assert told.endswith(" to NS\n")
    assert env().render_mode is None

"""The game as a PettingZoo environment (AEC): auction and play, or either.

It needs the extra `envs`.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import index
from secrets import randbits
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_arena.base.extras import needing
from bridge_arena.bots.library.bidding_systems import SystemName, system
from bridge_arena.bots.library.spaces import (
    ACTIONS,
    AUCTION_SIZE,
    FIRST_CARD,
    SIZE,
    chosen_by,
    legal_actions,
    observation,
)
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.record import Mode
from bridge_arena.bridge.scoring import imps
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.envs.episode import Episode, Sitting, Standard, episodes, par_points
from bridge_arena.oracle.solved_deals import SolvedDeals
from bridge_arena.protocol.decision import answer_to
from bridge_arena.protocol.view import View

with needing("bridge_arena.envs.aec", "envs"):
    from gymnasium import spaces
    from pettingzoo import AECEnv

AGENTS = tuple(f"player_{int(seat)}" for seat in SEATS)
"""The agents in North, East, South and West."""


class BridgeEnv(AECEnv):  # type: ignore[misc]
    """One board an episode; the agents call and play in turn, declarer for dummy too.

    An observation is `{"observation": ..., "action_mask": ...}`. The reward comes at the end: the
    IMPs by which the side did better than the standard. A seed of `reset` is a public seed, which
    gives the same episodes everywhere; `reset` without one goes on to the next board.

    Args:
        mode: The part of the board that the agents decide: "full", "bidding" (the contract is
            scored double dummy) or "play" (they are given an auction).
        standard: What the result is compared with: `par_points`, `second_table(make_bot)`, or any
            function from an episode to North-South's points.
        deals: Solved deals to draw the boards from, so that the solver need not be asked; None for
            random deals.
        bidder: The bidding system that makes the auction if only the cards are to be played.
        render_mode: "ansi" has `render` return a text, "human" has it print the text.

    Attributes:
        episode: The episode in progress.

    Raises:
        ValueError: There is no such mode, or there are no deals to draw from.
    """

    episode: Episode
    agent_selection: str

    metadata: dict[str, Any] = {  # noqa: RUF012 (as PettingZoo has it)
        "name": "bridge_arena_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        mode: str = "full",
        standard: Standard = par_points,
        deals: SolvedDeals | None = None,
        bidder: SystemName = "natural",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if deals is not None and not len(deals):
            raise ValueError("there are no solved deals to draw from")
        self.render_mode = render_mode
        self._mode = Mode(mode)
        self._standard = standard
        self._deals = deals
        self._bidder = system(bidder)
        # None until the first reset.
        self._episodes: Iterator[Episode] | None = None
        self._size = AUCTION_SIZE if self._mode is Mode.BIDDING else SIZE
        self._actions = FIRST_CARD if self._mode is Mode.BIDDING else ACTIONS
        self.possible_agents = list(AGENTS)
        self.observation_spaces = {agent: self._space() for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(self._actions) for agent in AGENTS}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next episode.

        Args:
            seed: The public seed of the episodes from now on; None to go on with those of the seed
                before, or with a random seed at the first call.
            options: `{"episode": Episode(...)}` gives the episode itself; other keys are left
                unread, as PettingZoo wants it.

        Raises:
            ValueError: The episode is of another mode than the environment, or has nothing to play.
        """
        if seed is not None or self._episodes is None:
            # A seed that numpy drew is no int of Python.
            seed = randbits(53) if seed is None else index(seed)
            self._episodes = episodes(seed, self._mode, self._bidder, self._deals)
        given = (options or {}).get("episode")
        self.episode = next(self._episodes) if given is None else self._checked(given)
        self._sitting = Sitting(self.episode)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None
        self._select()

    def step(self, action: int | None) -> None:
        """Take the action of the agent whose turn it is.

        Args:
            action: A legal action; None for an agent whose episode is over.

        Raises:
            ValueError: The action is not legal; the message says which call or card it is.
        """
        agent: str = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        view = self.view(agent)
        turn = view.turn
        assert turn is not None
        if action is None:
            raise ValueError(f"{agent} is to act, and its action is None")
        chosen = chosen_by(int(action))
        if str(chosen) not in turn.legal:
            raise ValueError(f"{chosen} by {agent} is not legal: its mask is 0")
        self._sitting.answer(answer_to(turn, chosen))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        points = self._sitting.points
        if points is None:
            self._select()
            return
        worth = float(imps(points - self._standard(self.episode)))
        for player, seat in zip(AGENTS, SEATS, strict=True):
            self.rewards[player] = worth if seat.side == Side.NS else -worth
            self.terminations[player] = True
        self._accumulate_rewards()
        self.agent_selection = AGENTS[0]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent sees, from its view alone.

        `observation` is as `bots.library.spaces` lays it out; `action_mask` is all 0 if it is
        not the agent's turn.
        """
        view = self.view(agent)
        return {
            "observation": observation(view, self._size),
            "action_mask": legal_actions(view, self._actions),
        }

    def view(self, agent: str) -> View:
        """Return what an agent sees, as a bot would: a view kept up to date during the episode."""
        return self._sitting.views[SEATS[AGENTS.index(agent)]]

    @property
    def points(self) -> int | None:
        """North-South's points on the episode; None until it is over."""
        return self._sitting.points

    def render(self) -> str | None:
        """Return or print the board as spectators see it, as `render_mode` says."""
        if self.render_mode is None:
            return None
        text = _text(self._sitting)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def _space(self) -> spaces.Dict:
        return spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (self._size,), np.uint8),
                "action_mask": spaces.Box(0, 1, (self._actions,), np.int8),
            }
        )

    def _checked(self, episode: Episode) -> Episode:
        if episode.mode is not self._mode:
            raise ValueError(f"an episode of mode {episode.mode}, expected {self._mode}")
        if episode.mode is Mode.PLAY:
            auction = Auction(episode.board.dealer, [made.call for made in episode.auction])
            if auction.contract is None or not auction.is_over:
                number = episode.board.number
                raise ValueError(f"board {number} has no auction that ends in a contract")
        return episode

    def _select(self) -> None:
        turn = self._sitting.turn
        assert turn is not None
        self.agent_selection = AGENTS[turn.player]


def _text(sitting: Sitting) -> str:
    """Return the board with all hands, the auction and the play so far."""
    board, view = sitting.episode.board, sitting.views[Seat.NORTH]
    lines = [
        f"Board {board.number}, dealer {board.dealer}, vulnerable {board.vulnerability}",
        *(f"{seat}  {board.deal[seat] - view.played[seat]}" for seat in SEATS),
        str(view.auction),
    ]
    if view.play is not None:
        play = view.play
        lines.append(f"{play.contract} by {play.declarer}: {' '.join(map(str, play.cards))}")
    if sitting.points is not None:
        lines.append(f"{sitting.points:+} to NS")
    return "\n".join(lines)

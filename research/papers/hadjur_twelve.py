"""Measure how fast the game of Hadjur's preliminary study is learned (2018, section 5.1).

He says of the game that it is "simple", that opponents play at random, that it was learned on "some
specific deals", and that states hold all cards. Here it is played with the twelve aces, kings and
queens, three cards a hand, at notrump; declarer's side needs two of the three tricks. A state is
the sequence of the cards played. A deal is a tree of at most a few thousand states, so that the
wins of the best play, and of a table's play, against random opponents are exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

from bridge_arena.bots.library.minibridge.game import Game, any_of
from bridge_arena.bots.library.portable_random import shuffled
from bridge_arena.bots.qplay.learning import Rule

PACK = tuple(13 * suit + rank for suit in range(4) for rank in (10, 11, 12))
TARGET = 2

Goal = Literal["won", "lost", "tricks"]
"""What is played for, and rewarded at the end: 1 for two tricks or more; that, and -1 for fewer;
or 1 for each trick."""

Order = Literal["forward", "backward"]
"""In which order the steps of a game are learned."""

State = tuple[int, ...]
Values = dict[State, dict[int, float]]


@dataclass(frozen=True, slots=True)
class Study:
    """A way to learn the game; `exploration` is the probability of a random card."""

    rule: Rule
    exploration: float = 1.0
    goal: Goal = "won"
    order: Order = "forward"
    rate: float = 0.3
    discount: float = 0.9


@dataclass(frozen=True, slots=True)
class Found:
    """The numbers of games, to within a twentieth, until something is reached; None: never."""

    first: int | None = None  # the table's play is the best for the first time
    most: int | None = None  # it gains nine tenths of what the best play gains over random play
    stays: int | None = None  # it is the best, and remains so
    back: int | None = None  # the reward has reached the value of a first card
    tried: int | None = None  # every card of declarer's side was tried in every state


class Tree:
    """The game tree of a deal against random opponents, with exact values."""

    def __init__(self, hands: tuple[int, int, int, int], goal: Goal) -> None:
        self.hands = hands
        self._goal = goal
        # Of each state of declarer's side: what is legal.
        self.legal: dict[State, list[int]] = {}
        # Of each state, what comes after each card; the reward of one that is the end.
        self._after: dict[State, list[tuple[int, State]]] = {}
        self._ends: dict[State, float] = {}
        self._grow(Game(hands), ())
        self.best = self.best_of(())
        self.random = self.worth({})

    def _grow(self, game: Game, state: State) -> None:
        if game.is_over:
            self._ends[state] = self._reward(game.won)
            return
        cards = [card for card in PACK if game.legal() >> card & 1]
        if not game.turn & 1:
            self.legal[state] = cards
        self._after[state] = [(card, (*state, card)) for card in cards]
        for card, after in self._after[state]:
            then = _replayed(self.hands, state)
            then.play(card)
            self._grow(then, after)

    def _reward(self, won: int) -> float:
        if self._goal == "tricks":
            return float(won)
        if won >= TARGET:
            return 1.0
        return -1.0 if self._goal == "lost" else 0.0

    def end(self, state: State) -> float:
        """Return the reward of a game that is over."""
        return self._ends[state]

    def best_of(self, state: State) -> float:
        """Return what the best play wins from a state on."""
        if state in self._ends:
            return self._ends[state]
        worth = [self.best_of(after) for _, after in self._after[state]]
        return max(worth) if state in self.legal else sum(worth) / len(worth)

    def worth(self, values: Values, state: State = ()) -> float:
        """Return what a table wins; of equal cards, and of unknown ones, it plays any."""
        if state in self._ends:
            return self._ends[state]
        choices = self._after[state]
        known = values.get(state) if state in self.legal else None
        if known:
            most = max(known.values())
            choices = [(card, after) for card, after in choices if known.get(card) == most]
        return sum(self.worth(values, after) for _, after in choices) / len(choices)

    @property
    def moves(self) -> int:
        """The number of pairs of a state of declarer's side and a legal card."""
        return sum(map(len, self.legal.values()))


def _replayed(hands: tuple[int, int, int, int], cards: State) -> Game:
    game = Game(hands)
    for card in cards:
        game.play(card)
    return game


def deals_that_matter(number: int, goal: Goal, seed: int) -> list[Tree]:
    """Return `number` random deals on which the best play wins more than random play."""
    rng = Random(seed)
    found: list[Tree] = []
    while len(found) < number:
        cards = shuffled(rng, PACK)
        first, second, third, fourth = (
            sum(1 << card for card in cards[start : start + 3]) for start in range(0, 12, 3)
        )
        tree = Tree((first, second, third, fourth), goal)
        if tree.best > tree.random + 1e-9:
            found.append(tree)
    return found


def study(tree: Tree, how: Study, games: int, seed: int) -> Found:
    """Learn a deal by playing a number of games."""
    rng = Random(seed)
    values: Values = {}
    found: dict[str, int] = {}
    pairs = looked = 0
    for number in range(1, games + 1):
        steps, reward = _play(tree, values, how.exploration, rng)
        pairs += _learn(values, steps, reward, how)
        if pairs == tree.moves:
            found.setdefault("tried", number)
        if any(values[steps[0][0]].values()):
            found.setdefault("back", number)
        # Looking takes longer than a game: it is done at each twentieth more games.
        if number < looked * 1.05 and number != games:
            continue
        looked = number
        gain = (tree.worth(values) - tree.random) / (tree.best - tree.random)
        if gain > 0.9:
            found.setdefault("most", number)
        if gain > 1 - 1e-9:
            found.setdefault("first", number)
            found.setdefault("stays", number)
        else:
            found.pop("stays", None)
    return Found(**found)


def _play(
    tree: Tree, values: Values, exploration: float, rng: Random
) -> tuple[list[tuple[State, int]], float]:
    """Play a game; return the states and cards of declarer's side, and the reward."""
    game = Game(tree.hands)
    state: State = ()
    steps: list[tuple[State, int]] = []
    while not game.is_over:
        card = any_of(game.legal(), rng)
        if not game.turn & 1:
            known = values.get(state)
            if known and rng.random() >= exploration:
                most = max(known.values())
                equal = [each for each, value in known.items() if value == most]
                card = equal[int(rng.random() * len(equal))]
            steps.append((state, card))
        game.play(card)
        state = (*state, card)
    return steps, tree.end(state)


def _learn(values: Values, steps: list[tuple[State, int]], reward: float, how: Study) -> int:
    """Learn a game, and return the number of cards that were tried for the first time."""
    new = 0
    order = range(len(steps))
    for place in order if how.order == "forward" else reversed(order):
        state, card = steps[place]
        target = reward
        if place + 1 < len(steps):
            after, then = steps[place + 1]
            known = values.get(after, {})
            if how.rule == "qlearning":
                target = how.discount * max(known.values(), default=0.0)
            else:
                target = how.discount * known.get(then, 0.0)
        row = values.setdefault(state, {})
        new += card not in row
        before = row.get(card, 0.0)
        row[card] = before + how.rate * (target - before)
    return new

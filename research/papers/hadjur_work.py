"""Do the work of Hadjur's benchmark, unit by unit."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from hashlib import sha256
from importlib import import_module, resources
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import timed
from bridge_arena.bots.library.learning.arrays import Arrays, write_arrays
from bridge_arena.bots.library.minibridge import Defence, HandsKnown, Kept
from bridge_arena.bots.library.minibridge.game import DEFENCES, MiniDeal, Player, random_card
from bridge_arena.bots.library.minibridge.games import deals_to_test, margins, random_games
from bridge_arena.bots.qplay.learning import Learner, QPlaySettings, Rule, TablePlayer, Values
from bridge_arena.bots.registry import parse
from research.papers.hadjur_games import Games, all_without_unknown, merged
from research.papers.hadjur_net import NetPlayer
from research.papers.hadjur_play import margin_of_bot, solved_margin
from research.papers.hadjur_rules import RULED
from research.papers.hadjur_twelve import Goal, Order, Study, deals_that_matter, study

Facts = dict[str, Any]

RULES: tuple[Rule, ...] = ("qlearning", "sarsa")
HANDS: tuple[HandsKnown, ...] = ("known", "unknown")
SPREADS = (0.8, 0.0)
DEFENCE: Defence = "follow"

READINGS: dict[str, dict[str, Any]] = {
    "reward one more": {"reward": "made"},
    "reward at the end": {"when": "end"},
    "reward at the end, one more": {"when": "end", "reward": "made"},
    "lost games too": {"kept": "all"},
    "lost games too, reward at the end": {"kept": "all", "when": "end"},
    **{f"defenders {name}": {"defence": name} for name in DEFENCES if name != DEFENCE},
}
"""Other readings of what the paper leaves open, as `QPlaySettings` has them."""

NETS: dict[str, dict[str, Any]] = {
    "as the tables": {},
    "reward at the end": {"when": "end"},
    "lost games too, reward at the end": {"kept": "all", "when": "end"},
    "lost games too, the margin at every step and no future": {"kept": "all", "discount": 0.0},
    "no future": {"discount": 0.0},
    "defenders last": {"defence": "last"},
}
"""Likewise of `hadjur_learning.NetSettings`."""


LEARNED = ("qplay", "sarsa", "dqn", "fastplay")
DECLARERS = ("baseline", *LEARNED, "minimax", "montecarlo:worlds=20")

STUDIES: tuple[tuple[float, Goal, Order], ...] = (
    (1.0, "won", "forward"),
    (0.5, "won", "forward"),
    (0.1, "won", "forward"),
    (1.0, "lost", "forward"),
    (0.5, "lost", "forward"),
    (1.0, "tricks", "forward"),
    (1.0, "won", "backward"),
)
"""The studies of the game of twelve cards: exploration, goal, order of learning."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The amount of work.

    It has the `deals` to test on; the `seeds`; the `sizes`, games after which a table is tested;
    the `part`, games of a table that is merged; the sizes and seeds of the long runs; the `steps`
    of a network that learns from `net_games`; the deals of twelve cards, with games and seeds; and
    the deals of a `chunk` that a bot plays.
    """

    deals: int = 2_000
    seeds: int = 5
    sizes: tuple[int, ...] = (100, 500, 1_000, 2_500, 5_000, 7_500, 10_000, 12_500, 15_000)
    part: int = 1_500
    longer: tuple[int, ...] = (30_000, 60_000, 100_000)
    long_seeds: int = 3
    net_games: int = 1_000
    steps: int = 5_000
    twelve: int = 20
    twelve_games: int = 5_000
    twelve_seeds: int = 2
    chunk: int = 100


QUICK = Scale(4, 2, (20, 50), 25, (80,), 1, 20, 30, 2, 200, 1, 2)


class Bench:
    """The units of work, each of which gives facts to be kept; `folder` keeps the games."""

    def __init__(self, scale: Scale, folder: Path) -> None:
        self.scale = scale
        self._folder = folder
        self._deals: list[MiniDeal] | None = None

    def units(self) -> dict[str, Callable[[], Facts]]:
        """Return all units in order: what matters most and costs least first."""
        scale = self.scale
        units: dict[str, Callable[[], Facts]] = {"speed": self._speed}
        seeds = range(1, scale.seeds + 1)
        for seed, defence in product(seeds, DEFENCES):
            units[f"random/{defence}/{seed}"] = partial(self._random, defence, seed)
        for seed in seeds:
            units[f"luck/{seed}"] = partial(self._luck, seed)
        for seed, name in product(seeds, RULED):
            units[f"ruled/{name}/{seed}"] = partial(self._ruled, name, seed)
        for seed in seeds:
            for rule, hands, spread in product(RULES, HANDS, SPREADS):
                settings = QPlaySettings(rule=rule, hands=hands, spread=spread)
                units[curve_name(settings, seed)] = partial(self._curve, settings, seed)
                units[merged_name(settings, seed)] = partial(self._merged, settings, seed)
        for seed, reading, rule in product(seeds, READINGS, RULES):
            settings = replace(QPlaySettings(rule=rule), **READINGS[reading])
            units[f"reading/{reading}/{rule}/{seed}"] = partial(self._reading, settings, seed)
        for seed, name in product(seeds, NETS):
            units[f"dqn/{name}/{seed}"] = partial(self._net, NETS[name], seed)
        chunks = range(0, scale.deals, scale.chunk)
        for start in chunks:
            units[f"solved/{start}"] = partial(self._solved, start)
        for bot, start in product(DECLARERS[:-1], chunks):
            units[table_name(bot, start)] = partial(self._table, bot, start)
        for (exploration, goal, order), rule in product(STUDIES, RULES):
            how = Study(rule, exploration, goal, order)
            units[study_name(how)] = partial(self._twelve, how)
        for seed, hands in product(range(1, scale.long_seeds + 1), HANDS):
            units[f"long/{hands}/{seed}"] = partial(self._long, hands, seed)
        for start in chunks:
            units[table_name(DECLARERS[-1], start)] = partial(self._table, DECLARERS[-1], start)
        return units

    @property
    def deals(self) -> list[MiniDeal]:
        """The deals to test on."""
        if self._deals is None:
            self._deals = deals_to_test(self.scale.deals)
        return self._deals

    def games(self, seed: int, defence: Defence, kept: Kept) -> Games:
        """Return the games to learn from, which are kept in the folder."""
        number = self.scale.sizes[-1]
        path = self._folder / f"games-{defence}-{kept}-{number}-{seed}.npz"
        if path.exists():
            return _read_games(path, number)
        games = Games.of(list(islice(random_games(seed, defence, kept), number)))
        self._folder.mkdir(parents=True, exist_ok=True)
        whole = {each.name: np.asarray(getattr(games, each.name)) for each in fields(games)}
        # Another process may be making the same.
        own = path.with_name(f"{os.getpid()}-{path.name}")
        write_arrays(own, whole)
        own.replace(path)
        return games

    def _speed(self) -> Facts:
        """Measure games per processor second.

        They are those of a random declarer on the test deals, those made and won, and those learned
        from.
        """
        settings = QPlaySettings()
        played, playing = timed(lambda: margins(self.deals, random_card, DEFENCE, 1))
        games, making = timed(
            lambda: Games.of(list(islice(random_games(1, DEFENCE), self.scale.part)))
        )
        _, learning = timed(lambda: learn(Learner(settings), games, slice(None)))
        return {
            "played": len(played) / playing,
            "made": games.tried / making,
            "learned": len(games) / learning,
        }

    def _random(self, defence: Defence, seed: int) -> Facts:
        return _found(margins(self.deals, random_card, defence, seed))

    def _luck(self, seed: int) -> Facts:
        """Test a random declarer on deals that one has won."""
        games = self.games(seed, DEFENCE, "won")
        return {"again": self._again(games, random_card, DEFENCE, seed)}

    def _again(self, games: Games, player: Player, defence: Defence, seed: int) -> float:
        """Return the share of the games' deals that a player makes."""
        above = margins(_deals_of(games, self.scale.deals), player, defence, seed)
        return float((above >= 0).mean())

    def _ruled(self, name: str, seed: int) -> Facts:
        return _found(margins(self.deals, RULED[name], DEFENCE, seed))

    def _curve(self, settings: QPlaySettings, seed: int) -> Facts:
        """Test a table as it learns, and at the end also on deals that it has learned from."""
        games = self.games(seed, settings.defence, settings.kept)
        learner = Learner(settings)
        points: list[Facts] = []
        for size, before in zip(self.scale.sizes, (0, *self.scale.sizes), strict=False):
            learn(learner, games, slice(before, size))
            points.append({"games": size, **self._tested(learner.values, settings, seed)})
        player = TablePlayer(learner.values, settings.hands)
        return {
            "points": points,
            "again": self._again(games, player, settings.defence, seed),
            "states": len(learner.values),
            "pairs": sum(map(len, learner.values.values())),
            "tried": games.tried,
        }

    def _reading(self, settings: QPlaySettings, seed: int) -> Facts:
        games = self.games(seed, settings.defence, settings.kept)
        learner = Learner(settings)
        learn(learner, games, slice(None))
        return self._tested(learner.values, settings, seed)

    def _merged(self, settings: QPlaySettings, seed: int) -> Facts:
        """Test the combination of tables that each learn from a part of the games."""
        games = self.games(seed, settings.defence, settings.kept)
        tables: list[Values] = []
        points: list[Facts] = []
        for start in range(0, len(games), self.scale.part):
            learner = Learner(settings)
            learn(learner, games, slice(start, start + self.scale.part))
            tables.append(learner.values)
            size = min(start + self.scale.part, len(games))
            points.append({"games": size, **self._tested(merged(tables), settings, seed)})
        return {"points": points}

    def _long(self, hands: HandsKnown, seed: int) -> Facts:
        """Test a table as it learns from a stream of games, which are not kept."""
        settings = QPlaySettings(hands=hands)
        learner = Learner(settings)
        points: list[Facts] = []
        stream = random_games(seed, settings.defence, settings.kept)
        before = 0
        for size in self.scale.longer:
            while before < size:
                games = Games.of(list(islice(stream, min(1000, size - before))))
                learn(learner, games, slice(None))
                before += len(games)
            points.append({"games": size, **self._tested(learner.values, settings, seed)})
        return {"points": points, "states": len(learner.values)}

    def _net(self, changes: Facts, seed: int) -> Facts:
        """Train and test a deep Q-network."""
        training = import_module("research.papers.hadjur_learning")
        settings = training.NetSettings(
            seed=seed, games=self.scale.net_games, steps=self.scale.steps, **changes
        )
        games = training.made_games(settings)
        steps = training.Steps.of(games, settings.reward, settings.when)
        trainer = training.Trainer(settings, steps)
        for _ in range(self.scale.steps):
            trainer.learn()
        return _found(margins(self.deals, NetPlayer(trainer.net()), settings.defence, seed))

    def _solved(self, start: int) -> Facts:
        part = self.deals[start : start + self.scale.chunk]
        return {"margins": [solved_margin(deal) for deal in part]}

    def _table(self, spec: str, start: int) -> Facts:
        """Test a bot as declarer of some of the test deals."""
        _, make = parse(spec)
        bot = make()
        part = self.deals[start : start + self.scale.chunk]
        return {
            "margins": [
                margin_of_bot(bot, deal, DEFENCE, number, 1)
                for number, deal in enumerate(part, start)
            ]
        }

    def _twelve(self, how: Study) -> Facts:
        """Learn the game of twelve cards; the facts are each deal's figures, seed by seed."""
        scale = self.scale
        trees = deals_that_matter(scale.twelve, how.goal, 1)
        return {
            "deals": [
                [
                    asdict(study(tree, how, scale.twelve_games, seed))
                    for seed in range(1, scale.twelve_seeds + 1)
                ]
                for tree in trees
            ],
            "moves": [tree.moves for tree in trees],
            "best": [tree.best for tree in trees],
            "random": [tree.random for tree in trees],
        }

    def _tested(self, values: Values, settings: QPlaySettings, seed: int) -> Facts:
        player = TablePlayer(values, settings.hands)
        found = _found(margins(self.deals, player, settings.defence, seed))
        known, decided = player.known / player.cards, player.decided / player.cards
        return {**found, "known": known, "decided": decided}


def curve_name(settings: QPlaySettings, seed: int | str) -> str:
    return f"curve/{settings.rule}/{settings.hands}/{settings.spread}/{seed}"


def merged_name(settings: QPlaySettings, seed: int | str) -> str:
    return f"merged/{settings.rule}/{settings.hands}/{settings.spread}/{seed}"


def table_name(bot: str, start: int | str) -> str:
    """Return the name of the unit in which a bot declares the deals from `start` on.

    The name of a bot that has learned contains a hash of its weights.
    """
    if bot in LEARNED:
        data = resources.files(f"bridge_arena.bots.{bot}").joinpath("weights.npz").read_bytes()
        bot = f"{bot}@{sha256(data).hexdigest()[:8]}"
    return f"table/{bot}/{start}"


def study_name(how: Study) -> str:
    return f"twelve/{how.goal}/{how.exploration}/{how.order}/{how.rule}"


def learn(learner: Learner, games: Games, part: slice) -> None:
    """Learn a part of the games, one after the other."""
    states = all_without_unknown(games.states[part], learner.settings.hands).tolist()
    cards, above = games.cards[part].tolist(), games.margins[part].tolist()
    for each, played, margin in zip(states, cards, above, strict=True):
        learner.learn(each, played, margin)


def wins_of(found: Facts, deals: int) -> NDArray[np.bool_]:
    """Return which of the test deals were won."""
    packed = np.frombuffer(bytes.fromhex(found["won"]), np.uint8)
    return np.unpackbits(packed, count=deals).astype(np.bool_)


def _found(above: NDArray[np.int64]) -> Facts:
    """Return the facts of the tricks above the contract on each test deal."""
    return {
        "won": np.packbits(above >= 0).tobytes().hex(),
        "above": float((above > 0).mean()),
        "margin": float(above.mean()),
    }


def _read_games(path: Path, number: int) -> Games:
    """Read the games of a file. Raises ArraysError, OSError."""
    arrays = Arrays(path)
    return Games(
        arrays.numbers("states", number, 26),
        arrays.numbers("legal", number, 26),
        arrays.numbers("cards", number, 26),
        arrays.numbers("margins", number),
        arrays.numbers("deals", number, 4),
        arrays.numbers("targets", number),
        int(arrays.numbers("tried")),
    )


def _deals_of(games: Games, number: int) -> Iterator[MiniDeal]:
    """Yield the first deals that were learned from."""
    rows = zip(games.deals[:number].tolist(), games.targets[:number].tolist(), strict=True)
    for (first, second, third, fourth), target in rows:
        yield MiniDeal((first, second, third, fourth), target)

"""The bots that ship, by name.

A bot is written `name` or `name:option=value,option=value`. Its options are the keyword parameters
of its class. Their annotations (`int`, `float`, `str` or a set of literal values) say which values
are allowed. A class of a Python file is written `FILE.py:CLASS`.
"""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Collection
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache, partial
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from bridge_arena.base.extras import missing
from bridge_arena.bots.sdk.client import READING, Bot
from bridge_arena.bots.strength import shipped as shipped_strength


class UnknownBotError(ValueError):
    """The error of a name that no shipped bot has, or of an option that the bot does not have."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """A bot that ships: the place of its class, and what users should know of it."""

    name: str
    path: str  # the module and the class, as `module:class`
    does: str  # what the bot does
    cost: str  # how long an action takes in matches, the waiting for busy processors included
    # What to say of its strength, of a bot that `bots.strength` has no figures of.
    unmeasured: str = ""
    cheat: bool = False  # whether the bot must be shown the whole deal
    network: bool = False  # whether the bot needs the network, which a sandbox does not have
    # The processor time in seconds that two players of it take for a board
    # (benchmarks/results/bots.md, Cost of the bots).
    seconds: float = 0.0
    grows_with: str = ""  # the option that the time grows with, or empty
    seconds_per_unit: float = 0.0  # the seconds that each unit of this option adds

    @property
    def strength(self) -> str:
        return shipped_strength().sentence(self.name) or self.unmeasured

    @property
    def module(self) -> str:
        return self.path.partition(":")[0]

    def load(self) -> type[Bot]:
        """Return the class of the bot. Raises ModuleNotFoundError, which names the extra."""
        try:
            module = import_module(self.module)
        except ModuleNotFoundError as error:
            text = missing(f"the bot {self.name}", "arena", error.name or "")
            if text is None:
                raise
            raise ModuleNotFoundError(text, name=error.name) from None
        kind: type[Bot] = getattr(module, self.path.partition(":")[2])
        return kind


SHIPPED = {
    bot.name: bot
    for bot in (
        Shipped(
            "random",
            "bridge_arena.bots.random.bot:RandomBot",
            "every legal action equally likely",
            "1.0 ms an action",
            unmeasured="none: the floor under every ranking",
        ),
        Shipped(
            "baseline",
            "bridge_arena.bots.baseline.bot:BaselineBot",
            "simple bidding; takes a trick when it can, else plays low",
            "1.0 ms an action",
            seconds=0.005,
        ),
        Shipped(
            "natural",
            "bridge_arena.bots.natural.bot:NaturalBot",
            "Standard American bidding; plays as baseline does",
            "1.5 ms an action",
            seconds=0.01,
        ),
        Shipped(
            "deepq",
            "bridge_arena.bots.deepq.bot:DeepQBot",
            "bids as deep Q-networks have learned while opponents pass, else as natural does",
            "1.6 ms an action",
            seconds=0.01,
            grows_with="worlds",
            seconds_per_unit=0.0017,
        ),
        Shipped(
            "qtable",
            "bridge_arena.bots.qtable.bot:QTableBot",
            "bids by learned tables while the opponents pass; plays as baseline does",
            "1.7 ms an action",
            seconds=0.01,
        ),
        Shipped(
            "neural",
            "bridge_arena.bots.neural.bot:NeuralBot",
            "bids as a network learned in self-play, opponents bidding too; plays as baseline does",
            "1.8 ms an action",
            seconds=0.01,
        ),
        Shipped(
            "disciplined",
            "bridge_arena.bots.disciplined.bot:DisciplinedBot",
            "bids natural's system, by learned judgement of the calls that fit; plays as baseline",
            "1.6 ms an action",
            seconds=0.01,
        ),
        Shipped(
            "qplay",
            "bridge_arena.bots.qplay.bot:QPlayBot",
            "declares at notrump by Q-learning's table where it knows the state, else as baseline",
            "1.5 ms an action",
            seconds=0.01,
        ),
        Shipped(
            "sarsa",
            "bridge_arena.bots.sarsa.bot:SarsaBot",
            "declares at notrump by SARSA's table where it knows the state, else as baseline",
            "2.1 ms an action",
            seconds=0.01,
        ),
        Shipped(
            "dqn",
            "bridge_arena.bots.dqn.bot:DqnBot",
            "declares at notrump by a deep Q-network, else plays as baseline does",
            "1.7 ms an action",
            seconds=0.02,
        ),
        Shipped(
            "minimax",
            "bridge_arena.bots.minimax.bot:MinimaxBot",
            "searches one layout of the hidden cards, double dummy at the leaves",
            "16.7 ms an action",
            seconds=0.24,
        ),
        Shipped(
            "fastplay",
            "bridge_arena.bots.fastplay.bot:FastPlayBot",
            "plays the card that a net says costs the fewest tricks, without search",
            "2.9 ms an action",
            seconds=0.05,
            grows_with="worlds",
            seconds_per_unit=0.16,
        ),
        Shipped(
            "montecarlo",
            "bridge_arena.bots.montecarlo.bot:MonteCarloBot",
            "solves many layouts of the hidden cards, plays the best on average",
            "125.2 ms an action with 50 worlds",
            grows_with="worlds",
            seconds_per_unit=0.048,
        ),
        Shipped(
            "alphamu",
            "bridge_arena.bots.alphamu.bot:AlphaMuBot",
            "searches declarer's plans over many layouts at once",
            "149.8 ms an action",
            seconds=2.4,
        ),
        Shipped(
            "champion",
            "bridge_arena.bots.champion.bot:ChampionBot",
            "bids as neural does; nets and the solver choose the card",
            "its budget, which is 1 s a card",
            seconds=0.4,
            grows_with="worlds",
            seconds_per_unit=0.16,
        ),
        Shipped(
            "oracle",
            "bridge_arena.bots.oracle.bot:OracleBot",
            "sees all four hands: plays double dummy, bids as baseline does",
            "5.0 ms an action",
            unmeasured="perfect play: a yardstick, not a competitor",
            cheat=True,
            seconds=0.06,
        ),
        Shipped(
            "llm",
            "bridge_arena.bots.llm.bot:LlmBot",
            "asks a language model, over the OpenAI chat-completions interface",
            "the service's time and price",
            unmeasured="the model's, which `arena llm-bench` measures",
            network=True,
            seconds=1.0,
        ),
    )
}


def parse(spec: str) -> tuple[Shipped, Callable[[], Bot]]:
    """Return the bot that `spec` names, and a function that makes one with its options.

    The file of a `FILE.py:CLASS` is executed. Raises UnknownBotError if no such bot ships, an
    option or its value is wrong, or there is no such class.
    """
    if (own := file_and_class(spec)) is not None:
        kind = class_of(*own)
        return Shipped(own[1], spec, f"a class of {own[0].name}", ""), kind
    name, colon, text = spec.partition(":")
    shipped = SHIPPED.get(name)
    if shipped is None:
        alike = get_close_matches(name, SHIPPED, n=1)
        hint = f", did you mean {alike[0]}?" if alike else ""
        raise UnknownBotError(f"unknown bot {name!r}{hint} (shipped: {', '.join(SHIPPED)})")
    kind = shipped.load()
    if not colon:
        return shipped, kind
    known = options(kind)
    chosen: dict[str, object] = {}
    for item in text.split(","):
        option, equals, value = item.partition("=")
        if not equals or option not in known:
            takes = ", ".join(f"{known_name}=…" for known_name in known) or "no options"
            raise UnknownBotError(f"bot {name!r} takes {takes}, not {item!r}")
        if option in chosen:
            raise UnknownBotError(f"bot {name!r}: {option} is given twice")
        chosen[option] = _converted(name, option, value, known[option].kind)
    make = partial(kind, **chosen)
    try:
        make()
    except ValueError as error:
        raise UnknownBotError(f"bot {name!r}: {error}") from None
    return shipped, make


def file_and_class(spec: str) -> tuple[Path, str] | None:
    """Return the file and the class of `FILE.py:CLASS`; None if the text has another form."""
    path, colon, name = spec.rpartition(":")
    return (Path(path), name) if colon and path.endswith(".py") else None


def file_of(spec: str) -> str | None:
    """Return the file of a bot's class, or the one that its option `weights` names, as written."""
    place = _place_of_file(spec)
    return None if place is None else spec[place]


def digest_of(spec: str) -> str:
    """Return the SHA-256 hash of the file that `file_of` returns, hexadecimal; empty if none is."""
    file = file_of(spec)
    if file is None or not Path(file).is_file():
        return ""
    return sha256(Path(file).read_bytes()).hexdigest()


def version_of(spec: str) -> str:
    """Return what tells a bot from its earlier versions: the release if it ships, and its file."""
    release = "" if file_and_class(spec) is not None else version("bridge-arena")
    return f"{release} {digest_of(spec)[:12]}".strip()


def from_anywhere(spec: str, folder: Path | None = None) -> str:
    """Return a bot with its file, in a folder, named by its full path."""
    place = _place_of_file(spec)
    if place is None:
        return spec
    path = Path(folder or "", spec[place]).resolve()
    return f"{spec[: place.start]}{path}{spec[place.stop :]}"


def _place_of_file(spec: str) -> slice | None:
    if file_and_class(spec) is not None:
        return slice(0, spec.rindex(":"))
    match = _WEIGHTS.search(spec)
    if match is None:
        return None
    # Here, as numpy takes its time to load, which most commands and bots can do without.
    from bridge_arena.bots.library.learning.arrays import SHIPPED as SHIPPED_FILE  # noqa: PLC0415

    return None if match[0] == SHIPPED_FILE else slice(*match.span())


_WEIGHTS = re.compile(r"(?<=[:,]weights=)[^,]+")
"""The value of the option of bots that ship which names a file."""


def cannot_have_class(path: Path, name: str) -> bool:
    """Return whether a file surely has no class of that name. Raises OSError."""
    # Nothing is executed, nor parsed, as a stranger's text may bring a parser down: a class
    # whose name is nowhere in the file can only come from code that makes names.
    source = path.read_bytes()
    own = rb"\b" + name.encode() + rb"\b"
    return name.isascii() and not re.search(own, source) and not _MAKES_NAMES.search(source)


_MAKES_NAMES = re.compile(
    rb"import\s*\(?\s*\*|\b(?:globals|locals|vars|setattr|exec|__dict__|__getattr__)\b"
)


def class_of(path: Path, name: str) -> type[Bot]:
    """Return a class of a Python file, which is executed. Raises UnknownBotError."""
    try:
        module = _module(path.resolve())
    except UnknownBotError:
        raise
    except OSError as error:
        raise UnknownBotError(f"cannot read {path}: {error.strerror}") from None
    except (Exception, SystemExit) as error:
        raise UnknownBotError(f"{path} fails: {failure(error, [path.resolve()])}") from error
    kind = getattr(module, name, None)
    if not (isinstance(kind, type) and issubclass(kind, Bot)):
        raise UnknownBotError(f"{path} has no class {name} that is a Bot")
    return kind


def failure(error: BaseException, files: Collection[Path]) -> str:
    """Say how a bot failed, and in which line of its own `files`, named by their full paths."""
    kind, text = type(error).__name__, str(error)
    said = f"{kind}: {text}" if text else kind
    passed = [
        f"{Path(frame.filename).name}, line {frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename) in files
    ]
    return f"{said} ({passed[-1]})" if passed else said


_FOLDERS: set[Path] = set()
"""The folders that files of bots were executed in."""


def _refuse_other_neighbours(folder: Path) -> None:
    """Raise UnknownBotError if a file here would import the module of another bot's folder."""
    # Two versions of a bot in two folders would share what was imported first.
    for name, module in list(sys.modules.items()):
        file = Path(getattr(module, "__file__", None) or "")
        place = file.parent if file.name == "__init__.py" else file
        other = place.parent
        if name != place.stem or other not in _FOLDERS or other == folder:
            continue
        if (own := folder / place.name).exists():
            raise UnknownBotError(
                f"{own} has the name of {place}, which another bot has imported: rename one"
            )


@lru_cache(maxsize=16)
def _module(path: Path) -> ModuleType:
    # Not its own name, which may be that of a module that others import.
    spec = importlib.util.spec_from_file_location(f"file_of_bot_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    _refuse_other_neighbours(path.parent)
    sys.modules[spec.name] = module
    _FOLDERS.add(path.parent)
    sys.path.append(str(path.parent))
    reading = READING.set(True)
    try:
        spec.loader.exec_module(module)
    finally:
        READING.reset(reading)
    return module


def starting(shipped: Shipped, make: Callable[[], Bot]) -> Callable[[], Bot]:
    """Return a function that makes the bot; the process ends with a line if that is impossible."""

    def made() -> Bot:
        try:
            bot = make()
            bot.prepare()
        except ValueError as error:
            sys.exit(f"bot {shipped.name!r} cannot start: {error}")
        return bot

    return made


def board_seconds(spec: str) -> float:
    """Return the processor time, in seconds, that two of a shipped bot take for a board."""
    shipped, make = parse(spec)
    if not shipped.grows_with:
        return shipped.seconds
    number: Any = options(shipped.load())[shipped.grows_with].default
    if isinstance(make, partial):
        number = make.keywords.get(shipped.grows_with, number)
    return shipped.seconds + shipped.seconds_per_unit * float(number)


@dataclass(frozen=True, slots=True)
class Option:
    kind: object
    default: object


def options(kind: type[Bot]) -> dict[str, Option]:
    hints = get_type_hints(kind.__init__)
    return {
        name: Option(hints[name], parameter.default)
        for name, parameter in inspect.signature(kind).parameters.items()
    }


def _converted(name: str, option: str, value: str, kind: object) -> object:
    """Return an option's value as its bot expects it, or raise UnknownBotError."""
    if get_origin(kind) is Literal:
        allowed = get_args(kind)
        if value in allowed:
            return value
        expected = f"one of {', '.join(allowed)}"
    elif kind in (int, float):
        try:
            return int(value) if kind is int else float(value)
        except ValueError:
            expected = "a whole number" if kind is int else "a number"
    else:
        return value
    raise UnknownBotError(f"bot {name!r}: {option} is {value!r}, expected {expected}")

"""The bots that ship, by name."""

from __future__ import annotations

import re
import sys
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import pytest

from bridge_arena.bots import registry
from bridge_arena.bots.registry import (
    SHIPPED,
    Option,
    Shipped,
    UnknownBotError,
    file_of,
    from_anywhere,
    options,
    parse,
)
from bridge_arena.bots.sdk.client import Bot
from tests.data import ROOT


@pytest.mark.parametrize("shipped", SHIPPED.values(), ids=lambda shipped: shipped.name)
def test_every_shipped_bot_can_be_made(shipped: Shipped) -> None:
    found, make = parse(shipped.name)
    bot = make()
    assert found is shipped
    assert isinstance(bot, Bot)
    assert bot.name == shipped.name
    assert all((shipped.does, shipped.strength, shipped.cost))


def test_a_missing_module_is_told_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    bot = Shipped("heavy", "numpy.heavy:Bot", "", "")
    told = r"the bot heavy needs the extra arena \(numpy\.heavy is not installed\): "
    with pytest.raises(ModuleNotFoundError, match=told):
        bot.load()


def test_only_the_oracle_cheats() -> None:
    assert [name for name, shipped in SHIPPED.items() if shipped.cheat] == ["oracle"]


class Tunable(Bot):
    def __init__(
        self,
        depth: int = 1,
        share: float = 0.5,
        style: Literal["bold", "meek"] = "bold",
        note: str = "",
    ) -> None:
        super().__init__()
        if depth < 0:
            raise ValueError(f"a depth of {depth} is below 0")
        self.options = (depth, share, style, note)


class TestOptions:
    @pytest.fixture(autouse=True)
    def tunable(self, monkeypatch: pytest.MonkeyPatch) -> None:
        shipped = Shipped("tunable", f"{__name__}:Tunable", "", "")
        monkeypatch.setattr(shipped.__class__, "load", lambda _: Tunable)
        monkeypatch.setitem(registry.SHIPPED, "tunable", shipped)

    def made(self, spec: str) -> Any:
        return parse(spec)[1]()

    def test_options_are_the_parameters_of_the_class(self) -> None:
        assert self.made("tunable").options == (1, 0.5, "bold", "")
        assert self.made("tunable:depth=3").options == (3, 0.5, "bold", "")
        assert self.made("tunable:note=a=b,depth=2").options == (2, 0.5, "bold", "a=b")

    def test_options_have_the_types_of_the_parameters(self) -> None:
        made = self.made("tunable:depth=3,share=2,style=meek,note=7")
        assert made.options == (3, 2.0, "meek", "7")
        assert [type(option) for option in made.options] == [int, float, str, str]

    def test_the_options_of_a_bot_can_be_asked_for(self) -> None:
        assert options(Tunable) == {
            "depth": Option(int, 1),
            "share": Option(float, 0.5),
            "style": Option(Literal["bold", "meek"], "bold"),
            "note": Option(str, ""),
        }

    @pytest.mark.parametrize("text", ["", "wdith=1", "depth", "depth=1,", "=1", "self=1"])
    def test_unknown_options_are_refused(self, text: str) -> None:
        with pytest.raises(
            UnknownBotError, match="bot 'tunable' takes depth=…, share=…, style=…, note=…, not "
        ):
            parse(f"tunable:{text}")

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("depth=deep", "depth is 'deep', expected a whole number"),
            ("depth=1.5", "depth is '1.5', expected a whole number"),
            ("depth=", "depth is '', expected a whole number"),
            ("share=half", "share is 'half', expected a number"),
            ("style=wild", "style is 'wild', expected one of bold, meek"),
            ("style=Bold", "style is 'Bold', expected one of bold, meek"),
            ("depth=-1", "a depth of -1 is below 0"),
            ("depth=1,depth=2", "depth is given twice"),
        ],
    )
    def test_values_of_options_are_checked_where_they_are_named(
        self, text: str, problem: str
    ) -> None:
        """Include options that only the bot itself can refuse."""
        with pytest.raises(UnknownBotError) as caught:
            parse(f"tunable:{text}")
        assert str(caught.value) == f"bot 'tunable': {problem}"


@pytest.mark.parametrize("spec", ["", "nobody", "Baseline", " random", ":depth=1"])
def test_unknown_names_are_refused(spec: str) -> None:
    with pytest.raises(UnknownBotError, match=r"unknown bot .*\(shipped: random, baseline, "):
        parse(spec)


@pytest.mark.parametrize("spec", ["random:seed=1", "random:x"])
def test_a_bot_without_options_refuses_any(spec: str) -> None:
    with pytest.raises(UnknownBotError, match="takes no options, not "):
        parse(spec)


@pytest.mark.parametrize("name", ["baseline", "oracle"])
def test_card_play_is_combined_with_a_bidding_system(name: str) -> None:
    assert parse(f"{name}:bidding=simple")[1]().name == name
    with pytest.raises(UnknownBotError, match="expected one of natural, simple"):
        parse(f"{name}:bidding=acol")


@pytest.mark.parametrize(
    "name", ["deepq", "qtable", "neural", "disciplined", "qplay", "sarsa", "dqn", "fastplay"]
)
def test_learned_bots_play_what_was_trained(name: str, tmp_path: Path) -> None:
    for file in resources.files(f"bridge_arena.bots.{name}").iterdir():
        if file.name.endswith(".npz"):
            (tmp_path / file.name).write_bytes(file.read_bytes())
    weights = tmp_path / "weights.npz"
    _, make = parse(f"{name}:weights={weights}")
    assert make().name == name
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(UnknownBotError, match=r"weights\.npz: no file of arrays, or a damaged one"):
        parse(f"{name}:weights={weights}")
    with pytest.raises(UnknownBotError, match=r"cannot read nowhere\.npz: No such file"):
        parse(f"{name}:weights=nowhere.npz")


FIGURE = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?: ± \d+(?:\.\d+)?)?")
"""A number that stands alone, with its standard error if it has one; the sign is left out."""


def figures(text: str) -> set[str]:
    """Return the figures in a text."""
    return set(FIGURE.findall(" ".join(text.split())))


def measured() -> set[str]:
    """Return the figures on the pages about bots: of the benchmarks, and of what was tried once."""
    pages = (ROOT / "benchmarks" / "results" / "bots.md", ROOT / "research" / "results.md")
    return set().union(*(figures(page.read_text(encoding="utf-8")) for page in pages))


@pytest.mark.parametrize("shipped", SHIPPED.values(), ids=lambda shipped: shipped.name)
def test_every_figure_of_strength_and_cost_was_measured(shipped: Shipped) -> None:
    """`arena bots` shows the figures that the benchmarks measured."""
    assert figures(f"{shipped.strength}; {shipped.cost}") <= measured()


def test_every_figure_of_the_readme_was_measured() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    measures = [line for line in readme.splitlines() if "±" in line]
    assert len(measures) >= 8
    assert figures(" ".join(measures)) <= measured()


def test_a_bots_file_is_named_so_that_it_is_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    named = {
        "natural": ("natural", None),
        "neural:weights=n": (f"neural:weights={tmp_path}/n", "n"),
        "deepq:worlds=20,weights=./q.npz": (
            f"deepq:worlds=20,weights={tmp_path}/q.npz",
            "./q.npz",
        ),
        "qtable:weights=shipped": ("qtable:weights=shipped", None),
        "./own.py:Bot": (f"{tmp_path}/own.py:Bot", "./own.py"),
    }
    assert {spec: (from_anywhere(spec), file_of(spec)) for spec in named} == named


def test_a_class_of_a_file_is_a_bot(tmp_path: Path) -> None:
    """Its file may have the name of a module that others import, and import its neighbours."""
    (tmp_path / "beside.py").write_text("NAME = 'mine'\n")
    path = tmp_path / "numpy.py"
    path.write_text(
        "from beside import NAME\nfrom bridge_arena import Bot\nclass Mine(Bot):\n    name = NAME\n"
    )
    before = sys.modules.get("numpy")
    found, make = parse(f"{path}:Mine")
    assert make().name == "mine"
    assert (found.name, found.does) == ("Mine", "a class of numpy.py")
    assert not found.cheat
    assert sys.modules.get("numpy") is before


def test_two_folders_must_not_have_modules_of_one_name(tmp_path: Path) -> None:
    """The second version of a bot would be given the first one's module."""
    text = "from version_of_it import NAME\nfrom bridge_arena import Bot\nclass Mine(Bot): pass\n"
    for version in ("one", "two"):
        folder = tmp_path / version
        folder.mkdir()
        (folder / "version_of_it.py").write_text(f"NAME = {version!r}\n")
        (folder / "mine.py").write_text(text)
    parse(f"{tmp_path / 'one' / 'mine.py'}:Mine")
    with pytest.raises(UnknownBotError, match=r"two/version_of_it\.py has the name of .*one/"):
        parse(f"{tmp_path / 'two' / 'mine.py'}:Mine")


def test_a_file_that_plays_when_it_is_executed_is_read_for_its_class() -> None:
    example = ROOT / "docs" / "examples" / "low_bot.py"
    assert type(parse(f"{example}:LowBot")[1]()).__name__ == "LowBot"


def test_a_file_that_fails_is_named_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "ends.py"
    path.write_text("import sys\nsys.exit(4)\n")
    with pytest.raises(
        UnknownBotError, match=r"ends\.py fails: SystemExit: 4 \(ends\.py, line 2\)"
    ):
        parse(f"{path}:Bot")

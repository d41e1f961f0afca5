"""The bots that ship, by name."""

from __future__ import annotations

from typing import Any

import pytest

from bots import registry
from bots.client import Bot
from bots.registry import SHIPPED, Shipped, UnknownBotError, parse


@pytest.mark.parametrize("shipped", SHIPPED.values(), ids=lambda shipped: shipped.name)
def test_every_shipped_bot_can_be_made(shipped: Shipped) -> None:
    found, make = parse(shipped.name)
    bot = make()
    assert found is shipped
    assert isinstance(bot, Bot)
    assert bot.name == shipped.name
    assert all((shipped.does, shipped.strength, shipped.cost))


def test_only_the_oracle_cheats() -> None:
    assert [name for name, shipped in SHIPPED.items() if shipped.cheat] == ["oracle"]


class Tunable(Bot):
    def __init__(self, depth: str = "1", style: str = "") -> None:
        super().__init__()
        self.options = (depth, style)


class TestOptions:
    @pytest.fixture(autouse=True)
    def tunable(self, monkeypatch: pytest.MonkeyPatch) -> None:
        shipped = Shipped("tunable", f"{__name__}:Tunable", "", "", "")
        monkeypatch.setattr(shipped.__class__, "load", lambda _: Tunable)
        monkeypatch.setitem(registry.SHIPPED, "tunable", shipped)

    def made(self, spec: str) -> Any:
        return parse(spec)[1]()

    def test_they_are_the_parameters_of_the_class(self) -> None:
        assert self.made("tunable").options == ("1", "")
        assert self.made("tunable:depth=3").options == ("3", "")
        assert self.made("tunable:style=a=b,depth=2").options == ("2", "a=b")

    @pytest.mark.parametrize("text", ["wdith=1", "depth", "depth=1,", "=1", "self=1"])
    def test_others_are_refused(self, text: str) -> None:
        with pytest.raises(UnknownBotError, match="bot 'tunable' takes depth, style, not "):
            parse(f"tunable:{text}")


@pytest.mark.parametrize("spec", ["", "nobody", "Baseline", " random", ":depth=1"])
def test_unknown_names(spec: str) -> None:
    with pytest.raises(UnknownBotError, match=r"unknown bot .*\(shipped: random, baseline, oracle"):
        parse(spec)


@pytest.mark.parametrize("spec", ["random:seed=1", "random:x", "baseline:rng=1"])
def test_a_bot_without_options(spec: str) -> None:
    with pytest.raises(UnknownBotError, match="takes no options, not "):
        parse(spec)

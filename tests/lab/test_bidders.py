"""The bidders of an experiment."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from bridge_arena.bots.natural.bot import NaturalBot
from bridge_arena.lab.bidders import Bidder, BidderError, parse_bidders

HERE = Path(__file__).parent / "bidders_here.py"


def test_bidders_are_read_with_names_and_makers() -> None:
    shipped, titled, own = parse_bidders(["natural", "Mine=natural", f"{HERE}:Passes"])
    assert (shipped.name, titled.name, own.name) == ("natural", "Mine", "Passes")
    assert isinstance(titled.maker()(), NaturalBot)
    assert own.spec == f"{HERE}:Passes"
    assert type(own.maker()()).__name__ == "Passes"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("cmd:python bots/mine.py", "python mine.py"),
        ("Mine=cmd:python mine.py --level=1", "Mine"),
        ("http:http://127.0.0.1:8085", "127.0.0.1:8085"),
        ("natural & neural", "natural & neural"),
        ("Both=natural & cmd:bot", "Both"),
        (f"Both={HERE}:Passes & natural", "Both"),
        ("oracle", "oracle"),
        ("llm:model=x", "llm:model=x"),
    ],
)
def test_any_entry_that_the_arena_starts_takes_part_in_processes_of_its_own(
    text: str, name: str
) -> None:
    bidder = Bidder.parse(text)
    assert (bidder.name, bidder.is_apart, bidder.has_changed) == (name, True, False)
    with pytest.raises(BidderError, match=f"{name} plays in processes of its own"):
        bidder.maker()


def test_a_file_is_found_from_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE.parent)
    for path in ("bidders_here.py", "./bidders_here.py"):
        assert Bidder.parse(f"{path}:Passes").spec == f"{HERE}:Passes"


def test_weights_are_found_from_anywhere_and_known_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers of an experiment have another working folder."""
    weights = tmp_path / "weights.npz"
    weights.write_bytes((resources.files("bridge_arena.bots.qtable") / "weights.npz").read_bytes())
    monkeypatch.chdir(tmp_path)
    bidder = Bidder.parse("Mine=qtable:weights=weights.npz")
    assert bidder.spec == f"qtable:weights={weights}"
    monkeypatch.chdir("/")
    bidder.maker()()
    assert not bidder.has_changed
    weights.write_bytes(b"others")
    assert bidder.has_changed


def test_names_that_come_twice_are_numbered() -> None:
    names = [each.name for each in parse_bidders(["natural", "natural", "natural"])]
    assert names == ["natural", "natural-2", "natural-3"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("naturel", "unknown bot 'naturel', did you mean natural"),
        ("qtable:weight=3", "bot 'qtable' takes weights=…, not 'weight=3'"),
        ("cmd:", "'cmd:' names no program"),
        ("natural & naturel", "unknown bot 'naturel', did you mean natural"),
        (f"natural & {HERE}:Missing", "bidders_here.py has no class Missing"),
        ("http:ftp://robot", "is no address of a robot"),
        ("remote:far", "remote:far comes by itself: play an event by arena serve"),
        ("natural & human:Ann", "human:Ann comes by itself: play an event by arena serve"),
        ("bluechip:Far", "bluechip:Far comes by itself: play an event by arena serve"),
        ("=natural", "'=natural' gives an empty name"),
        ("nowhere.py:Bot", "nowhere.py: No such file"),
        (f"{HERE}:Missing", "bidders_here.py has no class Missing that is a Bot"),
        (
            f"{HERE}:Needy",
            "bidders_here.py:Needy' cannot be made: ValueError: no net (bidders_here",
        ),
        (f"{HERE}:np", "bidders_here.py has no class np that is a Bot"),
    ],
)
def test_a_bot_that_cannot_take_part_is_refused(text: str, message: str) -> None:
    with pytest.raises(BidderError) as raised:
        Bidder.parse(text)
    assert message in str(raised.value)


def test_a_file_that_fails_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("1 / 0")
    with pytest.raises(BidderError, match=r"broken\.py fails: ZeroDivisionError: division by zero"):
        Bidder.parse(f"{path}:Bot")

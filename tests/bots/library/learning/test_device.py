"""Tests of the device on which torch computes."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from bridge_arena import bots
from tests.late_imports import late_imports

with late_imports("torch"):
    import torch

    from bridge_arena.bots.library.learning import device

BOTS = Path(bots.__file__).parent


def test_weights_go_to_the_device_and_back() -> None:
    numbers = np.arange(6, dtype=np.float32).reshape(2, 3)
    there = device.tensor(numbers)
    assert there.tolist() == numbers.tolist()
    assert (device.array(there * 2) == numbers * 2).all()


@pytest.mark.parametrize(
    ("able", "expected"),
    [
        ({}, "float32"),
        ({"avx512_bf16": False, "amx_bf16": False}, "float32"),
        ({"avx512_bf16": True}, "bfloat16"),
        ({"amx_bf16": True}, "bfloat16"),
    ],
)
def test_a_processor_takes_the_numbers_that_it_has_instructions_for(
    able: dict[str, bool], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: able)
    kind = getattr(torch, expected)
    assert device.quick() == kind
    with device.quickly():
        assert torch.nn.Linear(2, 2)(torch.ones(1, 2)).dtype == kind


@pytest.mark.parametrize("name", ["nowhere", "cuda:99", "meta", ""])
def test_a_device_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"torch cannot compute on {name}: .+") as caught:
        device.compute_on(name)
    assert "\n" not in str(caught.value)


def test_auto_is_a_gpu_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def zeros(_: int, device: str) -> torch.Tensor:
        asked.append(device)
        return torch.ones(1)

    monkeypatch.setattr(torch, "zeros", zeros)
    monkeypatch.setattr(torch, "set_default_device", asked.append)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert device.compute_on(device.AUTO) == "cpu"
    assert not asked
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert device.compute_on(device.AUTO) == "cuda"
    assert asked == ["cuda", "cuda"]


def test_numbers_go_to_the_device_and_back_in_one_place() -> None:
    """A tensor that is made or read elsewhere would not be on the device."""
    elsewhere = re.compile(r"from_numpy\(|\.numpy\(\)|\.cuda\(|autocast\(")
    others = set(BOTS.rglob("*.py")) - {BOTS / "library/learning/device.py"}
    assert len(others) > 100
    assert not [path for path in sorted(others) if elsewhere.search(path.read_text())]

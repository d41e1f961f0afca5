"""The device on which torch computes: the processor, or what a training is told to use.

Tensors are made on torch's default device. Only the functions here move numbers between numpy and
the device.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

AUTO = "auto"
"""Stands for a GPU if there is one that torch can compute on, otherwise for the processor."""


def compute_on(name: str) -> str:
    """Compute on a device from now on. Raises ValueError: torch cannot compute on it."""
    if name == AUTO:
        name = "cuda" if torch.cuda.is_available() else "cpu"
    # Setting a device, even the processor, makes the creation of every tensor slower.
    if name == "cpu":
        return name
    try:
        torch.zeros(1, device=name).cpu()
    except (RuntimeError, AssertionError) as error:
        reason = str(error).partition("\n")[0]
        raise ValueError(f"torch cannot compute on {name}: {reason}") from None
    torch.set_default_device(name)
    return name


def product(name: str) -> str:
    """Return the name and, for a GPU, the product: `cuda (NVIDIA H100)`."""
    if not name.startswith("cuda"):
        return name
    return f"{name} ({torch.cuda.get_device_name(name)})"


def tensor(array: NDArray[Any]) -> Tensor:
    """Return an array as a tensor on the device; on the processor it is not copied."""
    return torch.from_numpy(array).to(torch.get_default_device())


def array(tensor: Tensor) -> NDArray[Any]:
    """Return a tensor's numbers as an array; on the processor they are not copied."""
    numbers: NDArray[Any] = np.asarray(tensor.detach().cpu())
    return numbers


def quick() -> torch.dtype:
    """Return the type of number in which the device computes quickly."""
    # Processors without instructions for bfloat16 take several times as long in half precision.
    able = torch.cpu.get_capabilities()
    is_able = able.get("amx_bf16") or able.get("avx512_bf16")
    is_processor = torch.get_default_device().type == "cpu"
    return torch.float32 if is_processor and not is_able else torch.bfloat16


def quickly() -> torch.autocast:
    """Return a context in which layers compute in the type of `quick`."""
    kind = torch.get_default_device().type
    return torch.autocast(kind, torch.bfloat16, enabled=quick() == torch.bfloat16)

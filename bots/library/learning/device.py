"""Where torch computes: the processor, or what a training is told to use instead.

Tensors are made on torch's default device, and go from numpy to it and back here alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


def compute_on(name: str) -> None:
    """From now on compute on a device, as torch names it. Raises ValueError where it cannot."""
    try:
        torch.zeros(1, device=name)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).partition("\n")[0]
        raise ValueError(f"torch cannot compute on {name}: {reason}") from None
    torch.set_default_device(name)


def tensor(array: NDArray[Any]) -> Tensor:
    """An array on the device; on the processor it is not copied."""
    return torch.from_numpy(array).to(torch.get_default_device())


def array(tensor: Tensor) -> NDArray[Any]:
    """A tensor's numbers; on the processor they are not copied."""
    found: NDArray[Any] = np.asarray(tensor.detach().cpu())
    return found


def halved() -> torch.autocast:
    """Layers compute in half precision within it."""
    return torch.autocast(torch.get_default_device().type, torch.bfloat16)

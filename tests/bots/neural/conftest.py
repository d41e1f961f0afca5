"""Use one thread: small networks are quickest so, above all on a busy machine."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import pytest


@pytest.fixture(autouse=True, scope="package")
def _one_thread() -> Iterator[None]:
    if find_spec("torch") is None:
        yield
        return
    import torch  # noqa: PLC0415

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)

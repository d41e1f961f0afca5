"""Networks here are compared with those in numpy, so they compute in whole precision."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def whole_precision() -> Iterator[None]:
    torch = pytest.importorskip("torch")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.cpu, "get_capabilities", dict)
        yield

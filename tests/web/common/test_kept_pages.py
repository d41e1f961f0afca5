"""Tests of pages that are made when somebody asks."""

from __future__ import annotations

import asyncio

import pytest

from bridge_arena.web.common import kept_pages
from bridge_arena.web.common.kept_pages import KeptPages


class Made:
    """Makes pages, which have the numbers of their making, while `gate` is open."""

    def __init__(self) -> None:
        self.count = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self) -> int:
        self.count += 1
        number = self.count
        await self.gate.wait()
        return number


async def test_a_page_is_made_once_until_it_is_forgotten() -> None:
    pages, made = KeptPages[int](most=2), Made()
    assert await asyncio.gather(*(pages.page("a", made) for _ in range(5))) == [1] * 5
    pages.note_change()
    assert await pages.page("a", made) == 2
    assert [await pages.page(key, made) for key in ("a", "b", "a", "c", "a")] == [2, 3, 2, 4, 2]
    assert await pages.page("b", made) == 5, "those that were asked for last are kept"


async def test_a_page_stays_for_a_while_though_what_it_shows_has_changed() -> None:
    seconds = 0.0
    pages, made = KeptPages[int](most=2, stay=30, now=lambda: seconds), Made()
    assert await pages.page("a", made) == 1
    seconds = 20.0
    pages.note_change()
    seconds = 29.0
    assert await pages.page("a", made) == 1
    seconds = 30.0
    assert await pages.page("a", made) == 2
    seconds = 99.0
    assert await pages.page("a", made) == 2, "nothing has changed since"


async def test_a_flood_of_keys_keeps_only_so_many_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_pages, "MOST_WAITING", 3)
    pages, made = KeptPages[int](most=9), Made()
    kept = await pages.page("kept", made)
    made.gate.clear()
    waiting = [asyncio.create_task(pages.page(key, made)) for key in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(asyncio.QueueFull):
        await pages.page(3, made)
    assert await pages.page("kept", made) == kept, "what is kept needs no place"
    made.gate.set()
    assert await asyncio.gather(*waiting) == [2, 3, 4]


async def test_a_page_of_what_has_changed_meanwhile_is_not_kept() -> None:
    pages, made = KeptPages[int](most=9), Made()
    made.gate.clear()
    asked = asyncio.create_task(pages.page("a", made))
    while not made.count:  # noqa: ASYNC110 (there is no event)
        await asyncio.sleep(0)
    pages.note_change()
    made.gate.set()
    assert await asked == 1
    assert await pages.page("a", made) == 2


async def test_what_cannot_be_made_keeps_nobody_waiting() -> None:
    async def failing() -> int:
        raise OSError

    pages, made = KeptPages[int](most=9), Made()
    for _ in range(kept_pages.MOST_WAITING + 1):
        with pytest.raises(OSError):  # noqa: PT011 (it is this one)
            await pages.page("a", failing)
    assert await pages.page("a", made) == 1

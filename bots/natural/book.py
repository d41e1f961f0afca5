"""The rules of all tables, and which of them stand in an auction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from bridge_arena.bots.natural.reading import State
from bridge_arena.bots.natural.rules import Block, Section, conditions
from bridge_arena.bots.natural.situation import notation, outline
from bridge_arena.bridge.calls import PASS, Call


class Book:
    """All tables of a system.

    Args:
        blocks: The blocks of the tables, in the order in which they are tried.
    """

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._blocks = tuple(blocks)
        self._outlines = frozenset(block.pattern.outline for block in self._blocks)
        self._possible = lru_cache(maxsize=1000)(self._find)
        # The opening bids that a vulnerability may change; None if it may change later calls too.
        self._by_vulnerability = self._vulnerable_openings()

    def heeds_vulnerability(self, calls: Sequence[Call]) -> bool:
        """Return whether the vulnerability may change what calls tell, or the call after them."""
        if self._by_vulnerability is None:
            return True
        for call in calls:
            if call != PASS:
                return call in self._by_vulnerability
        return True

    def sections(self, state: State) -> Iterator[Section]:
        """Yield the blocks as they stand in an auction, as far as they count there."""
        auction = notation(state.told)
        kind = outline(auction)
        known = kind if kind in self._outlines else None
        for block in self._possible(known, conditions(state)):
            section = block.match(auction)
            if section is not None:
                yield section
                if block.only:
                    return

    def _vulnerable_openings(self) -> frozenset[Call] | None:
        calls: set[Call | None] = set()
        for block in self._blocks:
            if any(rule.heeds_vulnerability for rule in block.rules):
                section = block.match("") if block.pattern.outline == "" else None
                if section is None:
                    return None
                calls |= {line.fixed for line in section.lines if line.rule.heeds_vulnerability}
        return None if None in calls else frozenset(call for call in calls if call is not None)

    def _find(self, kind: str | None, met: frozenset[str]) -> tuple[Block, ...]:
        """Return the blocks that may be for auctions of an outline that meet some conditions."""
        return tuple(
            block
            for block in self._blocks
            if block.pattern.outline in (kind, None) and block.is_for(met)
        )

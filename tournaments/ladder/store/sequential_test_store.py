"""The tests of a ladder in its store: who asked for which, and the sums that they stand on."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from sqlalchemy import insert, select, update
from sqlalchemy.engine import Engine
from sqlalchemy.orm import Session

from bridge_arena.tournaments.ladder.players import LadderError, Player
from bridge_arena.tournaments.ladder.store.rows import COUNTS, hold, last_number, now
from bridge_arena.tournaments.ladder.strength.sequential_tests import LadderTest, Outcome
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, Pair, PairSums
from bridge_arena.tournaments.statistics.sequential import Sprt
from bridge_arena.tournaments.store.database import transaction
from bridge_arena.tournaments.store.models import LadderMatchRow, LadderTestRow

MOST_OPEN = 100
"""The most tests that are open at once: all of them are looked at before each match."""

MOST_OF_AUTHOR = 4
"""The most tests of one author that are open at once."""

MOST_A_DAY = 10
"""The most tests that one author may ask for in a day."""


class SequentialTestStore:
    """The tests of one ladder; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder

    def every(self) -> list[LadderTest]:
        """Return all tests in the order in which they were asked for."""
        with self._session("read") as session:
            return self._read(session)

    def not_announced(self) -> list[LadderTest]:
        """Return the tests that go on, and those whose end was not announced, in their order."""
        with self._session("read") as session:
            return self._read(session, LadderTestRow.announced.is_(None))

    def ask(self, new: Player, base: Player, text: str = "", author: str = "") -> LadderTest:
        """Add a test of the present versions of two players.

        Raises LadderError, and ValueError for the text.

        Args:
            new: The player that may be better.
            base: The other player.
            text: The test, for `Sprt.parse`.
            author: The author who asks; "" for the administrator.
        """
        Sprt.parse(text)
        if new.number == base.number:
            raise LadderError(f"{new.name} cannot be better than itself: name two players")
        for player in (new, base):
            if not player.stays:
                raise LadderError(f"{player.name} is {player.state}, and plays no test")
            if player.version is None:
                raise LadderError(f"{player.name} has not come yet: ask when it has")
        assert new.version is not None
        assert base.version is not None
        with self._session("write") as session:
            # Other processes that add tests or draw matches wait.
            hold(session, self._ladder)
            tests = self._read(session)
            still_open = [test for test in tests if test.outcome is Outcome.OPEN]
            if len(still_open) >= MOST_OPEN:
                raise LadderError(f"{MOST_OPEN} tests are open already: withdraw one first")
            if author:
                _check_number([test for test in tests if test.author == author])
            for test in still_open:
                if {*test.pair} == {new.version, base.version}:
                    raise LadderError(
                        f"test {test.number} of {new.name} and {base.name} is open already"
                    )
            row = {
                "ladder": self._ladder,
                "number": len(tests) + 1,
                "new": new.version,
                "base": base.version,
                "sprt": text,
                "last_match": last_number(session, self._ladder, LadderMatchRow),
                "began": now(),
                "swings": np.zeros(len(SWINGS), COUNTS).tobytes(),
                "outcome": Outcome.OPEN,
                "author": author,
            }
            session.execute(insert(LadderTestRow), [row])
            return self._read(session)[-1]

    def end(self, number: int, outcome: Outcome) -> bool:
        """End a test without a verdict; return whether it was open.

        Of a test that is withdrawn nobody is told, as somebody ordered it.
        """
        time = now()
        announced = time if outcome is Outcome.WITHDRAWN else None
        with self._session("write") as session:
            change = self._of(number).where(LadderTestRow.outcome == Outcome.OPEN)
            change = change.values(outcome=outcome, ended=time, announced=announced)
            return bool(session.connection().execute(change).rowcount)

    def note_announced(self, number: int) -> None:
        """Note that the end of a test was announced."""
        with self._session("write") as session:
            session.execute(self._of(number).values(announced=now()))

    def count(self, session: Session, match: int, pair: Pair, sums: PairSums) -> list[LadderTest]:
        """Count a match that is over in the transaction that ends it; return the tests it ends.

        Args:
            session: The transaction.
            match: The number of the match.
            pair: Its versions, the one that came first in front.
            sums: Its sums, seen from that version.
        """
        ended = []
        for test in self._read(session, LadderTestRow.outcome == Outcome.OPEN):
            if test.pair == pair and test.last_match < match:
                after = test.with_match(sums if test.new == pair[0] else sums.turned())
                is_open = after.outcome is Outcome.OPEN
                facts = {
                    "swings": np.array(after.swings, COUNTS).tobytes(),
                    "outcome": after.outcome,
                    "ended": None if is_open else now(),
                }
                session.execute(self._of(test.number).values(facts))
                ended += [] if is_open else [after]
        return ended

    def _read(self, session: Session, *which: Any) -> list[LadderTest]:
        rows = select(LadderTestRow).where(LadderTestRow.ladder == self._ladder, *which)
        return [_test(row) for row in session.scalars(rows.order_by(LadderTestRow.number))]

    def _of(self, number: int) -> Any:
        return update(LadderTestRow).where(
            LadderTestRow.ladder == self._ladder, LadderTestRow.number == number
        )

    def _session(self, doing: str) -> AbstractContextManager[Session]:
        return transaction(self._engine, doing)


def _check_number(own: list[LadderTest]) -> None:
    """Check that an author who has asked for some tests may ask for another."""
    if sum(test.outcome is Outcome.OPEN for test in own) >= MOST_OF_AUTHOR:
        raise LadderError(f"{MOST_OF_AUTHOR} tests of yours are open already: withdraw one first")
    day_ago = (datetime.now(UTC) - timedelta(days=1)).isoformat(timespec="seconds")
    if sum(test.began > day_ago for test in own) >= MOST_A_DAY:
        raise LadderError(f"{MOST_A_DAY} tests a day are the most that an author may ask for")


def _test(row: LadderTestRow) -> LadderTest:
    return LadderTest(
        row.number,
        row.new,
        row.base,
        Sprt.parse(row.sprt),
        row.last_match,
        row.began,
        tuple(np.frombuffer(row.swings, COUNTS).tolist()),
        Outcome(row.outcome),
        row.ended,
        row.author,
    )

"""The runner of an event: it plans the rounds, has their units played, and stores the records."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace

from bridge_arena.base.stopping import Stop, StoppedError
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments.events.boards import BoardSupply
from bridge_arena.tournaments.events.sealed_deals import source_of
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.play.board_values import Ledgers
from bridge_arena.tournaments.play.event_log import EventLog, facts_of
from bridge_arena.tournaments.play.latest_rulings import LatestRulings
from bridge_arena.tournaments.play.venue import EventInPlay, OpenVenue, Venue
from bridge_arena.tournaments.schedule.early_stop import EarlyStop
from bridge_arena.tournaments.schedule.left_to_play import FinishedBoards, left_to_play
from bridge_arena.tournaments.schedule.plan import Results, plan
from bridge_arena.tournaments.schedule.rulings import (
    Adjust,
    Appeal,
    ChangeClock,
    ChangeGrace,
    Paused,
    Penalty,
    Ruling,
    paused,
    settings_by,
)
from bridge_arena.tournaments.schedule.units import Match, Round, Unit, in_schedule_order
from bridge_arena.tournaments.store import Store, Units

PAUSE_SECONDS = 0.5
"""The seconds between two looks at the rulings while all that is left is paused."""


_OF_PLAY = Appeal, ChangeClock, ChangeGrace
"""Rulings that do not change what is due."""

_OF_SCORES = Adjust, Penalty, *_OF_PLAY
"""Those that do not but in a knock-out, by its extra boards."""


class Runner:
    """The run of what is left of an event, as its director rules meanwhile.

    A ruling is taken up before the next board begins: what is left is then planned anew. Boards in
    play are finished.

    Args:
        stop: The order to stop, which lets no unit begin any more; None if there will be none.
        open_ledgers: Makes what values the play meanwhile; None to leave that to who asks for it.
    """

    def __init__(
        self,
        store: Store,
        log: EventLog,
        on_board: Callable[[BoardRecord], None],
        open_venue: OpenVenue,
        stop: Stop | None = None,
        open_ledgers: Callable[[Store, Units], Ledgers] | None = Ledgers,
    ) -> None:
        self._store = store
        self._event = store.event()
        self._log = log
        self._on_board = on_board
        self._open_venue = open_venue
        self._stop = stop or Stop()
        self._open_ledgers = open_ledgers
        sealing = store.sealing()
        self._supply = BoardSupply(
            source_of(self._event, sealing),
            self._event.mode,
            store.boards(),
            "" if sealing is None else sealing.digest,
        )
        # The record of every unit, by its id.
        self._records = dict(store.results())
        self._rulings: Sequence[Ruling] = store.rulings()
        self._results = self._ruled()
        self._paused = paused(self._rulings)
        self._latest = LatestRulings(store)
        # The settings of the entries, which a venue looks up when a board begins.
        self._settings = settings_by(self._event, self._rulings)
        self._early_stop = EarlyStop(self._event)
        # The rounds that are known.
        self._rounds: Sequence[Round] = ()
        # The boards that nobody is to play any more, by the plan as far as it is known.
        self._finished: Container[int] = ()
        self.has_dealt = bool(self._records)  # whether anybody may have seen a card of the event
        # The record that is being stored; None once it is.
        self.unsaved: tuple[Unit, BoardRecord] | None = None
        self.added = 0  # the tables of known rounds that came to those of the event, or fell away

    async def run(self) -> None:
        """Play until everything is played that can be.

        Raises StoppedError, SeatingError, StartError, StoreError, and what the venue raises.
        """
        if units := self._planned():
            self._log_begin()
            play = EventInPlay(
                self._event,
                self._supply,
                self._log,
                self._records,
                self._most(units),
                self._settings,
            )
            venue = self._open_venue(play)
            # The solver goes on while the venue closes.
            valuing = (
                nullcontext()
                if self._open_ledgers is None
                else self._open_ledgers(self._store, list(self._records.items()))
            )
            async with valuing as ledgers, venue, self._latest:
                await self._seat(venue, units)
                self.has_dealt = True
                while units:
                    units = await self._drawn(units)
                    await self._play(venue, units, ledgers)
                    units = self._planned()
                    if units and self._stop.has_refused:
                        # Raised here, so that the venue keeps the bots that connect by themselves.
                        raise StoppedError
        if not (self._draw() and self._reveal()):
            # There is another ruling, by which more may be played.
            await self.run()

    def _log_begin(self) -> None:
        """Log the settings in force, also each time that the event is resumed."""
        event = self._event
        self._log.write(
            "event_began",
            name=event.name,
            clock=event.clock,
            claims=event.claims,
            policies=event.policies.model_dump(mode="json"),
            commitment=self._supply.commitment,
            boards_played=len(self._records),
        )

    def _reveal(self) -> bool:
        """Reveal the key now that all is played, so that anybody may check the deals.

        Returns:
            Whether there is no other ruling meanwhile. If there is, nothing is revealed.
        """
        known, sealing = self._store.commitment(), self._store.sealing()
        if known is None or sealing is None or known.key is not None:
            return True
        if not self._store.reveal(len(self._rulings)):
            return False
        self._log.write("key_revealed", key=str(sealing.key), public_value=sealing.public_value)
        return True

    def _most(self, units: list[Unit]) -> int:
        """Return how many units can be played at once, now or in a round that is not known yet."""
        if self._event.format.is_drawn:
            return len(self._event.entries) * self._event.boards
        return len(units)

    async def _play(self, venue: Venue, units: list[Unit], ledgers: Ledgers | None) -> None:
        """Play units; stop waiting for those in play once none of them is needed any more."""
        over = False

        def begin(unit: Unit) -> bool:
            return not self._must_plan_anew() and self._stop.begin(self._title(unit), _board(unit))

        def keep(unit: Unit, record: BoardRecord | None) -> BoardRecord | None:
            nonlocal over
            self._stop.end(self._title(unit))
            if record is None:
                return None
            judged = self._judge(unit, record)
            if judged is not None:
                self._keep(unit, judged)
                if ledgers is not None:
                    ledgers.add(unit.id, self._records[unit.id])
                venue.show(self._finished)
            cut_short = self._rulings or self._results.withdrawn
            if (cut_short or self._early_stop.position is not None) and not any(self._due(units)):
                over = True
                playing.cancel()
            return judged

        # Boards of the round before may be known to be finished only now.
        venue.show(self._finished)
        left = (unit for unit in self._due(units) if not self._is_paused(unit))
        playing = asyncio.create_task(venue.play(left, keep, begin))
        try:
            await playing
        except asyncio.CancelledError:
            this = asyncio.current_task()
            if not over or (this is not None and this.cancelling()):
                raise
            self._stop.in_play.clear()

    async def _seat(self, venue: Venue, units: list[Unit]) -> None:
        """Seat who plays the units, until the order to stop.

        Raises StoppedError, and what the venue raises.
        """
        seating = asyncio.create_task(venue.seat(units))
        self._stop.listeners.append(seating.cancel)
        if self._stop.is_ordered:
            seating.cancel()
        try:
            await seating
        except asyncio.CancelledError:
            this = asyncio.current_task()
            if not self._stop.is_ordered or (this is not None and this.cancelling()):
                raise
            raise StoppedError from None

    def _title(self, unit: Unit) -> str:
        """Return a unit in words, as `round 2, match 1, board 3 open`."""
        room = "" if unit.room is None else f" {unit.place}"
        board = f"board {unit.position}{room}"
        if self._event.format is Format.MATCH:
            return board
        meeting = "match" if self._event.format.is_teams else "table"
        return f"round {unit.match.round}, {meeting} {unit.match.number}, {board}"

    def _planned(self) -> list[Unit]:
        """Return the units that are known by the rulings so far and not played, in order."""
        self._take_up(self._store.rulings())
        self._rounds = plan(self._event, self._results)
        self.added = sum(map(self._results.added, self._matches()))
        units = [unit for match in self._matches() for unit in match.units()]
        self._finished = FinishedBoards(self._event, self._rounds, self._may_be_due)
        self._drop_beyond(units)
        return list(self._due(units))

    def _matches(self) -> list[Match]:
        """Return the matches that are known."""
        return [match for known in self._rounds for match in known.matches]

    async def _drawn(self, units: list[Unit]) -> list[Unit]:
        """Wait until a unit may begin, draw its round, and return what is left; [] for nothing.

        A director may rule until then, also while the event is paused or stopped. Raises
        StoppedError once no unit may begin.
        """
        is_waiting = False
        while units:
            if not any(self._stop.may_begin(_board(unit)) for unit in units):
                raise StoppedError
            if self._store.count_rulings() != len(self._rulings):
                units = self._planned()
            elif all(map(self._is_paused, units)):
                if not is_waiting:
                    self._log.write("paused")
                is_waiting = True
                await asyncio.sleep(PAUSE_SECONDS)
            elif self._draw():
                break
        return units

    def _draw(self) -> bool:
        """Store what is known of the schedule; return whether no ruling has come meanwhile.

        If one has, nothing is stored, as it decides what is drawn.
        """
        matches = self._matches()
        units = (unit for match in matches for unit in match.units())
        boards = {unit.board: self._supply.board(unit.board) for unit in units}
        return self._store.schedule(matches, boards, len(self._rulings))

    def _take_up(self, rulings: Sequence[Ruling]) -> None:
        """Log the rulings that are new, and see what they make of results and settings."""
        known = len(self._rulings)
        self._rulings = rulings
        for ruling in self._rulings[known:]:
            self._log.write(
                "ruling",
                number=ruling.number,
                author=ruling.author,
                reason=ruling.reason,
                after=ruling.after,
                decision=ruling.decision.model_dump(mode="json", exclude_none=True),
            )
        self._results = self._ruled()
        self._paused = paused(self._rulings)
        self._settings[:] = settings_by(self._event, self._rulings)

    def _must_plan_anew(self) -> bool:
        """Return whether a new ruling may change what is due; take up others at once."""
        latest = self._latest.read()
        new = latest[len(self._rulings) :]
        harmless = _OF_PLAY if self._event.format is Format.KNOCK_OUT else _OF_SCORES
        if not all(isinstance(ruling.decision, harmless) for ruling in new):
            return True
        if new:
            self._take_up(latest)
        return False

    def _ruled(self) -> Results:
        in_order = sorted(self._records, key=in_schedule_order)
        return Results(self._event, [self._records[unit] for unit in in_order], self._rulings)

    def _is_paused(self, unit: Unit) -> bool:
        targets = self._paused
        return bool(targets) and not targets.isdisjoint(
            {
                Paused(),
                Paused(unit.match.id),
                Paused(unit.match.id, unit.room),
                *(Paused(entry=entry) for entry in unit.lineup),
            }
        )

    def _drop_beyond(self, units: list[Unit]) -> None:
        """Drop the boards that were played after the one that ended the match."""
        for unit in units:
            if unit.id in self._records:
                self._early_stop.add(unit, self._records[unit.id])
        beyond = [unit.id for unit in units if self._early_stop.is_beyond(unit)]
        self._store.drop([unit for unit in beyond if self._records.pop(unit, None) is not None])

    def _due(self, units: Iterable[Unit]) -> Iterator[Unit]:
        return left_to_play(units, self._records, self._is_due, self._early_stop)

    def _is_due(self, unit: Unit) -> bool:
        """Return whether a unit is to be played by the results now, as its turn has come."""
        return self._results.is_due(unit)

    def _may_be_due(self, units: Iterable[Unit]) -> Iterator[Unit]:
        """Yield the units that are due, or would be if rulings were taken back."""
        return left_to_play(units, self._records, self._results.may_be_due, self._early_stop)

    def _judge(self, unit: Unit, record: BoardRecord) -> BoardRecord | None:
        """Return the record with the penalty for a lost player: the board is adjusted.

        Once too many boards are lost, the entry is withdrawn from the event; None if it was before.
        """
        if record.is_finished:
            return record
        seat = record.faults[-1].seat
        entry = unit.lineup[seat]
        if self._results.is_absent(entry, unit.match.round):
            return None
        name = self._event.entries[entry].name
        readmitted = self._results.readmission(entry, unit.match.round)
        lost = sum(
            (earlier.round or 1) >= readmitted
            and earlier.adjusted is not None
            and earlier.players[earlier.faults[-1].seat] == name
            for earlier in self._records.values()
        )
        if lost < self._event.settings(self._event.entries[entry]).restarts:
            return replace(record, adjusted=seat.side)
        self._log.write("withdrawn", entry=name, boards_lost=lost + 1)
        return record

    def _keep(self, unit: Unit, record: BoardRecord) -> None:
        self.unsaved = unit, record
        self._store.save(unit, record)
        self.unsaved = None
        # Thoughts are left out: they are large and not needed here.
        self._records[unit.id] = replace(record, thoughts=())
        if not record.is_done:
            self._results = self._ruled()
        self._early_stop.add(unit, record)
        where = {"unit": unit.id, "board": record.board.number}
        self._log.write(
            "board_ended",
            **where,
            contract=None if record.contract is None else f"{record.contract}",
            tricks=record.tricks,
            score=record.score,
            adjusted=None if record.adjusted is None else str(record.adjusted),
            faults=[facts_of(fault, record.players) for fault in record.faults],
        )
        for question in record.questions:
            meaning = record.calls[question.call].explanation
            self._log.write(
                "question",
                **where,
                seat=question.seat.letter,
                entry=record.players[question.seat],
                action=question.action,
                call=question.call,
                answer=None if meaning is None else str(meaning),
            )
        for thought in record.thoughts:
            self._log.write(
                "thought",
                **where,
                seat=thought.seat.letter,
                entry=record.players[thought.seat],
                action=thought.action,
                **thought.said,
            )
        self._on_board(record)
        # Only now, as the board must be stored even if its line cannot be written.
        self._log.check()


def _board(unit: Unit) -> tuple[str, int]:
    """Return what the units in both rooms of a board have in common: they count as one."""
    return unit.match.id, unit.position

"""What a director may rule, and what follows from a ruling: said before it is made."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from bridge_arena.base.wording import plural
from bridge_arena.bridge.record import Room
from bridge_arena.server.clock import TimeControl
from bridge_arena.tournaments.events.boards import in_supply, substitute
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.event_rules import wrong_clocks
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.left_to_play import due_anew
from bridge_arena.tournaments.schedule.plan import (
    Results,
    has_numbers_of_supply,
    knock_out_winner,
    last_round,
    plan,
)
from bridge_arena.tournaments.schedule.rulings import (
    Adjust,
    Annul,
    Appeal,
    Artificial,
    ChangeClock,
    ChangeGrace,
    Decision,
    Forfeit,
    GoOn,
    Pause,
    Paused,
    Penalty,
    Readmit,
    Replay,
    Ruling,
    TakeBack,
    Waive,
    Withdraw,
    in_force,
    parse_award,
    paused,
    same_boards,
    settings_by,
)
from bridge_arena.tournaments.schedule.standings import Standing, standings
from bridge_arena.tournaments.schedule.table_results import TableResult
from bridge_arena.tournaments.schedule.units import Match, Round

_OF_PLAY = Pause, GoOn, ChangeClock, ChangeGrace, Appeal
"""Decisions from which nothing follows for results."""


class RulingError(ValueError):
    """The ruling cannot be made; the message says why in one line."""


class Directing:
    """The state of an event as its director sees it: matches, boards and rulings by their names."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self.event = results.event
        self._matches = {
            match.id: match for known in plan(self.event, results) for match in known.matches
        }

    @property
    def matches(self) -> Sequence[Match]:
        """The matches that are known, in order."""
        return list(self._matches.values())

    def boards(self, match: str) -> list[int]:
        """Return the numbers on the boards of a match that were begun."""
        known = self._matches.get(match)
        tables = () if known is None else self.results.of(known)
        return sorted({record.board.number for record in tables})

    def lost_boards(self, match: str) -> list[int]:
        """Return the numbers on those that an entry lost for good."""
        return [
            number
            for number in self.boards(match)
            if any(map(_is_lost, self._records(match, number)))
        ]

    def parts(self, kind: type[Decision]) -> list[str]:
        """Return the parts of a kind of decision in this event; none if its format has no such."""
        is_knock_out = self.event.format is Format.KNOCK_OUT
        if (kind is Readmit and is_knock_out) or (
            kind is Forfeit and not self.event.format.is_teams
        ):
            return []
        without = {"kind"}
        if not self.event.format.is_teams:
            without.add("room")
        if kind is Penalty and not is_knock_out:
            without.add("match")
        return [name for name in kind.model_fields if name not in without]

    def check(self, ruling: Ruling, played: Container[str]) -> None:
        """Check that a ruling can be made after some units were played. Raises RulingError."""
        self._check(ruling.decision)
        self._check_drawn(ruling)
        ruled = self.results.with_ruling(ruling)
        if not plan(self.event, ruled):
            raise RulingError("nobody would be left to play the first round")
        if not _left(self.results) and (left := _left(ruled)):
            raise RulingError(
                f"the event is over and its deals are public, but {plural(left, 'table')} would "
                "have to be played"
            )
        due = list(due_anew(self.results, ruled, played))
        if isinstance(ruling.decision, Replay) and not due:
            where = self._where(ruling.decision.match)
            raise RulingError(f"nothing more of {where} is played: annul the board")
        for unit, is_shown in due:
            where = self._where(unit.match.id)
            if self.event.format.is_drawn and unit.match.round < ruling.after:
                raise RulingError(self._would_go_on(unit.match.id, ruling.after))
            if is_shown:
                raise RulingError(
                    f"{where} would be played on, but the hands of its board {unit.position} may "
                    "have been shown already"
                )

    def _check_drawn(self, ruling: Ruling) -> None:
        """Check that a ruling does not change what a round was drawn by, or who is in it."""
        decision = ruling.decision
        if not self.event.format.is_drawn:
            return
        if isinstance(decision, Replay) and self._match(decision.match).round < ruling.after:
            raise RulingError(self._would_go_on(decision.match, ruling.after))
        if isinstance(decision, Readmit) and decision.round <= ruling.after:
            raise RulingError(
                f"round {ruling.after} is drawn already: readmit {self._name(decision.entry)} from "
                "a later one"
            )

    def _would_go_on(self, match: str, drawn: int) -> str:
        return f"{self._where(match)} would be played on, but round {drawn} is drawn by its result"

    def _check(self, decision: Decision) -> None:
        match decision:
            case Adjust():
                self._check_adjust(decision)
            case Annul():
                self._check_annul(decision)
            case Replay():
                self._check_replay(decision)
            case Forfeit():
                self._check_forfeit(decision)
            case Waive():
                match = self._match(decision.match)
                record = self._record(match, decision.board, decision.room)
                if record is None or not _is_lost(record):
                    where = self._where(match.id, decision.board, decision.room)
                    raise RulingError(f"{where} was not lost for good")
            case Penalty():
                self._check_penalty(decision)
            case Withdraw():
                self._check_withdraw(decision)
            case Readmit():
                self._check_readmit(decision)
            case Pause() | GoOn():
                self._check_pause(decision)
            case ChangeClock() | ChangeGrace():
                self._check_change(decision)
            case TakeBack() | Appeal():
                self._check_earlier(decision)

    def title(self, decision: Decision) -> str:
        """Return a decision in words."""
        match decision:
            case Adjust():
                return self._adjusted(decision)
            case Annul():
                return f"{self._where(decision.match, decision.board)} is annulled"
            case Replay():
                where = self._where(decision.match, decision.board)
                return f"{where} is annulled, and a substitute is played"
            case Forfeit():
                return f"{self._name(decision.entry)} forfeits {self._where(decision.match)}"
            case Waive():
                where = self._where(decision.match, decision.board, decision.room)
                return f"{where}: the loss is waived, and the board adjusted"
            case Penalty():
                off = f" in {self._where(decision.match)}" if decision.match else ""
                return f"{self._name(decision.entry)} loses {decision.amount:g}{off}"
            case Withdraw() | Readmit():
                is_ = "withdrawn" if isinstance(decision, Withdraw) else "readmitted"
                return f"{self._name(decision.entry)} is {is_} from round {decision.round} on"
            case Pause() | GoOn():
                does = "pauses" if isinstance(decision, Pause) else "goes on"
                return f"{self.paused(Paused.by(decision))} {does}"
            case ChangeClock():
                return f"{self._whose(decision.entry)} clock is {decision.clock}"
            case ChangeGrace():
                return f"{self._whose(decision.entry)} grace is {decision.seconds:g} seconds"
            case TakeBack():
                return f"ruling {decision.ruling} is taken back"
            case Appeal():
                return f"appeal against ruling {decision.ruling}: {decision.state}"

    def _adjusted(self, decision: Adjust) -> str:
        where = self._where(decision.match, decision.board, decision.room)
        sides = "NS", "EW"
        if decision.room is None and self.event.format.is_teams:
            sides = "home", "visitors"
        if decision.ns == decision.ew:
            return f"{where}: {' and '.join(sides)} {decision.ns}"
        return f"{where}: {sides[0]} {decision.ns}; {sides[1]} {decision.ew}"

    def stood_before(self, decision: Decision) -> str:
        """Return what was played where a decision decides otherwise; "" if it does not."""
        match decision:
            case Adjust() | Waive() | Annul(board=int()) | Replay():
                assert decision.board is not None
                room = decision.room if isinstance(decision, Adjust | Waive) else None
                records = [
                    record
                    for record in self._records(decision.match, decision.board)
                    if room is None or record.room is room
                ]
                return ", ".join(map(_result, records))
            case Annul() | Forfeit() if self.event.format.is_teams:
                match = self._matches.get(decision.match)
                if match is None:
                    return ""
                plain = Results(self.event, self.results.of(match)).outcome(match)
                home, visitors = map(self._name, match.entries[:2])
                if self.event.scoring is Scoring.BOARD_A_MATCH:
                    won, lost = plain.scores(Scoring.BOARD_A_MATCH)
                    return f"{won:g} boards to {home}, {lost:g} to {visitors}"
                if self.event.scoring is Scoring.TOTAL_POINTS:
                    return f"{plain.points:+d} points to {home}"
                return f"{plain.imps:+d} IMPs to {home}"
            case _:
                return ""

    def consequences(self, ruling: Ruling) -> Iterator[str]:
        """Yield what would follow from a ruling, a line each."""
        ruled = self.results.with_ruling(ruling)
        before, after = (standings(self.event, one) for one in (self.results, ruled))
        old = {standing.entry: standing for standing in before.entries}
        changed = [new for new in after.entries if _place(new) != _place(old[new.entry])]
        decimals = max(before.decimals, after.decimals)
        for new in changed:
            was = _place_text(old[new.entry], before.unit, decimals)
            yield f"{self._name(new.entry)}: {was} -> {_place_text(new, after.unit, decimals)}"
        if not changed:
            yield "the standings stay as they are"
        if isinstance(ruling.decision, _OF_PLAY):
            return
        if not self.event.format.is_drawn:
            left, then = _left(self.results), _left(ruled)
            if left != then:
                yield f"tables left to play: {left} -> {then}"
            return
        if ruling.after and _left(self.results):
            yield f"rounds up to {ruling.after} are drawn, and are not drawn again"
        yield from self._went_on(ruled)
        known = {one.number: one for one in plan(self.event, self.results)}
        planned = plan(self.event, ruled)
        if len(planned) < len(known):
            yield f"round {len(planned) + 1} is drawn once more boards are played"
        for drawn in planned:
            if drawn.number <= ruling.after or drawn == known.get(drawn.number):
                continue
            instead = ""
            if drawn.number in known:
                instead = f", not {self._draw(known[drawn.number])}"
            yield f"round {drawn.number} is drawn otherwise: {self._draw(drawn)}{instead}"

    def _went_on(self, ruled: Results) -> Iterator[str]:
        """Yield who went on from matches of a knock-out that they would lose by a late ruling."""
        if self.event.format is not Format.KNOCK_OUT:
            return
        for match in self._matches.values():
            won = ruled.outcome(match).winner(self.event.scoring)
            is_changed = won != self.results.outcome(match).winner(self.event.scoring)
            if is_changed and won is not None and match.round < last_round(self.event):
                entry = knock_out_winner(self.event, match, ruled)
                if entry != match.entries[won]:
                    yield f"{self._where(match.id)}: {self._name(entry)} still goes on"

    def _check_adjust(self, decision: Adjust) -> None:
        match = self._match(decision.match)
        board = self._board(match, decision.board)
        self._check_room(decision.room, is_optional=True)
        self._check_begun(match, decision.board, decision.room)
        self._check_counts(match, decision.board)
        awards = [
            parse_award(text, board.board.vulnerability) for text in (decision.ns, decision.ew)
        ]
        where = self._where(match.id, decision.board, decision.room)
        is_artificial = all(isinstance(award, Artificial) for award in awards)
        if decision.room is None and self.event.format.is_teams and not is_artificial:
            raise RulingError(f"{where}: an assigned score belongs to a room")

    def _check_annul(self, decision: Annul) -> None:
        match = self._match(decision.match)
        if decision.board is None:
            if self.event.format is Format.KNOCK_OUT:
                raise RulingError(
                    f"{self._where(match.id)} of a knock-out cannot be annulled, as one goes on: "
                    "forfeit it"
                )
        else:
            self._board(match, decision.board)
            self._check_begun(match, decision.board, None)
        self._check_counts(match, decision.board)

    def _check_forfeit(self, decision: Forfeit) -> None:
        match = self._match(decision.match)
        if not self.event.format.is_teams:
            raise RulingError("only matches of teams are forfeited: adjust the boards")
        self._check_plays(match, decision.entry)
        self._check_counts(match, None)

    def _check_replay(self, decision: Replay) -> None:
        match = self._match(decision.match)
        self._board(match, decision.board)
        self._check_counts(match, decision.board)
        where = self._where(match.id, decision.board)
        if self.event.sprt is not None:
            raise RulingError(f"{where}: a sequential test counts the boards in order: annul it")
        if not has_numbers_of_supply(self.event):
            # Nothing but their records tells at which tables it is still to be played.
            tables = [self._matches[other] for other in same_boards(self.event, match.id)]
            for table in filter(self.results.is_played, tables):
                self._check_begun(table, decision.board, None)

    def _check_counts(self, match: Match, board: int | None) -> None:
        """Check that no ruling in force has a board, or a match, not count."""
        for ruling in in_force(self.results.rulings):
            decision = ruling.decision
            if not isinstance(decision, Annul | Forfeit | Replay):
                continue
            is_there = decision.match == match.id or (
                isinstance(decision, Replay) and match.id in same_boards(self.event, decision.match)
            )
            of_board = None if isinstance(decision, Forfeit) else decision.board
            if is_there and of_board in (None, board):
                is_ = "forfeited" if isinstance(decision, Forfeit) else "annulled"
                raise RulingError(
                    f"{self._where(match.id, of_board)} is {is_} by ruling {ruling.number}: take "
                    "that back first"
                )
        if board is not None and self.results.is_annulled(match.id, board):
            where = self._where(match.id, board)
            raise RulingError(f"{where} counts for nobody: its ruling is taken back")

    def _check_penalty(self, decision: Penalty) -> None:
        self._name(decision.entry)
        if self.event.format is Format.KNOCK_OUT:
            if decision.match is None:
                raise RulingError("in a knock-out a penalty is for a match")
            self._check_plays(self._match(decision.match), decision.entry)
        elif decision.match is not None:
            raise RulingError("only in a knock-out is a penalty for a match")

    def _check_withdraw(self, decision: Withdraw) -> None:
        name = self._name(decision.entry)
        self._check_round(decision.round)
        if self.results.is_absent(decision.entry, decision.round):
            raise RulingError(f"{name} is withdrawn from round {decision.round} already")

    def _check_readmit(self, decision: Readmit) -> None:
        name = self._name(decision.entry)
        if self.event.format is Format.KNOCK_OUT:
            raise RulingError(f"{name} has no way back into a knock-out")
        self._check_round(decision.round)
        since = self.results.last_withdrawal(decision.entry)
        if since is None:
            raise RulingError(f"{name} is not withdrawn")
        if decision.round <= since:
            raise RulingError(
                f"{name} is withdrawn from round {since}: readmit it from a later one, or take "
                "the withdrawal back"
            )

    def _check_round(self, number: int) -> None:
        last = last_round(self.event)
        if number > last:
            raise RulingError(f"{self.event.name} has no round {number}: the last is {last}")

    def _check_pause(self, decision: Pause | GoOn) -> None:
        if decision.match is not None and decision.entry is not None:
            raise RulingError("either a match or an entry is paused, not both")
        if decision.match is not None:
            self._match(decision.match)
        elif decision.room is not None:
            raise RulingError("a room is that of a match: say of which")
        self._check_room(decision.room, is_optional=True)
        target, others = Paused.by(decision), paused(self.results.rulings)
        if isinstance(decision, GoOn):
            if target not in others:
                instead = ", ".join(sorted(map(self.paused, others))) or "nothing"
                raise RulingError(f"{self.paused(target)} is not paused: {instead} is")
        elif target in others:
            raise RulingError(f"{self.paused(target)} is paused already")
        elif not _left(self.results):
            raise RulingError(f"nothing is left to play: {self.paused(target)} cannot pause")

    def _check_change(self, decision: ChangeClock | ChangeGrace) -> None:
        whose = self._whose(decision.entry)
        if not _left(self.results):
            raise RulingError(f"nothing is left to play: {whose} {decision.kind} cannot change")
        if isinstance(decision, ChangeGrace):
            if not self.event.policies.grace:
                raise RulingError("the event began without grace: no bot has a way back to a board")
            return
        clocks = [one.clock for one in settings_by(self.event, self.results.rulings)]
        control = TimeControl.parse(decision.clock)
        clocks = [
            control if decision.entry in (None, number) else clock
            for number, clock in enumerate(clocks)
        ]
        for _, reason in wrong_clocks(self.event, clocks):
            raise RulingError(f"clock: {reason}")

    def _check_earlier(self, decision: TakeBack | Appeal) -> None:
        rulings = {ruling.number: ruling.decision for ruling in self.results.rulings}
        earlier = rulings.get(decision.ruling)
        if earlier is None:
            raise RulingError(f"there is no ruling {decision.ruling}")
        back = [one.ruling for one in rulings.values() if isinstance(one, TakeBack)]
        if decision.ruling in back:
            raise RulingError(f"ruling {decision.ruling} is taken back already")
        if isinstance(decision, TakeBack) and isinstance(earlier, Replay):
            self._check_substitute(decision.ruling, earlier)
        if isinstance(earlier, TakeBack) or (
            isinstance(decision, Appeal) and isinstance(earlier, Appeal)
        ):
            what = "taken back: rule again" if isinstance(decision, TakeBack) else "appealed"
            raise RulingError(f"ruling {decision.ruling}, {earlier.kind}, cannot be {what}")

    def _check_substitute(self, number: int, replay: Replay) -> None:
        """Check that the substitute of a ruling that is taken back was not replaced itself."""
        board = substitute(number, replay.board)
        for ruling in in_force(self.results.rulings):
            if isinstance(ruling.decision, Replay) and in_supply(ruling.decision.board) == board:
                raise RulingError(
                    f"its substitute is replaced by ruling {ruling.number}: take that back first"
                )

    def _match(self, match: str) -> Match:
        if match not in self._matches:
            known = ", ".join(list(self._matches)[-6:])
            raise RulingError(f"{self.event.name} has no match {match} (the last are {known})")
        return self._matches[match]

    def _board(self, match: Match, board: int) -> TableResult:
        """Return a record of a board. Raises RulingError."""
        records = self._records(match.id, board)
        if not records:
            begun = self.boards(match.id)
            boards = f"boards {', '.join(map(str, begun))} were" if begun else "none was"
            raise RulingError(f"no board {board} of {self._where(match.id)} was begun ({boards})")
        if len({record.board for record in records}) > 1:
            raise RulingError(f"{self._where(match.id)} has two boards {board}")
        return records[0]

    def _check_begun(self, match: Match, board: int, room: Room | None) -> None:
        """Check that a board was begun in a room; without one, in all rooms of its match."""
        begun = {record.room for record in self._records(match.id, board)}
        for needed in match.rooms if room is None else (room,):
            if needed not in begun:
                where = self._where(match.id, board, needed)
                raise RulingError(f"{where} was not begun yet: rule on it after that")

    def _record(self, match: Match, board: int, room: Room | None) -> TableResult | None:
        self._board(match, board)
        self._check_room(room)
        tables = (one for one in self._records(match.id, board) if one.room is room)
        return next(tables, None)

    def _records(self, match: str, board: int) -> list[TableResult]:
        return self.results.records_of(match, board)

    def _check_room(self, room: Room | None, *, is_optional: bool = False) -> None:
        if room is not None and not self.event.format.is_teams:
            raise RulingError("only matches of teams have rooms")
        if room is None and self.event.format.is_teams and not is_optional:
            raise RulingError("a team match has two rooms: say which")

    def _check_plays(self, match: Match, entry: int) -> None:
        if entry not in match.entries:
            raise RulingError(f"{self._name(entry)} does not play {self._where(match.id)}")

    def _name(self, entry: int) -> str:
        return self.event.entries[entry].name

    def _whose(self, entry: int | None) -> str:
        return "every entry's" if entry is None else f"{self._name(entry)}'s"

    def _names(self, entries: Sequence[int]) -> str:
        return " – ".join(map(self._name, entries))

    def _where(self, match: str, board: int | None = None, room: Room | None = None) -> str:
        known = self._matches.get(match)
        names = "" if known is None else f" ({self._names(known.entries)})"
        of_match = f"match {match}{names}"
        if board is None:
            return of_match if room is None else f"the {room.lower()} room of {of_match}"
        in_room = f" in the {room.lower()} room" if room else ""
        return f"board {board}{in_room} of {of_match}"

    def paused(self, target: Paused) -> str:
        """Return what is paused in words."""
        if target.match is not None:
            return self._where(target.match, room=target.room)
        return "the event" if target.entry is None else self._name(target.entry)

    def _draw(self, drawn: Round) -> str:
        pairs = [self._names(match.entries) for match in drawn.matches]
        return ", ".join([*pairs, *(f"{self._name(entry)} sits out" for entry in drawn.byes)])


def _left(results: Results) -> int:
    """Return how many tables are left to play in the rounds that are known."""
    rounds = plan(results.event, results)
    return sum(results.left(match) for known in rounds for match in known.matches)


def entry_named(event: Event, name: str) -> int:
    """Return the number of the entry of a name. Raises RulingError."""
    numbers: Mapping[str, int] = {one.name: number for number, one in enumerate(event.entries)}
    if name not in numbers:
        raise RulingError(f"{event.name} has no entry {name!r}: {', '.join(numbers)}")
    return numbers[name]


def _place(standing: Standing) -> tuple[int, float, bool]:
    return standing.rank, round(standing.score, 9), standing.withdrawn


def _place_text(standing: Standing, unit: str, decimals: int) -> str:
    gone = ", withdrawn" if standing.withdrawn else ""
    score = f"{standing.score:.{decimals}f}"
    if score == "1":
        unit = unit.replace("s", "", 1)  # 1 IMP, 1 round won
    return f"rank {standing.rank}, {score} {unit}{gone}"


def _is_lost(record: TableResult) -> bool:
    """Return whether an entry lost a board for good."""
    return not record.is_done and record.last_at_fault is not None


def _result(record: TableResult) -> str:
    """Return the result of a table in words."""
    room = f"{record.room.lower()} room " if record.room else ""
    if record.score is not None:
        return f"{room}NS {record.score:+d}" if record.score else f"{room}NS 0"
    if record.adjusted is not None:
        return f"{room}adjusted, {record.adjusted.name} at fault"
    return f"{room}not finished"

"""The rulings of an event's director: what was decided, by whom, when and why.

A ruling never changes what was played: it says what of it counts. Rulings are only ever added; one
is taken back by another. `tournaments.schedule.plan.Results` applies those in force.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from enum import IntEnum, StrEnum
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.record import Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.server.clock import TimeControl
from bridge_arena.tournaments.events.boards import in_supply, substitute
from bridge_arena.tournaments.events.event import EntrySettings, Event

MOST_OUTCOMES = 5
"""The most weighted outcomes of an assigned score."""


class Artificial(IntEnum):
    """An artificial score (Law 12C2), by the sign of the IMPs that it is worth."""

    MINUS = -1
    AVERAGE = 0
    PLUS = 1


Outcomes = tuple[tuple[Fraction, int], ...]
"""An assigned score (Law 12C1): points of North-South, each with its weight; they add up to 1."""

Award = Artificial | Outcomes
"""The score that a side is given for a board at a table."""

_MATCH = re.compile(r"[1-9][0-9]{0,5}/[1-9][0-9]{0,5}")
_RESULT = re.compile(r"([1-7])(NT|[CDHS])(X{0,2})([NESW])(=|\+[1-6]|-(?:1[0-3]|[1-9]))")
_POINTS = re.compile(r"[+-]?[0-9]{1,4}")
_WEIGHT = re.compile(r"(?:([0-9]{1,3})%|([0-9]{1,2})/([1-9][0-9]?)) +")
_HELP = (
    "plus, average, minus, a result (4SE+1, 3NTXN-2, PASS), points of NS, or 60% 4SE=, 40% 3SE+1"
)


def parse_award(text: str, vulnerability: Vulnerability = Vulnerability.NONE) -> Award:
    """Read the score of a side. Raises ValueError.

    Args:
        text: `plus`, `average` or `minus`; or else a result such as `4SE+1` or `PASS`, or the
            points of North-South, or several of these with weights: `60% 4SE+1, 2/5 +140`.
        vulnerability: That of the board.
    """
    if text.upper() in Artificial.__members__:
        return Artificial[text.upper()]
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > MOST_OUTCOMES:
        raise ValueError(f"{len(parts)} outcomes are too many, {MOST_OUTCOMES} at most")
    outcomes: list[tuple[Fraction, int]] = []
    for part in parts:
        weighed = _WEIGHT.match(part)
        if weighed is None and len(parts) > 1:
            raise ValueError(f"{part[:40]!r} has no weight, as in 60% 4SE=")
        weight = Fraction(1)
        if weighed is not None:
            percent, above, below = weighed.groups()
            weight = Fraction(int(percent), 100) if percent else Fraction(int(above), int(below))
        result = part[weighed.end() :] if weighed else part
        outcomes.append((weight, _points(result, vulnerability)))
    if (total := sum(weight for weight, _ in outcomes)) != 1:
        raise ValueError(f"the weights of {text!r} add up to {float(total):.4g}, not to 1")
    return tuple((weight, points) for weight, points in outcomes if weight)


def _points(text: str, vulnerability: Vulnerability) -> int:
    """Return North-South's points of a result. Raises ValueError."""
    if text.upper() == "PASS":
        return 0
    if _POINTS.fullmatch(text):
        if int(text) % 10:
            raise ValueError(f"{text!r} is no score: scores are multiples of 10")
        return int(text)
    match = _RESULT.fullmatch(text.upper())
    if match is None:
        raise ValueError(f"{text[:40]!r} is no score: {_HELP}")
    level, denomination, risk, seat, over = match.groups()
    contract = Contract.parse(level + denomination + risk, Seat.parse(seat))
    tricks = contract.tricks_needed + (0 if over == "=" else int(over))
    if not 0 <= tricks <= 13:
        raise ValueError(f"{text!r} would be {tricks} tricks")
    return score_ns(contract, tricks, vulnerability)


def _award(text: str) -> str:
    parse_award(text)
    return text


def _line(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ValueError("it must be one line of text")
    return text.strip()


Line = Annotated[str, Field(max_length=500), AfterValidator(_line)]


def _match_id(text: str) -> str:
    if _MATCH.fullmatch(text) is None:
        raise ValueError(f"{text[:40]!r} is no match: ROUND/NUMBER, as 2/1")
    return text


def _clock(text: str) -> str:
    return str(TimeControl.parse(text))


def _penalty(amount: float) -> float:
    if not 0 < amount <= 100_000:
        raise ValueError("a penalty is more than 0, and 100000 at most")
    return amount


MatchId = Annotated[str, AfterValidator(_match_id)]
Entry = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1, le=1_000_000)]
Score = Annotated[str, Field(max_length=200), AfterValidator(_award)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Adjust(_Part):
    """Give both sides another score for a board at a table, or for a board of a team match.

    Attributes:
        match: The id of the match.
        board: The number on the board.
        room: The room; None for a single table, and for the board in both rooms of a team match,
            whose home team is then `ns`. Such a board only takes artificial scores.
        ns: The score of North-South.
        ew: The score of East-West.
    """

    kind: Literal["adjust"] = "adjust"
    match: MatchId
    board: int
    room: Room | None = None
    ns: Score
    ew: Score


class Annul(_Part):
    """Count a board at a table (in a team match, in both rooms) or a whole match for nobody."""

    kind: Literal["annul"] = "annul"
    match: MatchId
    board: int | None = None


class Replay(_Part):
    """Play a board again: it counts for nobody, and a substitute is played at all its tables."""

    kind: Literal["replay"] = "replay"
    match: MatchId
    board: int


class Forfeit(_Part):
    """Have an entry lose a match of teams, of which no board counts."""

    kind: Literal["forfeit"] = "forfeit"
    match: MatchId
    entry: Entry


class Waive(_Part):
    """Adjust a board that was lost for good: its loss does not withdraw the entry."""

    kind: Literal["waive"] = "waive"
    match: MatchId
    board: int
    room: Room | None = None


class Penalty(_Part):
    """Take an amount off the total of an entry; in a knock-out, off its score in a match."""

    kind: Literal["penalty"] = "penalty"
    entry: Entry
    amount: Annotated[float, AfterValidator(_penalty)]
    match: MatchId | None = None


class Withdraw(_Part):
    """Withdraw an entry from a round on: what it has not played of these is forfeited."""

    kind: Literal["withdraw"] = "withdraw"
    entry: Entry
    round: Number


class Readmit(_Part):
    """Readmit a withdrawn entry from a round on."""

    kind: Literal["readmit"] = "readmit"
    entry: Entry
    round: Number


class Pause(_Part):
    """Begin no board of the event, of a match, of a room of it or of an entry until it goes on."""

    kind: Literal["pause"] = "pause"
    match: MatchId | None = None
    room: Room | None = None
    entry: Entry | None = None


class GoOn(_Part):
    """Go on with what was paused."""

    kind: Literal["go-on"] = "go-on"
    match: MatchId | None = None
    room: Room | None = None
    entry: Entry | None = None


class ChangeClock(_Part):
    """Give all entries, or one, another clock from the next board on that begins."""

    kind: Literal["clock"] = "clock"
    clock: Annotated[str, Field(max_length=200), AfterValidator(_clock)]
    entry: Entry | None = None


class ChangeGrace(_Part):
    """Give all entries, or one, other seconds to come back from the next board on that begins."""

    kind: Literal["grace"] = "grace"
    seconds: float = Field(ge=0, le=86_400, allow_inf_nan=False)
    entry: Entry | None = None


class TakeBack(_Part):
    """Take back a ruling."""

    kind: Literal["take-back"] = "take-back"
    ruling: Number


class AppealState(StrEnum):
    """The state of an appeal."""

    OPEN = "open"
    UPHELD = "upheld"
    DISMISSED = "dismissed"


class Appeal(_Part):
    """Note an appeal against a ruling, or what became of it; nothing else follows from it."""

    kind: Literal["appeal"] = "appeal"
    ruling: Number
    state: AppealState = AppealState.OPEN


Decision = (
    Adjust
    | Annul
    | Replay
    | Forfeit
    | Waive
    | Penalty
    | Withdraw
    | Readmit
    | Pause
    | GoOn
    | ChangeClock
    | ChangeGrace
    | TakeBack
    | Appeal
)
"""What is decided. The forms of the director's pages follow from the parts of these classes, and
show the first paragraphs of their docstrings."""


class Ruling(_Part):
    """A decision of the director.

    Attributes:
        number: Its number in the event, from 1.
        time: When it was made, in UTC.
        author: Who made it.
        reason: Why.
        after: The last round of which a board was begun then; 0 for none. Rounds up to it were
            drawn without this ruling, and stay so.
        decision: What was decided.
    """

    number: Number
    time: datetime
    author: Line
    reason: Line
    after: int = Field(ge=0)
    decision: Annotated[Decision, Field(discriminator="kind")]


def wrong_part(error: ValidationError) -> str:
    """Return which part of a ruling is wrong, and why, in a line."""
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg'].removeprefix('Value error, ')}"


def opposite(score: str) -> str:
    """Return the score of the other side where only one is given."""
    return {"plus": "minus", "minus": "plus"}.get(score.lower(), score)


def in_force(rulings: Iterable[Ruling]) -> list[Ruling]:
    """Return the rulings that are not taken back, by number, without what takes others back."""
    ordered = sorted(rulings, key=lambda ruling: ruling.number)
    back = {one.decision.ruling for one in ordered if isinstance(one.decision, TakeBack)}
    return [
        ruling
        for ruling in ordered
        if ruling.number not in back and not isinstance(ruling.decision, TakeBack)
    ]


def same_boards(event: Event, match: str) -> list[str]:
    """Return the matches at whose tables a substitute is played; of teams, the match alone."""
    if event.format.rules.tables is None:
        return [match]
    rounds = event.format.rules.tables(len(event.entries), event.movement)
    sets = {
        f"{number}/{table.table}": table.boards
        for number, tables in enumerate(rounds, start=1)
        for table in tables
    }
    return [other for other, boards in sets.items() if boards == sets.get(match)]


def replaced(event: Event, rulings: Iterable[Ruling]) -> dict[int, int]:
    """Return the rulings in force that have no effect, each with the first one that replaces it."""
    made = tuple(rulings)
    by_another = {
        earlier.number: later.number
        for on_subject in _by_subject(event, in_force(made)).values()
        for place, earlier in enumerate(on_subject)
        for later in reversed(on_subject[place + 1 :])
        if _replaces(later.decision, earlier.decision)
        # At other tables its substitute is still played.
        and (event.format.is_teams or not isinstance(earlier.decision, Replay))
    }
    given_up = _given_up(made)
    on_substitutes = {
        ruling.number: given_up[board]
        for ruling in in_force(made)
        if isinstance(ruling.decision, Adjust | Annul)
        and (board := in_supply(ruling.decision.board or 0)) in given_up
    }
    return by_another | on_substitutes


def _given_up(made: Iterable[Ruling]) -> dict[int, int]:
    """Return the substitutes that count for nobody, each with the ruling that took it back."""
    replays = {one.number: one.decision for one in made if isinstance(one.decision, Replay)}
    return {
        substitute(back.ruling, replays[back.ruling].board): one.number
        for one in made
        if isinstance(back := one.decision, TakeBack) and back.ruling in replays
    }


def _by_subject(event: Event, made: Iterable[Ruling]) -> dict[str, list[Ruling]]:
    """Return the rulings that say what counts of boards, by the ids of their matches.

    Those that change clocks or grace are by their kinds.
    """
    by_subject: dict[str, list[Ruling]] = {}
    for ruling in made:
        subjects: list[str] = []
        match ruling.decision:
            case Replay(match=match_):
                subjects = same_boards(event, match_)
            case Adjust(match=match_) | Annul(match=match_) | Forfeit(match=match_):
                subjects = [match_]
            case Waive(match=match_):
                subjects = [match_]
            case ChangeClock(kind=kind) | ChangeGrace(kind=kind):
                subjects = [kind]
            case _:
                pass
        for subject in subjects:
            by_subject.setdefault(subject, []).append(ruling)
    return by_subject


def _replaces(later: Decision, earlier: Decision) -> bool:
    """Return whether nothing is left of a decision after a later one on its subject."""
    match later, earlier:
        case ((ChangeClock(entry=entry) | ChangeGrace(entry=entry)), _):
            return entry is None or entry == getattr(earlier, "entry", None)
        case (_, Waive()):
            return False
        case ((Forfeit() | Annul(board=None)), _):
            return True
        case ((Annul(board=board) | Replay(board=board)), (Annul() | Adjust())):
            return earlier.board == board
        case Adjust(board=board, room=room), Adjust():
            return earlier.board == board and (room is None or earlier.room in (None, room))
        case _:
            return False


class Paused(NamedTuple):
    """What is paused: a match, a room of it or an entry; the whole event if all are None."""

    match: str | None = None
    room: Room | None = None
    entry: int | None = None

    @classmethod
    def by(cls, decision: Pause | GoOn) -> Paused:
        """Return what a decision pauses or lets go on."""
        return cls(decision.match, decision.room, decision.entry)


def paused(rulings: Iterable[Ruling]) -> set[Paused]:
    """Return what is paused."""
    targets: set[Paused] = set()
    for ruling in in_force(rulings):
        match ruling.decision:
            case Pause() as decision:
                targets.add(Paused.by(decision))
            case GoOn() as decision:
                targets.discard(Paused.by(decision))
            case _:
                pass
    return targets


def settings_by(event: Event, rulings: Iterable[Ruling]) -> list[EntrySettings]:
    """Return the settings of entries, with the clocks and the grace that rulings have changed."""
    settings = [event.settings(entrant) for entrant in event.entries]
    for ruling in in_force(rulings):
        change: dict[str, Any] = {}
        match ruling.decision:
            case ChangeClock(clock=clock, entry=entry):
                change["clock"] = TimeControl.parse(clock)
            case ChangeGrace(seconds=seconds, entry=entry):
                change["grace"] = seconds
            case _:
                continue
        for number, own in enumerate(settings):
            if entry in (None, number):
                settings[number] = replace(own, **change)
    return settings


def changes(event: Event, rulings: Iterable[Ruling]) -> list[Ruling]:
    """Return the rulings that clocks or grace are by at present."""
    made = tuple(rulings)
    earlier = replaced(event, made)
    return [
        ruling
        for ruling in in_force(made)
        if isinstance(ruling.decision, ChangeClock | ChangeGrace) and ruling.number not in earlier
    ]


def checked_rulings(made: Iterable[Any], event: Event) -> list[Ruling]:
    """Return rulings that were read as JSON. Raises ValueError if the event cannot have them."""
    rulings: list[Ruling] = []
    for number, one in enumerate(made, start=1):
        try:
            ruling = Ruling.model_validate(one)
        except ValidationError as error:
            why = wrong_part(error)
            raise ValueError(f"ruling {number} is none of this release: {why}") from None
        decision = ruling.decision
        entry = getattr(decision, "entry", None) or 0
        is_earlier = getattr(decision, "ruling", 0) < number
        # An assigned score in a match of teams is that of one room.
        is_of_room = (
            not isinstance(decision, Adjust)
            or decision.room is not None
            or not event.format.is_teams
            or {decision.ns.upper(), decision.ew.upper()} <= Artificial.__members__.keys()
        )
        fits = entry < len(event.entries) and is_earlier and is_of_room
        if ruling.number != number or not fits:
            raise ValueError(f"ruling {number} does not fit {event.name}")
        rulings.append(ruling)
    return rulings


class RulingsOn:
    """The rulings in force that say what counts of boards, by these boards."""

    def __init__(self, event: Event, rulings: Iterable[Ruling]) -> None:
        made = tuple(rulings)
        without_effect = replaced(event, made)
        effective = (one for one in in_force(made) if one.number not in without_effect)
        self._of_matches = _by_subject(event, effective)
        # The rulings by which substitutes are played or, once taken back, count for nobody.
        self._of_substitutes: dict[int, Ruling] = {}
        replays = {one.number: one.decision for one in made if isinstance(one.decision, Replay)}
        for ruling in made:
            number = getattr(ruling.decision, "ruling", ruling.number)
            if number in replays and not isinstance(ruling.decision, Appeal):
                self._of_substitutes[substitute(number, replays[number].board)] = ruling

    def table(self, match: str, board: int, room: Room | None) -> list[Ruling]:
        """Return the rulings that concern a board at one table, also those on its whole match."""
        of_substitute = self._of_substitutes.get(in_supply(board))
        return [
            *([] if of_substitute is None else [of_substitute]),
            *self._on(match, board, room),
        ]

    def _on(self, match: str, board: int, room: Room | None) -> list[Ruling]:
        return [
            ruling
            for ruling in self._of_matches.get(match, ())
            if getattr(ruling.decision, "board", None) in (None, board)
            and getattr(ruling.decision, "room", None) in (None, room)
        ]

"""The proof that the boards that were played are those of the commitment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bridge_arena.base.recorded_text import Problem
from bridge_arena.base.wording import plural
from bridge_arena.board_files.records import read_records
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Mode
from bridge_arena.bridge.seeds import DealKey, DealSource
from bridge_arena.tournaments import (
    Commitment,
    Event,
    Match,
    Provenance,
    Store,
    event_size,
    plan,
)
from bridge_arena.tournaments.events.boards import EXTRA, SUBSTITUTES
from bridge_arena.tournaments.events.sealed_deals import Origin, digest_of, source_of
from bridge_arena.tournaments.schedule.event_files import headers_in, records_by_event
from bridge_arena.tournaments.schedule.plan import Results
from bridge_arena.tournaments.schedule.rulings import Ruling


class ProofError(ValueError):
    """The error of an event of which nothing can be proved: one line says why."""


@dataclass(frozen=True, slots=True)
class Verdict:
    facts: tuple[str, ...]  # what was checked, for people
    mistakes: tuple[str, ...]  # what is wrong; empty if everything is proved

    @property
    def lines(self) -> list[str]:
        return [*self.facts, *(f"WRONG: {mistake}" for mistake in self.mistakes)]


def verify_store(store: Store) -> Verdict:
    """Check the boards of a store. Raises StoreError, ProofError."""
    event, boards = store.event(), store.boards()
    records = [record for _, record in store.results()]
    numbers = sorted(boards)[: event_size(event).boards] if event.boards_from is not None else []
    given = [boards[number].board for number in numbers]
    return verify(event, store.commitment(), records, given, store.rulings())


def verify_pbn(path: Path) -> list[Verdict]:
    """Check the events of a PBN file; games without record are mistakes of the first one.

    Raises BoardFileError and ProofError.
    """
    headers, problems = headers_in(path), list[Problem]()
    if not headers:
        raise ProofError(f"{path} tells of no event, so of nothing that was committed to")
    records = list(read_records(path, problems.append))
    verdicts: list[Verdict] = []
    try:
        for header, own in records_by_event(path, headers, records, problems):
            results = Results(header.event, own, header.rulings)
            given = list(_of_file(results, own))
            verdicts.append(verify(header.event, header.commitment, own, given, header.rulings))
    except ValueError as error:
        # Also of a definition that no event can have, or with other entries than the records.
        raise ProofError(f"{path}: {error}") from None
    if not verdicts:
        raise ProofError(f"{path} has no board of the events that it tells of")
    mistakes = (*map(str, problems), *verdicts[0].mistakes)
    return [replace(verdicts[0], mistakes=mistakes), *verdicts[1:]]


def verify(
    event: Event,
    commitment: Commitment | None,
    records: Sequence[BoardRecord],
    given: Sequence[Board],
    rulings: Sequence[Ruling] = (),
) -> Verdict:
    """Check an event's records, in the order of the schedule, against the commitment to its deals.

    There is none for an event of release 0.1. `given` are the boards of the event's file, as far as
    they are known, and `rulings` those of its director. Raises ProofError.
    """
    if not records:
        raise ProofError(f"no board of {event.name} is there")
    provenance = Provenance(event, commitment)
    if provenance.origin is Origin.UNKNOWN:
        raise ProofError(f"{event.name} has neither a key nor a seed")
    facts: list[str] = []
    mistakes: list[str] = []
    if commitment is not None:
        if commitment.key is None:
            raise ProofError(f"the key of {event.name} is revealed when the event is over")
        facts += [event.name, f"commitment: {commitment.digest}", f"key:        {commitment.key}"]
        if commitment.public_value:
            facts.append(f"mixed with: {event.public}: {commitment.public_value}")
        mistakes += _unfit(event, commitment, commitment.key)
    source = source_of(event, commitment)
    results = Results(event, records, rulings)
    matches = [match for round_ in plan(event, results) for match in round_.matches]
    numbers: dict[Board, int] = {}
    exchanged: list[str] = []
    if event.boards_from is not None:
        numbers = {board: number for number, board in enumerate(given, start=1)}
        if event.boards_digest is None:
            exchanged.append(f"nothing tells which boards {event.boards_from} had")
        elif digest_of(given) != event.boards_digest:
            text = f"the boards are not those, or not all those, that {event.boards_from} had"
            exchanged.append(text)
    mistakes += exchanged
    # A knock-out deals more boards than those of a file if a match ends in a tie.
    mistakes += _not_dealt(source, [record for record in records if record.board not in numbers])
    if not exchanged:
        mistakes += _not_planned(event, matches, records, numbers)
    if provenance.origin is not Origin.SEALED:
        facts.append(provenance.text)
    planned = sum(len(match.boards) * len(match.rooms) for match in matches)
    boards = plural(len({record.board for record in records}), "board")
    facts.append(f"checked: {boards} at {len(records)} of {plural(planned, 'table')}")
    missing = sum(map(results.left, matches))
    if commitment is not None and missing:
        mistakes.append(f"{plural(missing, 'table')} of the event are not there")
    if not mistakes:
        facts.append(_condition(event, commitment))
    return Verdict(tuple(facts), tuple(mistakes))


def _of_file(results: Results, records: Sequence[BoardRecord]) -> Iterator[Board]:
    """Yield the boards of an event's file in its order, as far as whole matches tell them."""
    played: dict[tuple[int, int], dict[Board, None]] = {}
    for record in records:
        played.setdefault(_match(record), {})[record.board] = None
    boards: dict[int, Board] = {}
    rounds = plan(results.event, results)
    for match in (match for round_ in rounds for match in round_.matches):
        planned = [number for number in match.boards if number <= SUBSTITUTES]
        of_match = played.get((match.round, match.number), {})
        own = [board for board in of_match if board.number <= SUBSTITUTES]
        if len(own) == len(planned):
            boards.update(zip(planned, own, strict=True))
    yield from (boards[number] for number in sorted(boards) if number <= EXTRA)


def _unfit(event: Event, commitment: Commitment, key: DealKey) -> Iterator[str]:
    if key.commitment(commitment.definition) != commitment.digest:
        yield "the commitment is not that of this key and this event"
    if event.seed is not None and key != DealKey.of_seed(event.seed):
        yield f"the key is not that of seed {event.seed}"
    if event.public is not None and not commitment.public_value:
        yield f"the value of {event.public!r} is missing"
    if event.public is None and commitment.public_value:
        yield "the deals were mixed with a text that the event does not name"


def _not_dealt(source: DealSource, records: Sequence[BoardRecord]) -> Iterator[str]:
    for record in records:
        board = record.board
        if board != Board.standard(board.number, source.deal(board.number)):
            yield f"{_where(record)}: this is not the board of that number"


def _not_planned(
    event: Event,
    matches: Sequence[Match],
    records: Sequence[BoardRecord],
    numbers: Mapping[Board, int],
) -> Iterator[str]:
    """Yield the boards that the event does not play in that match, or that were played twice."""
    planned = {(match.round, match.number): set(match.boards) for match in matches}
    keys = [
        (*_match(record), record.room, numbers.get(record.board, record.board.number))
        for record in records
    ]
    played = Counter(keys)
    for record, key in zip(records, keys, strict=True):
        if played.pop(key, 1) > 1:
            yield f"{_where(record)}: it is there twice"
        # In play mode deals that are passed out are left out, so numbers on boards that were dealt
        # may exceed the plan's.
        is_known = event.mode is not Mode.PLAY or record.board in numbers
        if is_known and key[-1] not in planned.get(_match(record), ()):
            yield f"{_where(record)}: the event plays no such board there"


def _condition(event: Event, commitment: Commitment | None) -> str:
    """Return what else must be true, which only the reader can know."""
    if commitment is None:
        return "all fits"
    text = "all fits, if this is the commitment that was published before the first card"
    return f"{text}, and this the value of {event.public}" if commitment.public_value else text


def _match(record: BoardRecord) -> tuple[int, int]:
    return record.round or 1, record.table or 1


def _where(record: BoardRecord) -> str:
    words = [f"board {record.board.number}"]
    if record.round is not None:
        words += [f"round {record.round}", f"table {record.table}"]
    if record.room is not None:
        words.append(f"{record.room.lower()} room")
    return ", ".join(words)

"""The tables of the players' times: AuctionTimeTable and PlayTimeTable.

They have a row for each call, and for each card in the order of the Play section (PBN 2.1, section
3.6). The standard's own columns count whole seconds, so these have a column of the arena's, in
milliseconds, with `-` where nothing was measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bridge_arena.bridge.deviations import Kind, NoRecordError
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, Mode
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.pbn.model import Game, Section

AUCTION, PLAY = "AuctionTimeTable", "PlayTimeTable"

_COLUMN = "Milliseconds"

_MILLISECONDS = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")

Times = tuple[tuple[float, ...], ...]
"""Milliseconds of the actions of N, E, S and W; empty where they were not measured."""


def times_sections(record: BoardRecord) -> Iterator[Section]:
    """Yield the tables that read back as the record's times, to a tenth of a millisecond."""
    if not any(record.times):
        return
    clocks = [iter(times) for times in record.times]
    if record.calls and record.mode is not Mode.PLAY:
        callers = _callers(record, len(record.calls))
        yield _section(AUCTION, [next(clocks[seat], None) for seat in callers])
    if record.cards:
        play = record.play()
        by_card = [next(clocks[seat], None) for seat in _players(play)]
        rows = [None if card is None else by_card[card] for card in _tokens(play)]
        yield _section(PLAY, rows)


def times_of(game: Game, record: BoardRecord) -> Times:
    """Return the times of a game.

    Returns:
        The times; empty if the game has none.

    Raises:
        NoRecordError: The tables do not fit the record.
    """
    if AUCTION not in game.values and PLAY not in game.values:
        return ()
    columns: list[list[float]] = [[], [], [], []]
    calls = _rows(game, AUCTION, len(record.calls))
    for seat, time in zip(_callers(record, len(calls)), calls, strict=True):
        if time is not None:
            columns[seat].append(time)
    if record.cards:
        play = record.play()
        tokens = _tokens(play)
        rows = _rows(game, PLAY, len(tokens))
        by_card = dict(zip(tokens, rows, strict=False))
        for card, seat in enumerate(_players(play)):
            time = by_card.get(card)
            if time is not None:
                columns[seat].append(time)
    return tuple(map(tuple, columns)) if any(columns) else ()


def _callers(record: BoardRecord, calls: int) -> list[Seat]:
    return [SEATS[(record.board.dealer + call) % 4] for call in range(calls)]


def _players(play: Play) -> list[Seat]:
    """Return the seat that chose each card, in playing order."""
    replayed = Play(play.contract)
    players: list[Seat] = []
    for card in play.cards:
        players.append(replayed.player)
        replayed.push(card)
    return players


def _tokens(play: Play) -> list[int | None]:
    """Return the index of each token's card in playing order; None if no card was played."""
    first = play.declarer.next
    leaders = [*(trick.leader for trick in play.tricks), play.leader]
    tokens: list[int | None] = []
    for trick in range(-(-len(play.cards) // 4)):
        row = [4 * trick + (column + first - leaders[trick]) % 4 for column in range(4)]
        tokens += [card if card < len(play.cards) else None for card in row]
    return tokens


def _section(name: str, rows: Sequence[float | None]) -> Section:
    section = Section(name, _COLUMN, 0)
    section.tokens += ["-" if time is None else f"{time:.1f}" for time in rows]
    return section


def _rows(game: Game, name: str, count: int) -> list[float | None]:
    """Return the rows of a table of the arena's.

    Returns:
        The milliseconds of each row; none if there is no such table.

    Raises:
        NoRecordError: The table does not fit.
    """
    section = game.section(name) if name in game.values else None
    if section is None or section.value != _COLUMN:
        return []
    tokens = section.tokens
    wrong = [cell for cell in tokens if cell != "-" and not _MILLISECONDS.fullmatch(cell)]
    reason = f"{wrong[0]!r} is no number of milliseconds" if wrong else ""
    if len(tokens) != count:
        reason = f"{len(tokens)} rows for {count} actions"
    if reason:
        problem = game.problem(f"not a table of times: {reason}", name)
        raise NoRecordError(Kind.TIMES, problem)
    return [None if cell == "-" else float(cell) for cell in tokens]

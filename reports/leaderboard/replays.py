"""The replay of every board, on a page for each match, or for each board where tables are
compared: hands, auction with explanations, and play with what each card cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bridge_arena.base.plural import plural
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import SUITS_DOWN, Card, Suit
from bridge_arena.bridge.record import BoardRecord, MadeCall, Mode, Room
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.oracle.ledger import Loss, TableLedger
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_game
from bridge_arena.reports.common.page import templates
from bridge_arena.reports.common.tables import SeatedTable, TablesOfBoard, TeamBoard, TeamMatch
from bridge_arena.reports.common.wording import signed
from bridge_arena.reports.leaderboard.figures import Leaderboard
from bridge_arena.reports.leaderboard.links import Links, anchors
from bridge_arena.reports.leaderboard.wording import side_names
from bridge_arena.tournaments.schedule.artificial_scores import AVERAGE_PLUS_IMPS
from bridge_arena.tournaments.schedule.table_scores import BOARD_UNITS, TableScore
from bridge_arena.tournaments.schedule.units import HOME, VISITORS

COLUMNS = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
"""The seats in the order in which auctions are written."""


@dataclass(frozen=True, slots=True)
class CallShown:
    """A call in its column. `note`: the number of its explanation, None without one."""

    made: MadeCall
    note: int | None


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card of a trick. `lost`: double-dummy tricks that it cost the side that played it."""

    card: Card
    led: bool
    won: bool
    lost: int


@dataclass(frozen=True, slots=True)
class TrickShown:
    """One trick, its cards by COLUMNS, None where none was played. `tricks`: declarer's so
    far; `dd_tricks`: all that declarer would have, were the rest played double dummy."""

    number: int
    cards: tuple[CardShown | None, ...]
    tricks: int
    dd_tricks: int | None


@dataclass(frozen=True, slots=True)
class TableShown:
    """One table of a board. `heading`: which; `sides`: who sat North-South and East-West.
    `score`: what it was worth, where tables are compared. `auction`: rows of four, None before the
    dealer's and after the last call. `remarks`: what happened beside bidding and play."""

    anchor: str
    heading: str
    sides: tuple[str, str]
    record: BoardRecord
    ledger: TableLedger | None
    score: TableScore | None
    auction: tuple[tuple[CallShown | None, ...], ...]
    notes: tuple[str, ...]
    play: tuple[TrickShown, ...]
    remarks: tuple[str, ...]
    pbn: str


@dataclass(frozen=True, slots=True)
class BoardShown:
    """One board. `result`: what it brought, in a sentence; `parts`: what that came from, each
    with its IMPs; both seen from the home team, and nothing where tables are compared."""

    anchor: str
    board: Board
    tables: tuple[TableShown, ...]
    imps: int | None
    total: int
    result: str
    parts: tuple[tuple[str, float], ...]


def replays(board: Leaderboard) -> Iterator[tuple[str, str]]:
    """The address of every page, seen from the leaderboard's folder, and the page."""
    links = Links(board)
    environment = templates(Path(__file__).parent)
    environment.globals["columns"] = COLUMNS
    environment.globals["suits"] = SUITS_DOWN
    environment.filters["holding"] = _holding
    template = environment.get_template("replays.html")
    for number, event in enumerate(board.events):
        for match in event.matches:
            if match.boards:
                page = template.render(
                    event=event.event,
                    match=match,
                    title=f"{match.names[HOME]} – {match.names[VISITORS]}",
                    boards=list(_boards_of_match(match)),
                    unit="",
                )
                yield links.of_match(number, match), page
        for tables in event.boards:
            page = template.render(
                event=event.event,
                match=None,
                title=f"Board {tables.board.number}",
                boards=[_compared(tables)],
                unit=BOARD_UNITS[event.event.scoring],
            )
            yield links.of_board(number, tables), page


def _boards_of_match(match: TeamMatch) -> Iterator[BoardShown]:
    names = anchors(board.board for board in match.boards)
    total = 0
    for board in match.boards:
        total += board.imps or 0
        anchor = names[board.board]
        rooms = [(Room.OPEN, board.open), (Room.CLOSED, board.closed)]
        tables = [
            _table(f"{anchor}-{room.lower()}", f"{room} room", table, None)
            for room, table in rooms
            if table is not None
        ]
        yield BoardShown(
            anchor,
            board.board,
            tuple(tables),
            board.imps,
            total,
            _result(board, match),
            tuple(_parts(board, match)),
        )


def _result(board: TeamBoard, match: TeamMatch) -> str:
    if board.imps is None:
        return "Not finished in both rooms: it does not count."
    if board.imps == 0:
        result = "No swing"
    else:
        winner = match.names[HOME if board.imps > 0 else VISITORS]
        result = f"{plural(abs(board.imps), 'IMP')} to {winner}"
    return f"{result}, as adjusted." if board.adjusted else f"{result}."


def _parts(board: TeamBoard, match: TeamMatch) -> Iterator[tuple[str, float]]:
    """What the IMPs came from, without what brought nothing; they add up."""
    split = board.split
    if split is None:
        return
    if split.auction:
        yield "the auction", split.auction
    for name, parts in zip(match.names, (split.first, split.second), strict=True):
        for role, value in parts.items():
            if value:
                yield f"{role} of {name}", value


def _compared(tables: TablesOfBoard) -> BoardShown:
    shown = []
    for table, score in zip(tables.tables, tables.scores, strict=True):
        round_, number = table.played.match
        anchor = f"table-{round_}-{number}"
        shown.append(_table(anchor, f"Round {round_}, table {number}", table, score))
    anchor = f"board-{tables.board.number}"
    return BoardShown(anchor, tables.board, tuple(shown), None, 0, "", ())


def _table(anchor: str, heading: str, table: SeatedTable, score: TableScore | None) -> TableShown:
    record, ledger = table.record, table.ledger
    auction, notes = _auction(record)
    return TableShown(
        anchor=anchor,
        heading=heading,
        sides=(_side(table, Side.NS), _side(table, Side.EW)),
        record=record,
        ledger=ledger,
        score=score,
        auction=auction,
        notes=notes,
        play=tuple(_play(record, ledger, table.played.values)),
        remarks=tuple(_remarks(table, ledger)),
        pbn=format_game(game_of(record)).replace("\r\n", "\n").strip(),
    )


def _side(table: SeatedTable, side: Side) -> str:
    """The entries of a side, with the players of a team who have names of their own."""
    entries, players = side_names(table.names, side), side_names(table.record.players, side)
    return entries if players in ("", entries) else f"{entries} ({players})"


def _auction(
    record: BoardRecord,
) -> tuple[tuple[tuple[CallShown | None, ...], ...], tuple[str, ...]]:
    """Rows of calls, and the explanations that they number from 1, each once."""
    numbers: dict[str, int] = {}
    cells: list[CallShown | None] = [None] * COLUMNS.index(record.board.dealer)
    for made in record.calls:
        text = str(made.explanation or "").strip()
        note = numbers.setdefault(text, len(numbers) + 1) if text else None
        cells.append(CallShown(made, note))
    cells += [None] * (-len(cells) % 4)
    rows = tuple(tuple(cells[start : start + 4]) for start in range(0, len(cells), 4))
    return (rows if record.calls else ()), tuple(numbers)


def _play(
    record: BoardRecord, ledger: TableLedger | None, values: tuple[int, ...] | None
) -> Iterator[TrickShown]:
    if record.contract is None:
        return
    lost = {loss.card: loss.tricks for loss in ledger.losses} if ledger else {}
    play = record.play()
    declarer = play.declarer.side
    leads: list[tuple[Seat, list[Card], Seat | None]] = [
        (trick.leader, list(trick.cards), trick.winner) for trick in play.tricks
    ]
    if play.trick:
        leads.append((play.leader, play.trick, None))
    taken = 0
    for number, (leader, cards, winner) in enumerate(leads):
        cells: list[CardShown | None] = [None] * 4
        for offset, card in enumerate(cards):
            seat = SEATS[(leader + offset) % 4]
            cells[COLUMNS.index(seat)] = CardShown(
                card, not offset, seat == winner, lost.get(4 * number + offset, 0)
            )
        taken += winner is not None and winner.side == declarer
        after = values[4 * number + len(cards)] if ledger and values else None
        yield TrickShown(number + 1, tuple(cells), taken, after)


def _remarks(table: SeatedTable, ledger: TableLedger | None) -> Iterator[str]:
    """Claims, faults and adjustments."""
    record, names = table.record, table.names
    if record.mode is Mode.BIDDING and record.contract is not None:
        yield "Bidding only: the tricks are double dummy."
    elif record.tricks is not None and len(record.cards) < 52:
        cards = plural(len(record.cards), "card")
        yield f"{cards} played; the result is {plural(record.tricks, 'trick')}."
    if ledger is not None:
        for loss in ledger.losses:
            if loss.card == len(record.cards):
                yield _last_step(loss)
    for fault in record.faults:
        detail = f": {fault.detail}" if fault.detail else ""
        yield f"{names[fault.seat]} ({fault.seat}), action {fault.action + 1}, {fault.kind}{detail}"
    if record.adjusted is not None:
        guilty, other = side_names(names, record.adjusted), side_names(names, record.adjusted.other)
        yield (
            f"Adjusted: average minus ({signed(-AVERAGE_PLUS_IMPS)} IMPs) for {guilty}, "
            f"average plus (+{AVERAGE_PLUS_IMPS}) for {other}."
        )
    elif not record.is_finished:
        yield "Not finished."


def _last_step(loss: Loss) -> str:
    """What the result gave away against double dummy play of the cards left."""
    who = "the defence" if loss.seat is None else "declarer"
    return f"The result cost {who} {plural(loss.tricks, 'trick')} against double dummy."


def _holding(board: Board, seat: Seat, suit: Suit) -> str:
    """The ranks of a suit, the highest first."""
    return "".join(card.rank.letter for card in board.deal[seat].suit(suit))

"""Board documents of records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from bridge_arena.base.wording import plural
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import DENOMINATIONS, Call
from bridge_arena.bridge.explanation import MOST_HCP, Explanation, Range
from bridge_arena.bridge.record import BoardRecord, Mode, RecordedThought, Room
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.ledger import Loss, TableLedger
from bridge_arena.oracle.par import Par
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_canonical
from bridge_arena.protocol.messages import ThoughtShown
from bridge_arena.reports.common.costs import CallCost, ExpectedContract
from bridge_arena.reports.common.wording import contract_text, made_text
from bridge_arena.tournaments import Played
from bridge_arena.web.board import document

LONGEST_NAME, LONGEST_TITLE = 80, 200
"""The most letters of a name and of a title that a page shows."""

LETTERS: Mapping[Seat, document.SeatLetter] = dict(zip(SEATS, ("N", "E", "S", "W"), strict=True))

_VULNERABLE: Mapping[Vulnerability, Literal["None", "NS", "EW", "Both"]] = {
    Vulnerability.NONE: "None",
    Vulnerability.NS: "NS",
    Vulnerability.EW: "EW",
    Vulnerability.ALL: "Both",
}

_ROOMS: Mapping[Room, Literal["Open", "Closed"]] = {Room.OPEN: "Open", Room.CLOSED: "Closed"}


def document_of(
    board: Board, title: str, tables: Sequence[document.Table]
) -> document.BoardDocument:
    """Return the document of a board whose four hands may be seen."""
    return document.BoardDocument(
        board=board.number,
        title=_cut(title, LONGEST_TITLE),
        dealer=LETTERS[board.dealer],
        vulnerable=_VULNERABLE[board.vulnerability],
        deal={LETTERS[seat]: str(board.deal[seat]) for seat in SEATS},
        dd=None,
        par=None,
        tables=list(tables),
    )


def figures_of(table: DoubleDummyTable, par: Par) -> document.DoubleDummyFigures:
    return document.DoubleDummyFigures(
        dd=[[table.tricks(strain, seat) for strain in DENOMINATIONS] for seat in SEATS],
        par=_par(par),
    )


def summary_of(record: BoardRecord, number: int, name: str) -> document.Table:
    """Return the part of a table that is shown before somebody looks at it."""
    table = document.Table(number=number, name=name, players=named(record.players))
    if record.room is not None:
        table["room"] = _ROOMS[record.room]
    if record.contract is not None:
        table["contract"] = str(record.contract)
        table["declarer"] = LETTERS[record.contract.declarer]
        if record.tricks is not None:
            table["tricks"] = record.tricks
            table["result"] = made_text(record.contract, record.tricks)
    elif record.is_finished:
        table["contract"] = "Pass"
    if record.score is not None:
        table["score"] = record.score
    return table


def named(players: Sequence[str]) -> dict[document.SeatLetter, str]:
    """Return names by seat; long ones are cut."""
    return {
        LETTERS[seat]: _cut(name, LONGEST_NAME) for seat, name in zip(SEATS, players, strict=True)
    }


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def cost_of_call(cost: CallCost) -> document.CallCost:
    shown = document.CallCost(
        gain=round(cost.gain, 2),
        error=round(cost.standard_error, 2),
        real=cost.real,
        isClear=cost.is_clear,
    )
    if cost.best is not None:
        shown["best"] = cost.best
    if cost.is_clear and cost.contracts:
        shown["contracts"] = [_expected(contract) for contract in cost.contracts]
        shown["bestContracts"] = [_expected(contract) for contract in cost.best_contracts]
    return shown


def _expected(contract: ExpectedContract) -> document.ExpectedContract:
    return document.ExpectedContract(
        contract=contract.contract, share=contract.share, points=contract.points
    )


def rest_of(
    played: Played, remarks: Sequence[str] = (), costs: Sequence[CallCost | None] = ()
) -> document.TableRest:
    """Return the part of a table that is shown once somebody looks at it."""
    record, ledger = played.record, played.ledger
    losses = {loss.card: loss for loss in ledger.losses} if ledger else {}
    rest = document.TableRest(
        calls=[made_call(made.call, made.explanation, alert=made.alert) for made in record.calls]
    )
    for call, cost in zip(rest["calls"], costs, strict=False):
        if cost is not None:
            call["callCost"] = cost_of_call(cost)
    rest["cards"], rest["winners"] = _play(record, losses)
    for thought in record.thoughts:
        made = [*rest["calls"], *rest["cards"]]
        if thought.action < len(made):
            made[thought.action]["thought"] = thought_of(thought)
    claim = _claim(record, losses.get(len(record.cards)))
    if claim is not None:
        rest["claim"] = claim
    if ledger is not None and record.mode is not Mode.BIDDING:
        rest["dd"] = ledger.dd_tricks
    all_remarks = [*_remarks(record, ledger), *remarks]
    if all_remarks:
        rest["remarks"] = all_remarks
    # Times are for programs, which have them in the PBN file of the event.
    game = game_of(replace(record, times=()))
    rest["pbn"] = format_canonical(game).replace("\r\n", "\n").strip()
    return rest


def _par(par: Par) -> document.ParOfBoard:
    contracts = [contract_text(at_par.contract, at_par.tricks) for at_par in par.contracts]
    return document.ParOfBoard(score=par.score, contracts=contracts)


def made_call(call: Call, explanation: Explanation | None, *, alert: bool) -> document.CallMade:
    made = document.CallMade(call=str(call))
    if alert:
        made["alert"] = True
    text = "" if explanation is None else _in_words(explanation)
    if text:
        made["explanation"] = text
    return made


def _in_words(explanation: Explanation) -> str:
    """Return an explanation as players say it: `strong (15–17 points, 2+ spades)`."""
    promises = [f"{_range(explanation.hcp, MOST_HCP)} points"] if explanation.hcp else []
    promises += [
        f"{_range(length, 13)} {suit.name.lower()}" for suit, length in explanation.lengths.items()
    ]
    promises += ["forcing"] * explanation.forcing + ["artificial"] * explanation.artificial
    text, promised = explanation.text.strip(), ", ".join(promises)
    return f"{text} ({promised})" if text and promised else text or promised


def _range(bounds: Range, most: int) -> str:
    low, high = bounds
    if low == high:
        return str(low)
    return f"{low}+" if high >= most else f"{low}–{high}"


def _play(
    record: BoardRecord, losses: Mapping[int, Loss]
) -> tuple[list[document.CardPlayed], list[document.SeatLetter]]:
    """Return the cards, and the winner of each trick."""
    if record.contract is None:
        return [], []
    play = record.play()
    cards: list[document.CardPlayed] = []
    for number, (seat, card) in enumerate(zip(play.seats, play.cards, strict=True)):
        shown = document.CardPlayed(seat=LETTERS[seat], card=str(card))
        if number in losses:
            shown["cost"] = losses[number].tricks
        cards.append(shown)
    return cards, [LETTERS[trick.winner] for trick in play.tricks]


def _claim(record: BoardRecord, loss: Loss | None) -> document.Claim | None:
    if record.mode is Mode.BIDDING or record.tricks is None or len(record.cards) == 52:
        return None
    claim = document.Claim(tricks=record.tricks)
    if loss is not None:
        claim["cost"] = loss.tricks
        claim["charged"] = "the defence" if loss.seat is None else "declarer"
    return claim


def _remarks(record: BoardRecord, ledger: TableLedger | None) -> Iterator[str]:
    """Yield how the board ended, if the cards do not show it, and its faults."""
    if record.mode is Mode.BIDDING and record.contract is not None:
        yield "Bidding only: the tricks are double dummy."
    elif record.tricks is not None and len(record.cards) < 52:
        cards = plural(len(record.cards), "card")
        yield f"{cards} played; the result is {plural(record.tricks, 'trick')}."
    for loss in () if ledger is None else ledger.losses:
        if loss.card == len(record.cards):
            who = "the defence" if loss.seat is None else "declarer"
            lost = plural(loss.tricks, "trick")
            yield f"The result cost {who} {lost} against double dummy."
    for fault in record.faults:
        detail = f": {fault.detail}" if fault.detail else ""
        name = record.players[fault.seat]
        yield f"{name} ({fault.seat}), action {fault.action + 1}, {fault.kind}{detail}"
    if not record.is_done:
        yield "Not finished."


def thought_of(thought: RecordedThought | ThoughtShown) -> document.Thought:
    """Return a thought for the document, without its empty parts."""
    shown = document.Thought()
    if thought.text:
        shown["text"] = thought.text
    if thought.candidates:
        shown["candidates"] = [
            document.Candidate(action=str(action), value=round(value, 3))
            for action, value in thought.candidates.items()
        ]
    if thought.layouts is not None:
        shown["layouts"] = thought.layouts
    if thought.depth is not None:
        shown["depth"] = thought.depth
    if thought.seconds is not None:
        shown["seconds"] = round(thought.seconds, 2)
    return shown

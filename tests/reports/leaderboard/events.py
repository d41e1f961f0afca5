"""Small events, played card by card in the process, with the solver's values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from bridge_arena.bots.library.bidding_systems import System, system
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, MadeCall
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.solver import play_values
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.event_results import EventResults, Played
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.units import HOME, VISITORS, Unit


def event(
    format_: Format,
    *names: str,
    boards: int = 2,
    scoring: Scoring = Scoring.IMPS,
    rounds: int | None = None,
    title: str = "Test",
    seed: int = 1,
) -> Event:
    entries = tuple(Entrant(bot="baseline", name=name) for name in names)
    return Event(
        name=title,
        format=format_,
        seed=seed,
        entries=entries,
        boards=boards,
        scoring=scoring,
        rounds=rounds,
    )


def play_event(event: Event) -> EventResults:
    """Every board of an event. The entries bid alike but for every other one, and play
    cards at random, each in its own way."""
    systems = [system("natural"), system("simple")]
    played: dict[str, Played] = {}
    while left := [unit for unit in _units(event, played.values()) if unit.id not in played]:
        for unit in left:
            played[unit.id] = _play(event, unit, systems)
    return EventResults(event, list(played.values()))


def _units(event: Event, played: Iterable[Played]) -> list[Unit]:
    rounds = plan(event, [each.record for each in played])
    return [unit for each in rounds for match in each.matches for unit in match.units()]


def _play(event: Event, unit: Unit, systems: list[System]) -> Played:
    board = Board.dealt(event.seed or 0, unit.board)
    north, east, south, west = (event.entries[entry].name for entry in unit.lineup)
    calls = _bid(board, [systems[entry % len(systems)] for entry in unit.lineup])
    contract = Auction(board.dealer, (made.call for made in calls)).contract
    record = BoardRecord(
        board,
        (north, east, south, west),
        calls=tuple(calls),
        contract=contract,
        score=0,
        event=event.name,
        date="2026.01.01",
        room=unit.room,
        home=_team(event, unit, HOME),
        visitors=_team(event, unit, VISITORS),
        round=unit.match.round,
        table=unit.match.number,
        times=tuple((10.0 * (1 + entry),) for entry in unit.lineup),
    )
    if contract is None:
        return Played(record)
    play = Play(contract)
    hands = list(board.deal.hands)
    generators = [Random(f"{entry} {board.number}") for entry in unit.lineup]
    while not play.is_over:
        turn = play.turn
        card = generators[play.player].choice(list(play.legal_cards(hands[turn])))
        hands[turn] = hands[turn].without(card)
        play.push(card)
    tricks = play.declarer_tricks
    score = score_ns(contract, tricks, board.vulnerability)
    record = replace(record, cards=tuple(play.cards), tricks=tricks, score=score)
    return Played(record, play_values(board.deal, contract, record.cards))


def _team(event: Event, unit: Unit, at: int) -> str:
    return event.entries[unit.match.entries[at]].name if unit.room else ""


def _bid(board: Board, bidders: list[System]) -> list[MadeCall]:
    auction = Auction(board.dealer)
    calls: list[MadeCall] = []
    while not auction.is_over:
        turn = auction.turn
        calls.append(bidders[turn].choose(board.deal[turn], auction, board.vulnerability))
        auction.push(calls[-1].call)
    return calls


def units(event: Event) -> list[Unit]:
    """The units of an event that does not depend on results."""
    return _units(event, ())


def result(
    event: Event,
    unit: Unit,
    contract: str = "",
    declarer: str = "N",
    tricks: int = 0,
    dd_tricks: int | None = None,
) -> Played:
    """A board without its play: what is lost against `dd_tricks` was lost at the end, by
    declarer or the defence. Without a contract it was passed out."""
    board = Board.dealt(event.seed or 0, unit.board)
    bid = Contract.parse(contract, Seat.parse(declarer)) if contract else None
    taken = tricks if bid else None
    north, east, south, west = (event.entries[entry].name for entry in unit.lineup)
    record = BoardRecord(
        board,
        (north, east, south, west),
        contract=bid,
        tricks=taken,
        score=score_ns(bid, taken, board.vulnerability),
        event=event.name,
        room=unit.room,
        home=_team(event, unit, HOME),
        visitors=_team(event, unit, VISITORS),
        round=unit.match.round,
        table=unit.match.number,
    )
    return Played(record, None if dd_tricks is None else (dd_tricks,))


def lost(event: Event, unit: Unit, seat: str, *, adjusted: bool = True) -> Played:
    """A board that could not be finished, because the player of `seat` crashed."""
    record = replace(result(event, unit).record, score=None)
    fault = Fault(Seat.parse(seat), FaultKind.CRASH, 0, "it crashed")
    side = fault.seat.side if adjusted else None
    return Played(replace(record, faults=(fault,), adjusted=side))


def worked_event() -> EventResults:
    """Three boards, alpha (home) against beta, with every figure worked out by hand.

    1, nobody vulnerable. Alpha makes 4S, 420. Beta plays 3S a trick below double dummy,
       140: +7. Double dummy 420 - 170: auction +6, beta's declarer play +1.
    2, North-South vulnerable. Beta's 3NT is one down double dummy, but alpha's defence
       gives it, -400; the closed room passes out: -9. Auction +2 (50), the defence -11.
    3, East-West vulnerable. 1NT made, 90; in the closed room alpha's defence gives beta an
       overtrick, 120: -1.
    """
    match = event(Format.MATCH, "alpha", "beta", boards=3)
    rooms = units(match)
    played = [
        result(match, rooms[0], "4S", "N", 10, 10),
        result(match, rooms[1], "3S", "N", 9, 10),
        result(match, rooms[2], "3NT", "E", 9, 8),
        result(match, rooms[3]),
        result(match, rooms[4], "1NT", "S", 7, 7),
        result(match, rooms[5], "1NT", "S", 8, 7),
    ]
    return EventResults(match, played)

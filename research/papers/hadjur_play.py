"""Play MiniBridge deals with a bot as declarer and rule-based defenders."""

from __future__ import annotations

from random import Random
from typing import Any

from bridge_arena.bots.library.minibridge import Defence
from bridge_arena.bots.library.minibridge.game import DEFENCES, DUMMY, Game, MiniDeal
from bridge_arena.bots.library.minibridge.games import play_stream
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.calls import Call, Contract
from bridge_arena.bridge.cards import CARDS, Card, Deal, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import best_tricks
from bridge_arena.protocol.messages import (
    AuctionEnd,
    BoardStart,
    CallMade,
    CardPlayed,
    DummyShown,
    Message,
    TrickEnd,
)
from bridge_arena.protocol.view import View

_TABLE: dict[str, Any] = {"table": "hadjur", "board": 1, "seq": 1}


def seated(deal: MiniDeal) -> Deal:
    """Return the deal with declarer in South's seat."""
    south, west, north, east = map(Hand, deal.hands)
    return Deal((north, east, south, west))


def margin_of_bot(bot: Bot, deal: MiniDeal, defence: Defence, number: int, seed: int) -> int:
    """Return the tricks above the contract that a bot takes as South, who has opened it.

    `number` is that of the deal, and `seed` that of the random choices. Raises ValueError where the
    bot asks a question.
    """
    rng = play_stream(seed, number)
    bot.rng = Random(rng.random())
    contract = f"{deal.target - 6}NT"
    view = _view(deal, contract, int(rng.random() * 2**53))
    bot.board_started(view)
    play = Play(Contract.parse(contract, Seat.SOUTH))
    game = Game(deal.hands)
    defend = DEFENCES[defence]
    while not game.is_over:
        if game.turn & 1:
            card = CARDS[defend(game, rng)]
        else:
            chosen = bot.play(view)
            if not isinstance(chosen, Card):
                raise ValueError(f"{bot.name} asks a question in the play")
            card = chosen
        for event in _events(play, card, deal):
            view.apply(event)
        game.play(card)
    return game.won - deal.target


def solved_margin(deal: MiniDeal) -> int:
    """Return the double-dummy tricks above the contract. Raises SolverError."""
    position = Position(seated(deal).hands, None, Seat.WEST)
    return 13 - best_tricks(position) - deal.target


def _view(deal: MiniDeal, contract: str, seed: int) -> View:
    start = BoardStart(
        **_TABLE,
        dealer=Seat.SOUTH,
        vulnerability=Vulnerability.NONE,
        hand=Hand(deal.hands[0]),
        seed=seed,
    )
    view = View(Seat.SOUTH, start)
    for place, text in enumerate((contract, "Pass", "Pass", "Pass")):
        view.apply(CallMade(**_TABLE, seat=SEATS[(Seat.SOUTH + place) % 4], call=Call(text)))
    view.apply(AuctionEnd(**_TABLE, contract=contract, declarer=Seat.SOUTH))
    return view


def _events(play: Play, card: Card, deal: MiniDeal) -> list[Message]:
    """Return the messages that tell South of a card."""
    events: list[Message] = [CardPlayed(**_TABLE, seat=play.turn, card=card)]
    trick = play.push(card)
    if len(play.cards) == 1:
        events.append(DummyShown(**_TABLE, seat=play.dummy, hand=Hand(deal.hands[DUMMY])))
    if trick is not None:
        events.append(TrickEnd(**_TABLE, winner=trick.winner))
    return events

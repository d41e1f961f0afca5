"""Play as declarer by a rule or two, for the comparison in Hadjur's benchmark."""

from __future__ import annotations

from random import Random

from bridge_arena.bots.library.minibridge.game import Game, Player


def highest(game: Game, rng: Random) -> int:
    """Return the highest legal card, whatever the trick."""
    del rng
    return max(_cards(game.legal()), key=_by_rank)


def lowest(game: Game, rng: Random) -> int:
    """Return the lowest legal card, whatever the trick."""
    del rng
    return min(_cards(game.legal()), key=_by_rank)


def frugal(game: Game, rng: Random) -> int:
    """Return the highest card; as last to play, the cheapest that takes the trick.

    As last to play, return the lowest where the trick cannot be taken, or is partner's already.
    """
    legal = game.legal()
    if len(game.trick) > 1 and not game.winner & 1:
        return lowest(game, rng)
    if len(game.trick) == 3:
        takers = [card for card in _cards(legal) if game.best < card < game.best // 13 * 13 + 13]
        return min(takers) if takers else lowest(game, rng)
    return highest(game, rng)


def _cards(mask: int) -> list[int]:
    return [card for card in range(52) if mask >> card & 1]


def _by_rank(card: int) -> tuple[int, int]:
    return card % 13, card


RULED: dict[str, Player] = {"highest": highest, "lowest": lowest, "frugal": frugal}

"""The individual movement: everyone partners each other once and opposes each other twice.

Whist tournaments, solved by E. H. Moore, Tactical Memoranda, American Journal of Mathematics 18
(1896), exist for 4k players and, with one sitting out in each round, for 4k + 1. With 4 or 5 no
board has a second table to compare with, so an individual takes 8 or more. The movements here are
cyclic: all rounds follow from the first, in which each number goes up by one every round. For that
the partners in the first round must have all differences once, and the opponents all twice (Ian
Anderson, Combinatorial Designs and Tournaments, 1997).
"""

from __future__ import annotations

from collections.abc import Iterator

from bridge_arena.tournaments.formats.sitting import Four

Seats = tuple[int, int, int, int]

FOUND = {
    8: "7 5 0 1, 6 3 4 2",
    9: "1 6 2 3, 4 7 8 5",
    12: "11 5 0 9, 4 8 7 10, 2 1 3 6",
    16: "15 14 0 3, 8 1 11 9, 10 6 12 5, 13 7 4 2",
    20: "19 18 0 2, 8 12 17 14, 16 4 11 5, 7 10 15 6, 9 1 3 13",
    21: "8 15 12 14, 11 13 19 7, 18 9 20 4, 1 2 10 5, 16 17 6 3",
    24: "23 4 0 5, 2 13 16 3, 7 9 1 12, 18 21 11 17, 10 19 15 8, 6 20 14 22",
    28: "27 25 0 9, 12 8 3 13, 4 24 11 1, 23 21 6 7, 14 19 15 22, 17 26 5 20, 16 2 18 10",
    32: (
        "31 1 0 28, 22 2 19 17, 26 10 3 12, 27 24 6 4, 25 15 7 29, 14 13 23 8, "
        "11 18 5 30, 16 20 9 21"
    ),
    33: (
        "10 15 21 6, 19 4 25 18, 28 31 12 5, 32 2 24 23, 29 8 16 7, 26 13 11 9, 22 17 27 14, "
        "30 1 20 3"
    ),
    36: (
        "35 34 0 12, 3 30 29 25, 9 32 16 31, 20 27 1 15, 8 26 33 24, 21 10 6 4, 2 5 13 23, "
        "19 14 11 17, 22 7 18 28"
    ),
    40: (
        "39 13 0 26, 36 18 19 24, 30 15 31 33, 12 6 28 21, 25 29 20 1, 10 35 8 16, 4 14 11 22, "
        "34 23 9 32, 37 17 27 5, 7 38 3 2"
    ),
}
"""The seats, N E S W, at the tables of a first round, found by search, for the numbers of players
that have no formula. With 4k players the last one keeps its seat. The tables for 40 players were
found by a symmetry: 16 times a table is again a table (modulo 39, where 16 has the order 3), so
that three tables give nine."""

NUMBERS = sorted({*FOUND, 13, 17, 25, 29, 37, 41})
"""The numbers of players that have a movement: all of a whist tournament from 8 to 41."""


def individual(players: int) -> list[list[Four]]:
    """Return the rounds of an individual movement.

    4k players play 4k - 1 rounds and every set. 4k + 1 players play that many rounds, and player r
    sits out round r. All tables of a round play the same set, which has the number of the round.
    Everyone sits in each seat equally often, except that of 4k players the last is always North,
    and each other is North once less.

    Args:
        players: The number of players, one of NUMBERS.

    Returns:
        The tables of each round.

    Raises:
        ValueError: There is no movement for that number of players.
    """
    if players not in NUMBERS:
        raise ValueError(
            f"format individual takes {', '.join(map(str, NUMBERS))} entries, not {players}"
        )
    if players in FOUND:
        first = list(_read(FOUND[players]))
    else:
        first = list(_by_formula(players))
    return [
        [
            Four(table, _moved(seats, number, players), number)
            for table, seats in enumerate(first, start=1)
        ]
        for number in range(players - (players % 4 == 0))
    ]


def _read(tables: str) -> Iterator[Seats]:
    for table in tables.split(", "):
        north, east, south, west = map(int, table.split())
        yield north, east, south, west


def _by_formula(players: int) -> Iterator[Seats]:
    """Yield the tables of the first round by the formula of Bose and Cameron.

    It serves the odd numbers modulo which -1 is the square of some `root` (R. C. Bose and J. M.
    Cameron, The bridge tournament problem, Journal of Research of the National Bureau of Standards
    69B, 1965).

    Each table is the four products of a number with the powers of the root, opposite ones as
    partners. The differences are again such fours: of partners those of 2x, once; of opponents
    those of (1 - root)x, twice. For all x together these are all numbers, as 2 and 1 - root have
    inverses: 2 = (1 - root)(1 + root), and the modulus is odd.

    Yields:
        The seats of each table.
    """
    root = next(root for root in range(players) if (root * root + 1) % players == 0)
    seated: set[int] = set()
    for north in range(1, players):
        if north not in seated:
            east = north * root % players
            table = (north, east, players - north, players - east)
            seated.update(table)
            yield table


def _moved(seats: Seats, rounds: int, players: int) -> Seats:
    """Return the players who sit at a table some rounds later."""
    north, east, south, west = (_followed(player, rounds, players) for player in seats)
    return north, east, south, west


def _followed(player: int, rounds: int, players: int) -> int:
    """Return the player who comes to a player's seat some rounds later.

    Nine players have no movement modulo nine: their two digits to base three go round separately,
    as in the field of nine elements.

    Returns:
        The number of the player.
    """
    if players == 9:
        return (player // 3 + rounds // 3) % 3 * 3 + (player + rounds) % 3
    if players % 4 == 1:
        return (player + rounds) % players
    stays = players - 1
    return player if player == stays else (player + rounds) % stays

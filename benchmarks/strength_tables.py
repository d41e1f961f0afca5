"""Tell the strength of the bots in tables: the same ones in the benchmarks and the documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.figures import table
from bridge_arena.bots.strength import REFERENCE, Doubled, Figure, Matches, Strength, against
from bridge_arena.reports.common.wording import p_text

Row = Sequence[str]


def tables(strength: Strength) -> str:
    """Return all tables, with a line above each that says what it shows."""
    parts: list[str] = []
    if strength.bidding:
        parts += [
            "**Bidders against each other**: the IMPs a board of the row against the column, "
            "double dummy, and the number of boards in both rooms.",
            _cross(strength.bidding),
        ]
    if strength.doubled:
        parts += [
            "**Doubled** in these matches: the share of tables at which the bidder of the row "
            "declares doubled or redoubled, against the column.",
            _shares(strength.doubled),
        ]
    if strength.par:
        own = strength.par[REFERENCE]
        parts += [
            f"**Bidders beside {REFERENCE}**, four of a kind on {own.missed.boards:,} of its "
            "deals: the IMPs between the double-dummy score of their contracts and par. "
            f"{own.possible} sides should bid a slam: they can take twelve tricks, and their two "
            "hands promise it.",
            table(
                [
                    *("contracts of", "IMPs from par", "more", ""),
                    *("doubled", f"slams bid of {own.possible}", "slams that go down"),
                ],
                [*_contracts(strength)],
            ),
        ]
    if strength.pairs:
        pairs = next(iter(strength.pairs.values())).boards
        parts += [
            f"**Bidders without opponents**: the IMPs of {pairs:,} pairs below the best contract.",
            table(
                ["contracts of", "IMPs a pair"],
                [[_name(name), cost.text()] for name, cost in strength.pairs.items()],
            ),
        ]
    if strength.play:
        parts += [
            "**Players against each other** in the same contracts: the IMPs a board of the row "
            "against the column, and the number of boards in both rooms.",
            _cross(strength.play),
        ]
    if strength.lost:
        parts += [
            f"**Players beside {REFERENCE}**, four of a kind after its auctions: the double-dummy "
            "tricks lost a board.",
            table(
                [
                    *("tricks lost by", "boards", "opening lead", "declarer play", "defence"),
                    *("together", "more on the same boards", ""),
                ],
                [*_lost(strength)],
            ),
        ]
    return "\n\n".join(parts)


def _cross(matches: Matches) -> str:
    names = list(dict.fromkeys(name for one, row in matches.items() for name in (one, *row)))

    def cell(figure: Figure | None) -> str:
        return "" if figure is None else f"{figure.text('+')} ({figure.boards:,})"

    rows = [[_name(one), *(cell(against(matches, one, other)) for other in names)] for one in names]
    return table(["", *map(_name, names)], rows)


def _shares(shares: Doubled) -> str:
    rows = [
        [_name(one), *(f"{row[other]:.1%}" if other in row else "" for other in shares)]
        for one, row in shares.items()
    ]
    return table(["", *map(_name, shares)], rows)


def _contracts(strength: Strength) -> Iterator[Row]:
    for name, reached in strength.par.items():
        counts = f"{reached.doubled:.1%}", f"{reached.slams}", f"{reached.down}"
        yield _name(name), reached.missed.text(), *_more(reached.more), *counts


def _lost(strength: Strength) -> Iterator[Row]:
    for name, lost in strength.lost.items():
        parts = [part.text() for part in (lost.lead, lost.declarer, lost.defence, lost.together)]
        yield _name(name), f"{lost.together.boards:,}", *parts, *_more(lost.more)


def _more(more: Figure | None) -> Row:
    if more is None:
        return "", ""
    return more.text("+"), "" if more.p is None else p_text(more.p)


def _name(name: str) -> str:
    return name if name[0].isupper() or " " in name else f"`{name}`"

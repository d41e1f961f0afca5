"""Tell the strength of the bots in tables: the same ones in the benchmarks and the documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.markdown_table import table
from bridge_arena.bots.strength import Figure, Matches, Strength, against
from bridge_arena.reports.common.wording import p_text

Row = Sequence[str]


def tables(strength: Strength) -> str:
    """Return all tables, with a line above each that says what it shows."""
    boards = next(iter(strength.par.values())).missed.boards
    pairs = next(iter(strength.pairs.values())).boards
    possible = next(iter(strength.par.values())).possible
    parts = [
        "**Bidders against each other**: the IMPs a board of the row against the column, double "
        f"dummy, {_boards(strength.bidding)} boards in both rooms.",
        _cross(strength.bidding, with_boards=False),
        f"**Bidders beside {_reference(strength)}**, four of a kind on {boards:,} of its deals: "
        "the IMPs between the double-dummy score of their contracts and par.",
        table(
            [
                *("contracts of", "IMPs from par", "more", ""),
                *("doubled", f"slams bid of {possible}", "slams that go down"),
            ],
            [*_contracts(strength)],
        ),
        f"**Bidders without opponents**: the IMPs of {pairs:,} pairs below the best contract.",
        table(
            ["contracts of", "IMPs a pair"],
            [[_name(name), each.text()] for name, each in strength.pairs.items()],
        ),
        "**Players against each other** in the same contracts: the IMPs a board of the row against "
        "the column, and the number of boards in both rooms.",
        _cross(strength.play, with_boards=True),
        f"**Players beside {_reference(strength)}**, four of a kind after its auctions: the "
        "double-dummy tricks lost a board.",
        table(
            [
                *("tricks lost by", "boards", "opening lead", "declarer play", "defence"),
                *("together", "more on the same boards", ""),
            ],
            [*_lost(strength)],
        ),
    ]
    return "\n\n".join(parts)


def _reference(strength: Strength) -> str:
    return next(iter(strength.par))


def _boards(matches: Matches) -> str:
    numbers = sorted({each.boards for row in matches.values() for each in row.values()})
    return " or ".join(f"{number:,}" for number in numbers)


def _cross(matches: Matches, *, with_boards: bool) -> str:
    names = list(dict.fromkeys([*matches, *(name for row in matches.values() for name in row)]))

    def cell(figure: Figure | None) -> str:
        if figure is None:
            return ""
        return figure.text("+") + (f" ({figure.boards:,})" if with_boards else "")

    rows = [[_name(one), *(cell(against(matches, one, other)) for other in names)] for one in names]
    return table(["", *map(_name, names)], rows)


def _contracts(strength: Strength) -> Iterator[Row]:
    for name, each in strength.par.items():
        counts = f"{each.doubled:.1%}", f"{each.slams}", f"{each.down}"
        yield _name(name), each.missed.text(), *_more(each.more), *counts


def _lost(strength: Strength) -> Iterator[Row]:
    for name, each in strength.lost.items():
        parts = [part.text() for part in (each.lead, each.declarer, each.defence, each.together)]
        yield _name(name), f"{each.together.boards:,}", *parts, *_more(each.more)


def _more(more: Figure | None) -> Row:
    if more is None:
        return "", ""
    return more.text("+"), "" if more.p is None else p_text(more.p)


def _name(name: str) -> str:
    return name if name[0].isupper() or " " in name else f"`{name}`"

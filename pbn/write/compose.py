"""Board records as games, ready for `pbn.write.writer`.

It is the inverse of `pbn.read.records`: names and explanations are kept as far as `portable`
allows, everything else exactly.
"""

from __future__ import annotations

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.cards import CARD_TEXTS
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, MadeCall, Mode
from bridge_arena.bridge.seats import Side
from bridge_arena.pbn.annotations import comment_of, note_of, portable
from bridge_arena.pbn.arena_tables import action_sections, cards_in_rows, times_sections
from bridge_arena.pbn.model import Game, Section, Tag
from bridge_arena.pbn.read.lexer import escape
from bridge_arena.pbn.values import value_of

ADJUSTED = "ArenaAdjusted"
"""The supplemental tag of a board that could not be finished and got an artificial score
(Law 12C2)."""

ADJUSTMENTS = {
    Side.NS: "NS average minus, EW average plus",
    Side.EW: "NS average plus, EW average minus",
}

DESCRIPTIONS = {
    Mode.BIDDING: "bidding only: the result is double dummy",
    Mode.PLAY: "card play only: the auction was given",
}
"""The Description, a tag of free text (section 4.1), of records whose players did not
decide everything."""

NOTES = 32
"""The most notes that one section may have (PBN 2.1, section 3.9)."""

_LONGEST_NOTE = 240  # columns of an escaped text on a line of its own


def game_of(record: BoardRecord) -> Game:
    """Return the game that reads back as a record, in canonical form.

    It has the tags `[Event]` to `[VisitTeam]`, the auction with its notes, the play, and tables of
    questions and faults and of times.
    """
    game = Game()
    for name, value in _values(record).items():
        game.add(Tag(name, value, 0))
    if record.calls or record.contract is not None:
        section, notes = _auction(record)
        game.add(section)
        for number, text in enumerate(notes, 1):
            game.add(Tag("Note", f"{number}:{text}", 0))
    if record.cards:
        game.add(_play(record.play()))
    for table in (*action_sections(record), *times_sections(record)):
        game.add(table)
    return game


def _values(record: BoardRecord) -> dict[str, str]:
    board, contract = record.board, record.contract
    north, east, south, west = map(_written, record.players)
    auction = Auction(board.dealer, (made.call for made in record.calls))
    passed_out = contract is None and (
        auction.is_passed_out or (not record.calls and record.is_finished)
    )
    not_known = "" if passed_out else "?"
    score = "?" if record.calls or contract else ""
    values = {
        "Event": _written(record.event),
        "Site": "?",
        "Date": _written(record.date),
        "Board": str(board.number),
        "West": west,
        "North": north,
        "East": east,
        "South": south,
        "Dealer": board.dealer.letter,
        "Vulnerable": str(board.vulnerability),
        "Deal": board.deal.format(board.dealer),
        "Scoring": _written(record.scoring),
        "Declarer": contract.declarer.letter if contract else not_known,
        "Contract": str(contract) if contract else "Pass" if passed_out else "?",
        "Result": not_known if record.tricks is None else str(record.tricks),
    }
    # In the order of an export (section 3.5).
    supplemental = {
        ADJUSTED: None if record.adjusted is None else ADJUSTMENTS[record.adjusted],
        "Description": DESCRIPTIONS.get(record.mode),
        "HomeTeam": record.home and _written(record.home),
        "Room": record.room,
        "Round": record.round,
        "Score": score if record.score is None else f"NS {record.score}",
        "Table": record.table,
        "VisitTeam": record.visitors and _written(record.visitors),
    }
    given = {name: str(value) for name, value in supplemental.items() if value not in (None, "")}
    return values | given


def _written(text: str) -> str:
    return value_of(portable(text))


def _auction(record: BoardRecord) -> tuple[Section, list[str]]:
    """Return the Auction section and the texts of its notes, numbered from 1."""
    section = Section("Auction", record.board.dealer.letter, 0)
    numbers: dict[str, int] = {}
    for made in record.calls:
        section.tokens.append(str(made.call))
        section.tokens += _annotation(made, numbers)
    if not Auction(record.board.dealer, (made.call for made in record.calls)).is_over:
        section.tokens.append("*")
    return section, list(numbers)


def _annotation(made: MadeCall, numbers: dict[str, int]) -> list[str]:
    """Return a call's note reference, the same for the same text; a comment if notes are full."""
    note = note_of(made)
    if note is None:
        return []
    if note not in numbers:
        if len(numbers) == NOTES or len(escape(note)) > _LONGEST_NOTE:
            return [comment_of(note)]
        numbers[note] = len(numbers) + 1
    return [f"={numbers[note]}="]


def _play(play: Play) -> Section:
    section = Section("Play", play.declarer.next.letter, 0)
    section.tokens += [
        "-" if card is None else CARD_TEXTS[play.cards[card]] for card in cards_in_rows(play)
    ]
    if len(section.tokens) < 52:
        section.tokens.append("*")
    return section

"""Games annotated by the oracle: the table, par, and a comment at each card that lost a trick."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.bridge.calls import Denomination
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import Par
from bridge_arena.pbn.model import Game, Section
from bridge_arena.pbn.tables import PbnTable
from bridge_arena.pbn.values import parse_card
from bridge_arena.pbn.write.edit import resolved, with_comments, with_table, with_tags
from bridge_arena.recorded.analysis.findings import Finding

TABLE, SCORE = "OptimumResultTable", "OptimumScore"

_COLUMNS = "Declarer;Denomination\\2R;Result\\2R"


def annotate(finding: Finding, *, is_alone: bool = False) -> Game:
    """Return a copy of the game with the annotations for which there are answers.

    Everything else keeps its bytes. Only a game that cannot be edited in this way is put into
    export form, and one that is to stand alone, so that its meaning does not depend on its file.
    One that has no export form is returned as it is.
    """
    game = finding.entry.game
    for edited in [resolved(game)] if is_alone else [game, resolved(game)]:
        with suppress(RecordedTextError):
            return _annotated(edited, finding)
    return game


def _annotated(game: Game, finding: Finding) -> Game:
    tags = {} if finding.par is None else {SCORE: _score_text(finding.par)}
    game = with_tags(game, tags)
    if finding.table is not None:
        game = with_table(game, TABLE, _result_table(finding.table))
    play, record = game.section("Play"), finding.entry.record
    if play is not None and record is not None and finding.ledger is not None:
        game = with_comments(game, dict(_comments(finding, record, play)))
    return game


def _result_table(table: DoubleDummyTable) -> PbnTable:
    """Return the table with rows as dealing programs write them: N S E W, each NT S H D C."""
    cells = [
        cell
        for seat in (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
        for denomination in reversed(Denomination)
        for cell in (str(seat), str(denomination), str(table.tricks(denomination, seat)))
    ]
    return PbnTable.of(_COLUMNS, cells)


def _score_text(best: Par) -> str:
    return f"NS {best.score}" if best.score >= 0 else f"EW {-best.score}"


def _comments(
    finding: Finding, record: BoardRecord, play: Section
) -> Iterator[tuple[tuple[str, int], str]]:
    """Yield the comments, each with the place of the token that it stands behind."""
    # The token is the costly card, or the last of the tokens that annotate it already.
    places = _places(play)
    for number, text in _texts(finding, record).items():
        place = places[record.cards[number]]
        end = place + 1
        while end < len(play.tokens) and play.tokens[end][0] in "=$!?{;":
            end += 1
        behind = play.tokens[place + 1 : end]
        if f"{{{text}}}" not in (" ".join(token.split()) for token in behind):
            yield ("Play", end - 1), text


def _texts(finding: Finding, record: BoardRecord) -> dict[int, str]:
    """Return what each costly card cost, by its number."""
    # The cost of a claim is told at the last card.
    assert finding.ledger is not None
    assert finding.values is not None
    texts: dict[int, str] = {}
    for loss in finding.ledger.losses:
        loser = "the defenders" if loss.seat is None else loss.seat.name.capitalize()
        cost = f"{loss.tricks} trick{'s' * (loss.tricks > 1)}"
        if loss.card < len(record.cards):
            after = finding.values[loss.card + 1]
            text = f"{record.cards[loss.card]} costs {loser} {cost} ({loss.role})"
        else:
            after = record.tricks or 0
            text = f"the result costs {loser} {cost}"
        card = min(loss.card, len(record.cards) - 1)
        before = f"{texts[card]}; " if card in texts else "DD: "
        texts[card] = f"{before}{text}, declarer then has {after}"
    return texts


def _places(play: Section) -> dict[Card, int]:
    """Return the place of every card among the tokens, whatever the order of the rows."""
    places: dict[Card, int] = {}
    for place, token in enumerate(play.tokens):
        with suppress(NotationError):
            places.setdefault(parse_card(token), place)
    return places

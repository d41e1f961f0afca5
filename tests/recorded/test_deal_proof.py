"""The proof that an event played the boards that it was committed to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Vulnerability
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_game
from bridge_arena.recorded.deal_proof import ProofError, Verdict, verify, verify_pbn
from bridge_arena.tournaments.events.boards import SUBSTITUTES
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.events.sealed_deals import Commitment, Sealing, digest_of
from bridge_arena.tournaments.formats.rules import Deals, Format
from bridge_arena.tournaments.schedule.event_files import header_of
from bridge_arena.tournaments.schedule.plan import Results, plan
from bridge_arena.tournaments.schedule.rulings import Replay
from tests.tournaments.ruled import rulings, taken_back
from tests.tournaments.scores import event, lost, play_out, record, units_of

SEALED = event(Format.ROUND_ROBIN, 4, seed=None)
KEY = DealKey(bytes(32))


def opened(whole: Event, key: DealKey | None = KEY, public_value: str = "") -> Commitment:
    """The commitment to an event, with its key."""
    sealing = Sealing.of(whole, key, public_value)
    return Commitment(sealing.definition, sealing.digest, public_value, sealing.key)


def played(whole: Event, board: Callable[[int], Board] = KEY.board) -> list[BoardRecord]:
    """All boards of an event, as a source deals them."""
    records = play_out(whole, lambda unit: record(whole, unit)).values()
    return [replace(each, board=board(each.board.number)) for each in records]


def proof(whole: Event, records: list[BoardRecord], commitment: Commitment | None) -> Verdict:
    return verify(whole, commitment, records, ())


def pbn_of(whole: Event, records: list[BoardRecord], folder: Path) -> Path:
    path = folder / "event.pbn"
    games = "".join(format_game(game_of(each)) for each in records)
    path.write_bytes((header_of(whole, opened(whole)) + games).encode("latin-1"))
    return path


def test_an_event_that_was_played_as_committed_to_has_no_mistake() -> None:
    verdict = proof(SEALED, played(SEALED), opened(SEALED))
    assert verdict.mistakes == ()
    assert "checked: 2 boards at 24 of 24 tables" in verdict.facts


@pytest.mark.parametrize("format_", [Format.SWISS, Format.KNOCK_OUT, Format.PAIRS, Format.MATCH])
def test_events_of_every_format_can_be_proved(format_: Format) -> None:
    whole = event(format_, 2 if format_ is Format.MATCH else 6, seed=None, rounds=2)
    assert proof(whole, played(whole), opened(whole)).mistakes == ()


@pytest.mark.parametrize("format_", [Format.ROUND_ROBIN, Format.PAIRS])
def test_boards_that_were_played_instead_of_others_are_proved(
    format_: Format, tmp_path: Path
) -> None:
    whole = event(format_, 4, seed=None)
    before = played(whole)
    first = before[0]
    made = rulings([Replay(match=f"{first.round}/{first.table}", board=first.board.number)])
    units = units_of(plan(whole, Results(whole, before, made)))
    new = [record(whole, unit) for unit in units if unit.board > SUBSTITUTES]
    assert len(new) == 2
    records = [
        *before,
        *(replace(one, board=KEY.board(one.board.number)) for one in new),
    ]
    path = tmp_path / "event.pbn"
    games = "".join(format_game(game_of(one)) for one in records)
    path.write_bytes((header_of(whole, opened(whole), made) + games).encode("latin-1"))
    assert [one.mistakes for one in verify_pbn(path)] == [()]
    (mistake,) = verify(whole, opened(whole), records[:-1], (), made).mistakes
    assert mistake == "1 table of the event are not there"
    records[-1] = replace(records[-1], board=Board.dealt(1, records[-1].board.number))
    (mistake,) = verify(whole, opened(whole), records, (), made).mistakes
    assert "this is not the board of that number" in mistake
    assert verify(whole, opened(whole), records, ()).mistakes


def test_one_board_of_another_deal_is_named() -> None:
    records = played(SEALED)
    records[5] = replace(records[5], board=replace(records[5].board, deal=KEY.deal(77)))
    (mistake,) = proof(SEALED, records, opened(SEALED)).mistakes
    where = records[5]
    assert mistake == (
        f"board {where.board.number}, round {where.round}, table {where.table}, "
        f"{str(where.room).lower()} room: this is not the board of that number"
    )


def test_a_board_of_another_vulnerability_is_named() -> None:
    records = played(SEALED)
    wrong = replace(records[0].board, vulnerability=Vulnerability.ALL)
    assert proof(SEALED, [replace(records[0], board=wrong)], opened(SEALED)).mistakes


def test_a_board_that_the_event_does_not_play_there_is_named() -> None:
    records = played(SEALED)
    records[0] = replace(records[0], board=KEY.board(9))
    (mistake,) = proof(SEALED, records, opened(SEALED)).mistakes
    assert "the event plays no such board there" in mistake


def test_a_board_that_was_played_again_is_named() -> None:
    """An organiser who did not like the first result does this."""
    records = played(SEALED)
    (mistake,) = proof(SEALED, [*records, records[3]], opened(SEALED)).mistakes
    assert "it is there twice" in mistake


def test_boards_that_are_missing_are_named() -> None:
    """An organiser drops a match that did not go well."""
    (mistake,) = proof(SEALED, played(SEALED)[:-2], opened(SEALED)).mistakes
    assert mistake == "2 tables of the event are not there"


def test_a_missing_match_is_named_where_another_entry_was_withdrawn(tmp_path: Path) -> None:
    """What the withdrawn entry did not play is not missed, but the matches of others are."""
    units = play_out(
        SEALED,
        lambda unit: lost(SEALED, unit, 1) if 1 in unit.lineup else record(SEALED, unit),
    ).values()
    records = [replace(each, board=KEY.board(each.board.number)) for each in units]
    assert proof(SEALED, records, opened(SEALED)).mistakes == ()
    path = pbn_of(SEALED, records, tmp_path)
    assert [one.mistakes for one in verify_pbn(path)] == [()]
    (mistake,) = proof(SEALED, records[:-4], opened(SEALED)).mistakes
    assert mistake == "4 tables of the event are not there"


def test_a_key_that_the_commitment_is_not_of_is_named() -> None:
    commitment = replace(opened(SEALED), key=DealKey(bytes([1] * 32)))
    mistakes = proof(SEALED, played(SEALED, DealKey(bytes([1] * 32)).board), commitment).mistakes
    assert mistakes == ("the commitment is not that of this key and this event",)


def test_an_event_changed_after_the_commitment_is_named() -> None:
    longer = SEALED.model_copy(update={"boards": 3})
    commitment = replace(opened(longer), digest=opened(SEALED).digest)
    assert proof(longer, played(longer), commitment).mistakes


def test_a_key_that_is_not_that_of_the_seed_is_named() -> None:
    """A seed that is told afterwards for deals that were chosen."""
    seeded = event(Format.MATCH, 2, seed=3)
    mistakes = proof(seeded, played(seeded), opened(seeded)).mistakes
    assert mistakes == ("the key is not that of seed 3",)
    true = DealKey.of_seed(3)
    assert proof(seeded, played(seeded, true.board), opened(seeded, true)).mistakes == ()


def test_deals_with_a_public_text_are_proved_with_the_text() -> None:
    named = event(Format.MATCH, 2, seed=None, public="closing index of tomorrow")
    mixed = KEY.with_public("1234.5").board
    verdict = proof(named, played(named, mixed), opened(named, KEY, "1234.5"))
    assert verdict.mistakes == ()
    assert "mixed with: closing index of tomorrow: 1234.5" in verdict.facts
    assert proof(named, played(named, mixed), opened(named, KEY, "1234.6")).mistakes
    assert proof(named, played(named), opened(named)).mistakes == (
        "the value of 'closing index of tomorrow' is missing",
    )
    assert (
        "the deals were mixed with a text that the event does not name"
        in proof(SEALED, played(SEALED), opened(SEALED, KEY, "x")).mistakes
    )


def test_the_boards_of_a_file_can_be_proved() -> None:
    boards = [Board.dealt(9, 4), Board.dealt(9, 2)]
    whole = event(Format.MATCH, 2, seed=None, pbn="some.pbn", pbn_digest=digest_of(boards))
    records = [replace(each, board=boards[each.board.number - 1]) for each in played(whole)]
    assert verify(whole, opened(whole), records, boards).mistakes == ()
    others = [Board.dealt(9, 4), Board.dealt(9, 3)]
    mistakes = verify(whole, opened(whole), records, others).mistakes
    assert mistakes[0] == "the boards are not those, or not all those, that some.pbn had"


@pytest.mark.parametrize("begun", [0, 1])
def test_the_boards_of_a_file_are_proved_though_a_replay_was_taken_back(
    begun: int, tmp_path: Path
) -> None:
    whole = event(Format.MATCH, 2, boards=4, boards_from="four.pbn", seed=None)
    boards = [Board.dealt(8, number) for number in (9, 3, 7, 1)]
    whole = whole.model_copy(update={"boards_digest": digest_of(boards)})
    records = played(whole, lambda number: boards[number - 1])
    made = taken_back(rulings([Replay(match="1/1", board=3)]))
    units = units_of(plan(whole, Results(whole, records, made)))
    new = [record(whole, unit) for unit in units if unit.board > SUBSTITUTES][:begun]
    records += [replace(one, board=KEY.board(one.board.number)) for one in new]
    path = tmp_path / "match.pbn"
    games = "".join(format_game(game_of(one)) for one in records)
    path.write_bytes((header_of(whole, opened(whole), made) + games).encode("latin-1"))
    assert [one.mistakes for one in verify_pbn(path)] == [()]


def test_a_board_of_a_file_played_in_place_of_another_is_named() -> None:
    """The number of tables and the boards of the file fit all the same."""
    boards = [Board.dealt(9, number) for number in (4, 2, 6)]
    settings = {"seed": None, "boards": 1, "deals": Deals.BAROMETER}
    whole = event(Format.ROUND_ROBIN, 4, **settings, pbn="some.pbn", pbn_digest=digest_of(boards))
    records = [replace(each, board=boards[each.board.number - 1]) for each in played(whole)]
    assert verify(whole, opened(whole), records, boards).mistakes == ()
    again = [*records[:3], records[2], *records[4:]]
    (mistake,) = verify(whole, opened(whole), again, boards).mistakes
    assert mistake == "board 4, round 1, table 2, open room: it is there twice"
    moved = [replace(records[0], board=boards[1]), *records[1:]]
    (mistake,) = verify(whole, opened(whole), moved, boards).mistakes
    assert mistake == "board 2, round 1, table 1, open room: the event plays no such board there"


@pytest.mark.parametrize("format_", [Format.PAIRS, Format.KNOCK_OUT])
def test_boards_of_a_file_not_played_in_its_order_are_named(
    format_: Format, tmp_path: Path
) -> None:
    """Those of a movement, and those after the extra boards of a match that ended level."""
    boards = [Board.dealt(9, number) for number in range(1, 8 if format_ is Format.PAIRS else 4)]
    whole = event(format_, 8, seed=None, boards=1, pbn="some.pbn", pbn_digest=digest_of(boards))
    whole = whole.model_copy(update={"deals": Deals.BAROMETER})
    records = played(
        whole, lambda number: dict(enumerate(boards, 1)).get(number, KEY.board(number))
    )
    assert [one.mistakes for one in verify_pbn(pbn_of(whole, records, tmp_path))] == [()]


def test_an_event_of_the_first_release_is_proved_by_its_seed() -> None:
    old = event(Format.MATCH, 2, seed=8)
    records = played(old, lambda number: Board.dealt(8, number))
    assert proof(old, records, None).mistakes == ()
    assert proof(old, played(old), None).mistakes


def test_without_a_revealed_key_or_a_seed_nothing_can_be_proved() -> None:
    with pytest.raises(ProofError, match="the key of Test is revealed when the event is over"):
        proof(SEALED, played(SEALED), replace(opened(SEALED), key=None))
    with pytest.raises(ProofError, match="Test has neither a key nor a seed"):
        proof(SEALED, played(SEALED), None)


def test_a_file_that_tells_of_no_event_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.pbn"
    path.write_text('% PBN 2.1\n[Event "x"]\n')
    with pytest.raises(ProofError, match=r"x\.pbn tells of no event"):
        verify_pbn(path)
    path.write_text(header_of(SEALED, opened(SEALED)))
    with pytest.raises(ProofError, match=r"x\.pbn: no board of Test is there"):
        verify_pbn(path)


def test_a_file_whose_definition_does_not_fit_its_games_is_refused(tmp_path: Path) -> None:
    """A forger changes the entries, and forgets a board on which one was lost."""
    units = play_out(SEALED, lambda unit: lost(SEALED, unit, unit.lineup[0])).values()
    others = tuple(Entrant(bot="random", name=f"x{number}") for number in range(4))
    for wrong in ({"entries": others}, {"format": Format.INDIVIDUAL, "entries": others[:3]}):
        forged = SEALED.model_copy(update=wrong)
        path = pbn_of(forged, list(units), tmp_path)
        with pytest.raises(ProofError, match=r"event\.pbn: "):
            verify_pbn(path)

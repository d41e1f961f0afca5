"""The bracket of a knock-out whose director rules."""

from __future__ import annotations

from bridge_arena.reports.leaderboard.bracket import bracket
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.plan import Results
from bridge_arena.tournaments.schedule.rulings import Decision, Forfeit, Penalty, TakeBack
from tests.tournaments.ruled import ruling
from tests.tournaments.scores import better_seed, event, play_out

CUP = event(Format.KNOCK_OUT, 4)
WHOLE = play_out(CUP, better_seed(CUP))
SEMI_FINALS = [record for unit, record in WHOLE.items() if unit.startswith("1/")]
LOSS = Forfeit(match="1/1", entry=0)
FINE = Penalty(match="1/1", entry=0, amount=100)


def drawn(*made: tuple[Decision, int]) -> list[tuple[list[str], str, str]]:
    """Of each match that is over: who met, who went on, and why.

    Each decision is given with the last round that was drawn when it was made.
    """
    rulings = [ruling(number, *one) for number, one in enumerate(made, start=1)]
    records = [*WHOLE.values()] if any(after == 2 for _, after in made) else SEMI_FINALS
    return [
        (list(pairing.names), pairing.names[pairing.winner], pairing.reason)
        for known in bracket(CUP, Results(CUP, records, rulings))
        for pairing in known.pairings
        if pairing.winner is not None
    ]


def test_a_ruling_on_a_semi_final_decides_who_meets_in_the_final() -> None:
    assert drawn((LOSS, 1))[0] == (["e0", "e3"], "e3", "by forfeit")
    assert drawn((FINE, 1))[0] == (["e0", "e3"], "e3", "by 86 IMPs to -86, as ruled")
    assert drawn((LOSS, 1), (TakeBack(ruling=1), 1)) == drawn()


def test_once_the_final_is_drawn_a_semi_final_is_shown_as_it_was_decided() -> None:
    played = [
        (["e0", "e3"], "e0", "by 14 IMPs"),
        (["e1", "e2"], "e1", "by 6 IMPs"),
        (["e0", "e1"], "e0", "by 6 IMPs"),
    ]
    assert drawn((LOSS, 2)) == played
    assert drawn((FINE, 2)) == played
    # So it is if what decided it is taken back later.
    late = drawn((Forfeit(match="1/2", entry=2), 1), (TakeBack(ruling=1), 2))
    assert late[1] == (["e1", "e2"], "e1", "by forfeit")


def test_the_final_follows_every_ruling() -> None:
    *_, final = drawn((Forfeit(match="2/1", entry=0), 2))
    assert final == (["e0", "e1"], "e1", "by forfeit")

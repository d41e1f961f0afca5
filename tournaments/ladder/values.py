"""What a ladder tells programs: `arena ladder status --json`, and what its pages answer with.

A class is a kind of object, and a field one of its keys. Everybody may know all of it. Numbers are
rounded to six decimals, so that the same results always give the same text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from bridge_arena.tournaments.ladder.leaderboard import (
    AdjournedMatch,
    Circle,
    LadderBoard,
    RankedPlayer,
    ShownTest,
)
from bridge_arena.tournaments.ladder.player_record import PlayerRecord
from bridge_arena.tournaments.ladder.players import BotKind
from bridge_arena.tournaments.ladder.store.ladder_store import LadderMatch
from bridge_arena.tournaments.ladder.store.match_archive import EndedMatch
from bridge_arena.tournaments.ladder.strength.scores import Rating
from bridge_arena.tournaments.ladder.strength.sequential_tests import Outcome
from bridge_arena.tournaments.ladder.strength.weeks import Performance

# The sum turns the negative zero into zero.
Rounded = Annotated[float, AfterValidator(lambda value: round(value, 6) + 0.0)]


class Values(BaseModel):
    """Some values; what is not known is null."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class CauseValues(Values):
    """What a rating comes from, in IMPs a board."""

    auction: Rounded
    opening_lead: Rounded
    declarer_play: Rounded
    defence: Rounded


class FormValues(Values):
    """What a version gained beyond what was expected."""

    boards: int
    """The boards of which something was expected."""
    gain: Rounded
    """The IMPs a board beyond what was expected."""
    error: Rounded | None
    """The half of the ordinary interval of the gain, of 95 %."""


class PlayerValues(Values):
    """A player on the leaderboard, by the version that was there last."""

    number: int
    """The number of the player, from 1, in the order of arrival."""
    name: str
    author: str
    """Who wrote it; empty if that is not known."""
    kinds: list[BotKind]
    """How its bots are played."""
    system: str
    """Its system in words, or the address of its convention card; empty if it is not told."""
    home: str
    """The address of its page elsewhere; empty if it is not told."""
    version: str
    """What identifies the version among those of the player."""
    since: str
    """When the version came first, in ISO 8601."""
    state: str
    """`there`, `absent`, `paused`, `retired` or `banned`."""
    rank: tuple[int, int] | None
    """The best and the worst rank that it may have; null for who does not come back."""
    rating: Rounded | None
    """IMPs a board against the anchor."""
    rating_error: Rounded | None
    """The half of the ordinary interval of the rating, of 95 %."""
    matches: int
    """The matches that the version has played."""
    boards: int
    """The boards that the version has played in both rooms."""
    left: int
    """The number of these boards that it left."""
    faults: int
    causes: CauseValues | None
    form: FormValues
    weeks: dict[str, FormValues]
    """Each of the latest weeks in which it played, as `2026-W48`."""


class VersionValues(Values):
    """A version of a player, which has a rating of its own."""

    number: int
    """The number of the version on the ladder, from 1, in the order of arrival."""
    player: int
    """The number of the player."""
    name: str
    """The name of the player."""
    version: str
    """What identifies the version among those of the player."""
    since: str
    """When it came first, in ISO 8601."""
    rating: Rounded | None
    """IMPs a board against the anchor."""
    rating_error: Rounded | None
    """The half of the ordinary interval of the rating, of 95 %."""
    matches: int
    boards: int
    """The boards that it has played in both rooms."""
    left: int
    """The number of these boards that it left."""
    faults: int


class TeamValues(Values):
    """A player with the version by which it played."""

    number: int
    """The number of the player."""
    name: str
    version: str
    """What identifies the version among those of the player."""


class MarginValues(Values):
    """What a player's present version gains against a version of another."""

    opponent: TeamValues
    is_present: bool
    """Whether the opponent's version was there last of those of its player."""
    gain: Rounded
    """The IMPs a board that the player gains, on the mean of their boards."""
    interval: tuple[Rounded, Rounded]
    """The interval of the gain, of 95 %; it holds at every look, for these two versions alone."""
    boards: int
    """The boards that the two have played in both rooms."""
    is_stronger: bool | None
    """Whether the player is surely stronger; null if it is not known which of the two is."""


class PairValues(MarginValues):
    """What a player's present version gains against that of another."""

    player: TeamValues


class BegunMatchValues(Values):
    """A match that has begun and is not over."""

    number: int
    home: TeamValues
    visitors: TeamValues


class MatchValues(BegunMatchValues):
    """A match that is over."""

    ended: str
    """When, in ISO 8601."""
    boards: int
    """The boards that count."""
    imps: int
    """Their IMPs, seen from the home team."""


class TestValues(Values):
    """A sequential test: whether a version is better than another."""

    __test__ = False  # it is none of pytest

    number: int
    new: str
    """The player that may be better; an earlier version with what identifies it."""
    base: str
    """The player that it is compared with; an earlier version with what identifies it."""
    sprt: str
    """The two hypotheses and the chances of an error, as `imp0=0 imp1=0.5 alpha=0.05 beta=0.05`."""
    boards: int
    """The boards that count so far."""
    llr: Rounded
    """The logarithm of the ratio of likelihoods."""
    outcome: Outcome
    """`open`, `H0`, `H1`, `withdrawn`, or `void` if a player changed or went."""
    began: str
    """When it was asked for, in ISO 8601."""
    ended: str | None
    text: str
    """How it stands, or what came of it, in words."""


class WaitingValues(Values):
    """A player that has not come yet."""

    number: int
    """The number of the player."""
    name: str


class LadderValues(Values):
    """A ladder as a whole."""

    name: str
    anchor: str
    """The player whose rating is 0; empty if nobody has played."""
    is_played: bool
    """Whether the ladder is being played."""
    matches: int
    """The number of matches that are over."""
    boards: int
    """The number of their boards that count."""
    waiting: list[WaitingValues]
    """Those who have not come yet, and may come."""
    in_play: list[BegunMatchValues]
    """The matches that have begun and are neither over nor adjourned."""
    adjourned: list[AdjournedMatch]
    """The matches that go on when all their players are there again."""
    circles: list[Circle]
    """Players who beat each other in a circle, so that none is ahead of another."""


def ladder_values(
    board: LadderBoard, begun: Iterable[LadderMatch], *, is_played: bool
) -> LadderValues:
    """Return the values of a ladder, by its matches that are not over."""
    adjourned = {match.number for match in board.adjourned}
    return LadderValues(
        name=board.name,
        anchor=board.anchor,
        is_played=is_played,
        matches=board.matches,
        boards=board.scores.all_boards,
        waiting=[
            WaitingValues(number=player.number, name=player.name)
            for player in board.waiting
            if player.stays
        ],
        in_play=[
            BegunMatchValues(number=match.number, **_teams(board, match.versions))
            for match in begun
            if match.number not in adjourned and board.knows(match.versions)
        ],
        adjourned=list(board.adjourned),
        circles=list(board.circles),
    )


def player_values(row: RankedPlayer) -> PlayerValues:
    """Return the values of a player."""
    causes, (rating, error) = row.causes, _rating(row.rating)
    return PlayerValues(
        number=row.player.number,
        name=row.player.name,
        author=row.player.author,
        kinds=row.player.kinds,
        system=row.player.system,
        home=row.player.home,
        version=row.version.identity,
        since=row.version.since,
        state=row.state_text,
        rank=row.rank,
        rating=rating,
        rating_error=error,
        **asdict(row.figures),
        causes=None if causes is None else CauseValues.model_validate(causes),
        form=_form(row.history.form),
        weeks={week: _form(done) for week, done in row.history.weeks.items()},
    )


def version_values(board: LadderBoard, number: int) -> VersionValues:
    """Return the values of a version, by its number."""
    version = board.versions[number]
    rating, error = _rating(board.ratings[number - 1])
    return VersionValues(
        number=number,
        player=version.player,
        name=board.players[version.player].name,
        version=version.identity,
        since=version.since,
        rating=rating,
        rating_error=error,
        **asdict(board.scores.figures(number)),
    )


def margin_values(board: LadderBoard, record: PlayerRecord) -> list[MarginValues]:
    """Return what a player gains against each version of others that it has met."""
    return [
        MarginValues(
            opponent=_team(board, opponent.version),
            is_present=board.players[opponent.player].version == opponent.version,
            gain=opponent.margin.mean,
            interval=opponent.margin.interval,
            boards=opponent.margin.boards,
            is_stronger=opponent.is_weaker,
        )
        for opponent in record.opponents
    ]


def pair_values(board: LadderBoard, version: int, other: int) -> PairValues:
    """Return what a version gains against another, both the present ones of their players."""
    margin = board.scores.margin(version, other)
    return PairValues(
        player=_team(board, version),
        opponent=_team(board, other),
        is_present=True,
        gain=margin.mean,
        interval=margin.interval,
        boards=margin.boards,
        is_stronger=board.is_stronger(version, other),
    )


def match_values(board: LadderBoard, match: EndedMatch) -> MatchValues:
    """Return the values of a match that is over."""
    return MatchValues(
        number=match.number,
        **_teams(board, match.versions),
        ended=match.ended,
        boards=match.boards,
        imps=match.imps,
    )


def sequential_test_values(shown: ShownTest) -> TestValues:
    """Return the values of a test."""
    test, progress = shown.test, shown.test.progress
    return TestValues(
        number=test.number,
        new=shown.new,
        base=shown.base,
        sprt=str(test.sprt),
        boards=progress.boards,
        llr=progress.llr,
        outcome=test.outcome,
        began=test.began,
        ended=test.ended,
        text=shown.text,
    )


def _teams(board: LadderBoard, versions: tuple[int, int]) -> dict[str, TeamValues]:
    home, visitors = (_team(board, version) for version in versions)
    return {"home": home, "visitors": visitors}


def _team(board: LadderBoard, number: int) -> TeamValues:
    version = board.versions[number]
    name = board.players[version.player].name
    return TeamValues(number=version.player, name=name, version=version.identity)


def _rating(rating: Rating | None) -> tuple[float | None, float | None]:
    """Return a rating and its error."""
    return (None, None) if rating is None else (rating.value, rating.error)


def _form(done: Performance) -> FormValues:
    return FormValues(boards=done.boards, gain=done.gain, error=done.error)

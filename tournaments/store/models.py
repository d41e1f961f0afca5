"""The tables of the store.

The keys of an event's rows are what they stand for (event, round, match, position, room), never a
running number, so that a store that was filled in another order has the same content.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKeyConstraint, Index, UniqueConstraint, false, text
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedColumn, mapped_column

OPTIONAL_JSON = JSON(none_as_null=True)


class Base(DeclarativeBase):
    """The base of all tables."""

    pass


class EventRow(Base):
    """An event.

    Attributes:
        id: The key that other tables refer to.
        name: The event's name.
        definition: The keys of the event file, with all defaults, as a JSON object.
        commitment: The commitment to its deals, as hexadecimal digits; null for events of release
            0.1.
        key: The key of the deals, as hexadecimal digits, secret until `revealed`; null for events
            of release 0.1.
        public_value: The value of the event's public text; null if there is none.
        revealed: Whether the event is over and the key is public.
        control: The stand-ins whose play tells the luck of the deals, as a JSON object; null if
            there are none, and for events of earlier releases.
        tally_deletions: How often its tallies were deleted, as those of other records.
        of_file: Whether an event file defines it, in whose folder its programs run; false for
            events of earlier releases.
    """

    __tablename__ = "event"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    definition: Mapped[str]
    commitment: Mapped[str | None]
    key: Mapped[str | None]
    public_value: Mapped[str | None]
    revealed: Mapped[bool] = mapped_column(default=False, server_default=false())
    control: Mapped[str | None]
    tally_deletions: Mapped[int] = mapped_column(default=0, server_default=text("0"))
    of_file: Mapped[bool] = mapped_column(default=False, server_default=false())


class BoardRow(Base):
    """A board of the supply, from which the event takes its boards in order.

    Attributes:
        event: The event's id.
        supply: The number of the board in the supply, from 1.
        number: The number on the board.
        dealer: The dealer: `N`, `E`, `S` or `W`.
        vulnerability: The vulnerability: `None`, `NS`, `EW` or `All`.
        deal: The four hands, as PBN's tag `Deal` writes them.
        auction: A list of the calls that the players are given, each with its note or null; null if
            the players bid.
    """

    __tablename__ = "board"
    __table_args__ = (ForeignKeyConstraint(["event"], ["event.id"]),)

    event: Mapped[int] = mapped_column(primary_key=True)
    supply: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int]
    dealer: Mapped[str]
    vulnerability: Mapped[str]
    deal: Mapped[str]
    auction: Mapped[list[tuple[str, str | None]] | None] = mapped_column(OPTIONAL_JSON)


class MatchRow(Base):
    """A match.

    Attributes:
        event: The event's id.
        round: The number of the round, from 1.
        number: The number of the match in its round, from 1.
        entries: A list of the places of its entries in the event file, from 0: two teams, two
            pairs or four players.
    """

    __tablename__ = "match"
    __table_args__ = (ForeignKeyConstraint(["event"], ["event.id"]),)

    event: Mapped[int] = mapped_column(primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    entries: Mapped[list[int]] = mapped_column(JSON)


def _first() -> MappedColumn[Any]:
    """Return a column of a key that comes before the other columns of its table."""
    return mapped_column(primary_key=True, sort_order=-1)


class OfRecord:
    """The key of a record.

    Attributes:
        event: The event's id.
        round: The number of the round, from 1.
        match: The number of the match in its round, from 1.
        position: The position of the board in the match, from 1; that of a board played instead of
            another is its number in the supply.
        room: `open` or `closed`; `table` in pairs and individual events.
    """

    event: Mapped[int] = _first()
    round: Mapped[int] = _first()
    match: Mapped[int] = _first()
    position: Mapped[int] = _first()
    room: Mapped[str] = _first()

    @property
    def unit(self) -> str:
        """The id of the unit of the record."""
        return f"{self.round}/{self.match}/{self.position}/{self.room}"


class RecordRow(OfRecord, Base):
    """One board at one table.

    Attributes:
        board: The number of the board in the supply.
        pbn: The board with its auction, play, result, questions and faults, as a game of PBN.
    """

    __tablename__ = "record"
    __table_args__ = (
        ForeignKeyConstraint(
            ["event", "round", "match"], ["match.event", "match.round", "match.number"]
        ),
        ForeignKeyConstraint(["event", "board"], ["board.event", "board.supply"]),
    )

    board: Mapped[int]
    pbn: Mapped[str]


def _of_a_record() -> tuple[ForeignKeyConstraint]:
    key = ("event", "round", "match", "position", "room")
    return (ForeignKeyConstraint(key, [f"record.{column}" for column in key]),)


class TimingRow(OfRecord, Base):
    """The times of one seat on a board, and the program that played it.

    Attributes:
        seat: The seat: `N`, `E`, `S` or `W`.
        milliseconds: A list of the milliseconds of each action, in order.
        match_seconds: The seconds that the board took off its match clock; null if there is none,
            and for records of release 0.1.
        program: The program's own name and version, and what the arena knows of its version; null
            if nothing is known, and for records of earlier releases.
    """

    __tablename__ = "timing"
    __table_args__ = _of_a_record()

    seat: Mapped[str] = mapped_column(primary_key=True)
    milliseconds: Mapped[list[float]] = mapped_column(JSON)
    match_seconds: Mapped[float | None]
    program: Mapped[str | None]


class ThoughtRow(OfRecord, Base):
    """The thoughts of one seat on a board.

    Attributes:
        seat: The seat: `N`, `E`, `S` or `W`.
        thoughts: A list of objects, in order: `action`, the number of the action that it is about
            (calls, then cards, from 0), and those of `text`, `candidates`, `layouts`, `depth` and
            `seconds` that the player told.
    """

    __tablename__ = "thought"
    __table_args__ = _of_a_record()

    seat: Mapped[str] = mapped_column(primary_key=True)
    thoughts: Mapped[list[dict[str, Any]]] = mapped_column(JSON)


class AnalysisRow(OfRecord, Base):
    """The double-dummy values of a record.

    Attributes:
        values: A list of declarer's double-dummy tricks, before the lead and after every card; null
            if there was no play, or the solver took too long.
    """

    __tablename__ = "analysis"
    __table_args__ = _of_a_record()

    values: Mapped[list[int] | None] = mapped_column(OPTIONAL_JSON)


class TallyRow(Base):
    """What figures need of some tables, made from their records and double-dummy values.

    Attributes:
        event: The event's id.
        number: The place among the event's tallies, from 0.
        lineups: A list of the names of tables: those of N, E, S and W, of the home team and the
            visitors, and the programs of N, E, S and W if they are known.
        tables: The numbers of the tables, as `reports.common.tallies` packs them, and so the
            others.
        faults: Their faults.
        times: The milliseconds of their actions.
        model_uses: What their players asked language models.
    """

    __tablename__ = "tally"
    __table_args__ = (ForeignKeyConstraint(["event"], ["event.id"]),)

    event: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    lineups: Mapped[list[Any]] = mapped_column(JSON)
    tables: Mapped[bytes]
    faults: Mapped[bytes]
    times: Mapped[bytes]
    model_uses: Mapped[bytes]


class SumsRow(Base):
    """What a leaderboard needs of an event, if each of its records has a tally.

    Attributes:
        event: The event's id.
        deletions: How often its tallies had been deleted.
        records: The number of its records.
        rulings: The number of its rulings.
        form: The number of the form in which the arena kept it, which grows.
        summary: Its standings and what else is said of it, as a JSON object.
        tables: The entries and deals of its tables, as `reports.common.sums` packs them, and so the
            others.
        boards: Its boards in two rooms.
        scores: The scores of pairs and individuals.
        deals: The deals.
    """

    __tablename__ = "event_sums"
    __table_args__ = (ForeignKeyConstraint(["event"], ["event.id"]),)

    event: Mapped[int] = mapped_column(primary_key=True)
    deletions: Mapped[int]
    records: Mapped[int]
    rulings: Mapped[int]
    form: Mapped[int]
    summary: Mapped[dict[str, Any]] = mapped_column(JSON)
    tables: Mapped[bytes]
    boards: Mapped[bytes]
    scores: Mapped[bytes]
    deals: Mapped[bytes]


class RulingRow(Base):
    """A ruling of the event's director.

    Attributes:
        event: The event's id.
        number: The number of the ruling in the event, from 1.
        ruling: The ruling, as a JSON object.
    """

    __tablename__ = "ruling"
    __table_args__ = (ForeignKeyConstraint(["event"], ["event.id"]),)

    event: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    ruling: Mapped[dict[str, Any]] = mapped_column(JSON)


class DealValueRow(Base):
    """What the stand-ins of two entries made of a deal.

    Attributes:
        event: The event's id.
        first: The place of one entry in the event file, from 0; its stand-in sat North-South in the
            open room.
        second: The place of the other entry, which is higher.
        series: 0 for a deal of the event, from 1 on for other deals.
        board: The number of the board.
        value: The IMPs of the first stand-in, or their mean over several plays.
    """

    __tablename__ = "deal_value"
    __table_args__ = (ForeignKeyConstraint(["event"], ["event.id"]),)

    event: Mapped[int] = mapped_column(primary_key=True)
    first: Mapped[int] = mapped_column(primary_key=True)
    second: Mapped[int] = mapped_column(primary_key=True)
    series: Mapped[int] = mapped_column(primary_key=True)
    board: Mapped[int] = mapped_column(primary_key=True)
    value: Mapped[float]


class LadderRow(Base):
    """A ladder, whose matches are events of the same database.

    Attributes:
        id: The key that other tables refer to.
        name: The ladder's name, with which the names of its events begin.
        definition: The settings of its matches and its anchors, as a JSON object.
        backed_up: When its last backup was made, in ISO 8601; null if there is none.
        tables: How many matches at once were played by the machine that played it last; null for
            ladders of earlier releases.
        threads: How many the cluster could play beside them.
    """

    __tablename__ = "ladder"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    definition: Mapped[str]
    backed_up: Mapped[str | None]
    tables: Mapped[int | None]
    threads: Mapped[int | None]


class LadderPlayerRow(Base):
    """A player of a ladder.

    Attributes:
        ladder: The ladder's id.
        number: The number of the player, from 1, in the order of arrival.
        name: Its name.
        author: Who wrote it; empty if that is not known.
        definition: Its bot and settings, as a JSON object.
        folder: The folder from which its programs are found; null for the arena's own.
        state: `active`, `paused`, `retired` or `banned`.
        version: The number of its version that was there last; null if none ever was.
        is_there: Whether it could play when the ladder was last played.
        system: Its system in words, or the address of its convention card; empty if not told.
        home: The address of its page elsewhere; empty if not told.
    """

    __tablename__ = "ladder_player"
    __table_args__ = (
        ForeignKeyConstraint(["ladder"], ["ladder.id"]),
        UniqueConstraint("ladder", "name"),
    )

    ladder: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    author: Mapped[str]
    definition: Mapped[str]
    folder: Mapped[str | None]
    state: Mapped[str]
    version: Mapped[int | None]
    is_there: Mapped[bool]
    system: Mapped[str] = mapped_column(default="")
    home: Mapped[str] = mapped_column(default="")


class LadderVersionRow(Base):
    """A version of a player of a ladder, which has a rating of its own.

    Attributes:
        ladder: The ladder's id.
        number: The number of the version in the ladder, from 1.
        player: The number of the player.
        identity: What tells it from other versions of the player.
        since: When it came, in ISO 8601.
        accused: When the audit showed that it sees more than it should, in ISO 8601; null if not.
        auction: The IMPs of the auction, seen from it, on all its `split_boards` of `ladder_pair`.
        opening_lead: Those of opening leads: what its opponents' errors gave, less what its own
            cost.
        declarer_play: Those of declarers.
        defence: Those of the defence after the opening lead.
        news: What its author says of it; empty for nothing.
    """

    __tablename__ = "ladder_version"
    __table_args__ = (
        ForeignKeyConstraint(
            ["ladder", "player"], ["ladder_player.ladder", "ladder_player.number"]
        ),
        UniqueConstraint("ladder", "player", "identity"),
    )

    ladder: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    player: Mapped[int]
    identity: Mapped[str]
    since: Mapped[str]
    accused: Mapped[str | None]
    auction: Mapped[float] = mapped_column(default=0.0)
    opening_lead: Mapped[float] = mapped_column(default=0.0)
    declarer_play: Mapped[float] = mapped_column(default=0.0)
    defence: Mapped[float] = mapped_column(default=0.0)
    news: Mapped[str] = mapped_column(default="")


class LadderMatchRow(Base):
    """A match of a ladder; its event has the name of the ladder with the match's number.

    Attributes:
        ladder: The ladder's id.
        number: The number of the match, from 1.
        home: The number of the version that is the home team.
        visitors: The number of the other version.
        is_over: Whether it is over and counted in `ladder_pair`.
        began: When it was drawn, in ISO 8601.
        ended: When it was over; null before.
        seconds: The seconds for which it was played, but for what an unexpected end cut off; null
            before it is adjourned or over.
        boards: The boards that count; null before it is over.
        imps: Their IMPs, seen from the home team; null before it is over.
        audited: When the audit counted it, in ISO 8601; null before.
        swings: The IMPs of each board, seen from the home team, in the order of their numbers: a
            signed byte each, and -128 for a board that does not count or was not played. Null
            before the match is over, and for matches that ended under a release without it.
    """

    __tablename__ = "ladder_match"
    __table_args__ = (
        *(
            ForeignKeyConstraint(
                ["ladder", side], ["ladder_version.ladder", "ladder_version.number"]
            )
            for side in ("home", "visitors")
        ),
        Index("ladder_match_open", "ladder", "is_over"),
        Index("ladder_match_home", "ladder", "is_over", "home", "number", "visitors"),
        Index("ladder_match_visitors", "ladder", "is_over", "visitors", "number", "home"),
        Index("ladder_match_ended", "ladder", "is_over", "ended", "boards"),
    )

    ladder: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    home: Mapped[int]
    visitors: Mapped[int]
    is_over: Mapped[bool]
    began: Mapped[str]
    ended: Mapped[str | None]
    seconds: Mapped[float | None]
    boards: Mapped[int | None]
    imps: Mapped[int | None]
    audited: Mapped[str | None]
    swings: Mapped[bytes | None]


class LadderPairRow(Base):
    """The sums of all matches that are over between two versions on a ladder.

    Attributes:
        ladder: The ladder's id.
        first: The number of the version that came first.
        second: The number of the other version.
        swings: The numbers of boards with a swing of -24, -23, ..., 24 IMPs, seen from the first
            version, of four bytes each, the lowest first.
        matches: The number of matches.
        first_home: In how many of them the first version was the home team.
        seconds: The seconds for which they were played.
        left_first: The boards that count against the first version, as it left them.
        left_second: Those of the second version.
        faults_first: The faults of the first version.
        faults_second: Those of the second version.
        split_boards: The boards that were played to their end in both rooms and that the solver
            has valued.
    """

    __tablename__ = "ladder_pair"
    __table_args__ = tuple(
        ForeignKeyConstraint(["ladder", side], ["ladder_version.ladder", "ladder_version.number"])
        for side in ("first", "second")
    )

    ladder: Mapped[int] = mapped_column(primary_key=True)
    first: Mapped[int] = mapped_column(primary_key=True)
    second: Mapped[int] = mapped_column(primary_key=True)
    swings: Mapped[bytes]
    matches: Mapped[int]
    first_home: Mapped[int]
    seconds: Mapped[float]
    left_first: Mapped[int]
    left_second: Mapped[int]
    faults_first: Mapped[int]
    faults_second: Mapped[int]
    split_boards: Mapped[int]


class LadderOrderRow(Base):
    """A version of a ladder that is surely stronger than another; that stays.

    Attributes:
        ladder: The ladder's id.
        ahead: The number of the stronger version.
        behind: The number of the other one.
        match: The number of the match whose boards proved it.
    """

    __tablename__ = "ladder_order"
    __table_args__ = (
        *(
            ForeignKeyConstraint(
                ["ladder", side], ["ladder_version.ladder", "ladder_version.number"]
            )
            for side in ("ahead", "behind")
        ),
        Index("ladder_order_match", "ladder", "match"),
    )

    ladder: Mapped[int] = mapped_column(primary_key=True)
    ahead: Mapped[int] = mapped_column(primary_key=True)
    behind: Mapped[int] = mapped_column(primary_key=True)
    match: Mapped[int]


class LadderPbnRow(Base):
    """The PBN file of a week of a ladder.

    Attributes:
        ladder: The ladder's id.
        week: The week, as `2026-W09` by ISO 8601, in UTC.
        size: The bytes of the file with all matches that ended in it.
    """

    __tablename__ = "ladder_pbn"
    __table_args__ = (ForeignKeyConstraint(["ladder"], ["ladder.id"]),)

    ladder: Mapped[int] = mapped_column(primary_key=True)
    week: Mapped[str] = mapped_column(primary_key=True)
    size: Mapped[int] = mapped_column(BigInteger)


class LadderAlertRow(Base):
    """An alert of a ladder that is in force.

    Attributes:
        ladder: The ladder's id.
        kind: What it is about: `player`, `lost`, `version`, `disk`, `store`, `cluster`, `clock`,
            `audit`, `test`, `request` or `webhook`.
        subject: The name of the player that it is about; empty if it is about none.
        text: The line for the administrator.
        since: When it began, in ISO 8601.
    """

    __tablename__ = "ladder_alert"
    __table_args__ = (ForeignKeyConstraint(["ladder"], ["ladder.id"]),)

    ladder: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    subject: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[str]
    since: Mapped[str]


class LadderAuditRow(Base):
    """What the audit has counted of a version of a ladder in one kind of decisions.

    Attributes:
        ladder: The ladder's id.
        version: The number of the version.
        kind: `calls`, `leads`, `declarer` or `defenders`.
        deals: The numbers of deals on which its luck was -24, -23, ..., 24 units, of four bytes
            each, the lowest first. A unit is 0.5 IMPs for calls, 0.07 tricks for cards.
    """

    __tablename__ = "ladder_audit"
    __table_args__ = (
        ForeignKeyConstraint(
            ["ladder", "version"], ["ladder_version.ladder", "ladder_version.number"]
        ),
    )

    ladder: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    deals: Mapped[bytes]


class LadderTestRow(Base):
    """A sequential test of a ladder: whether one version is better than another.

    Attributes:
        ladder: The ladder's id.
        number: The number of the test, from 1, in the order in which they were asked for.
        new: The number of the version that may be better.
        base: The number of the version that it is compared with.
        sprt: The test, as `imp0=0 imp1=0.5`.
        last_match: The number of the last match that was drawn before it was asked for.
        began: When it was asked for, in ISO 8601.
        swings: The numbers of its boards by swing, as in `ladder_pair`, seen from the new version.
        outcome: `open`, `H0`, `H1`, `withdrawn`, or `void` if a player changed or went.
        ended: When it ended, in ISO 8601; null before.
        announced: When its end was announced, in ISO 8601; null before.
        author: The author who asked for it; empty for the administrator.
    """

    __tablename__ = "ladder_test"
    __table_args__ = tuple(
        ForeignKeyConstraint(["ladder", side], ["ladder_version.ladder", "ladder_version.number"])
        for side in ("new", "base")
    )

    ladder: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    new: Mapped[int]
    base: Mapped[int]
    sprt: Mapped[str]
    last_match: Mapped[int]
    began: Mapped[str]
    swings: Mapped[bytes]
    outcome: Mapped[str]
    ended: Mapped[str | None]
    announced: Mapped[str | None]
    author: Mapped[str] = mapped_column(default="")


class LadderWeekRow(Base):
    """The sums of what a version of a ladder did in a week; all IMPs are seen from it.

    Attributes:
        ladder: The ladder's id.
        week: The week in which its matches ended, as `2026-W09` by ISO 8601, in UTC.
        version: The number of the version.
        boards: Its boards, without those of matches of which nothing could be expected yet.
        imps: Their IMPs.
        squares: Their squares.
        expected: The IMPs that were expected before each match.
    """

    __tablename__ = "ladder_week"
    __table_args__ = (
        ForeignKeyConstraint(
            ["ladder", "version"], ["ladder_version.ladder", "ladder_version.number"]
        ),
    )

    ladder: Mapped[int] = mapped_column(primary_key=True)
    week: Mapped[str] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    boards: Mapped[int]
    imps: Mapped[int]
    squares: Mapped[int]
    expected: Mapped[float]


class LadderStyleRow(Base):
    """How a version of a ladder bids and plays, in sums over its tables.

    The matches count that ended since a release has these sums.

    Attributes:
        ladder: The ladder's id.
        version: The number of the version.
        auctions: The tables that came to a result, and at which the players bid.
        calls: The calls of all four players there.
        first_chances: How often it could open in first seat.
        second_chances: In second seat, after a pass.
        third_chances: In third seat, after two.
        fourth_chances: In fourth seat, after three.
        first_openings: How often it opened in first seat.
        second_openings: In second seat.
        third_openings: In third seat.
        fourth_openings: In fourth seat.
        openings: In any seat.
        notrump_openings: Of these, those of 1NT.
        weak_twos: Those of 2D, 2H or 2S with at most 11 high-card points.
        preempts: Those of a suit at the three level or higher.
        overcall_chances: How often the opponent before it opened one of a suit.
        overcalls: How often it bid at once over that.
        takeout_doubles: How often it doubled at once.
        results: The tables that came to a result.
        contracts: The contracts that it declared.
        levels: The sum of their levels.
        games: Those of them that are worth a game, and no slam.
        games_made: The games that were made.
        slams: Its slams.
        slams_made: The slams that were made.
        contracts_doubled: Its contracts that were doubled.
        claims: Its contracts whose play ended by a claim.
        defences: The contracts of its opponents.
        doubles: Those of them that it doubled.
        doubles_set: Those of these that went down.
        timed_calls: Its calls whose time was measured.
        call_seconds: Their seconds.
        timed_cards: Its cards whose time was measured.
        card_seconds: Their seconds.
        illegal: Its faults of this kind.
        malformed: Its faults of this kind.
        timeout: Its faults of this kind.
        stall: Its faults of this kind.
        disconnect: Its faults of this kind.
        crash: Its faults of this kind.
        refused: Its faults of this kind.
        undo: Its faults of this kind.
    """

    __tablename__ = "ladder_style"
    __table_args__ = (
        ForeignKeyConstraint(
            ["ladder", "version"], ["ladder_version.ladder", "ladder_version.number"]
        ),
    )

    ladder: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    auctions: Mapped[int]
    calls: Mapped[int]
    first_chances: Mapped[int]
    second_chances: Mapped[int]
    third_chances: Mapped[int]
    fourth_chances: Mapped[int]
    first_openings: Mapped[int]
    second_openings: Mapped[int]
    third_openings: Mapped[int]
    fourth_openings: Mapped[int]
    openings: Mapped[int]
    notrump_openings: Mapped[int]
    weak_twos: Mapped[int]
    preempts: Mapped[int]
    overcall_chances: Mapped[int]
    overcalls: Mapped[int]
    takeout_doubles: Mapped[int]
    results: Mapped[int]
    contracts: Mapped[int]
    levels: Mapped[int]
    games: Mapped[int]
    games_made: Mapped[int]
    slams: Mapped[int]
    slams_made: Mapped[int]
    contracts_doubled: Mapped[int]
    claims: Mapped[int]
    defences: Mapped[int]
    doubles: Mapped[int]
    doubles_set: Mapped[int]
    timed_calls: Mapped[int]
    call_seconds: Mapped[float]
    timed_cards: Mapped[int]
    card_seconds: Mapped[float]
    illegal: Mapped[int]
    malformed: Mapped[int]
    timeout: Mapped[int]
    stall: Mapped[int]
    disconnect: Mapped[int]
    crash: Mapped[int]
    refused: Mapped[int]
    undo: Mapped[int]


class LadderConsistencyRow(Base):
    """What a version of a ladder played in a check whether it still plays as it did.

    Attributes:
        ladder: The ladder's id.
        version: The number of the version.
        number: The number of the check of this version, from 1.
        deal_key: The key of its boards, in hexadecimal. It is secret for ever.
        conditions: A hash of the release and the ladder's settings, on which the play depends too.
        plays: The calls and cards at each table, as a JSON array of texts; null where the player
            was lost.
        has_changed: Whether this shows that the version has changed.
        played: When it was played, in ISO 8601.
    """

    __tablename__ = "ladder_consistency"
    __table_args__ = (
        ForeignKeyConstraint(
            ["ladder", "version"], ["ladder_version.ladder", "ladder_version.number"]
        ),
    )

    ladder: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    deal_key: Mapped[str]
    conditions: Mapped[str]
    plays: Mapped[str]
    has_changed: Mapped[bool]
    played: Mapped[str]


class LadderAuthorRow(Base):
    """An author of a ladder who has had a token.

    Attributes:
        ladder: The ladder's id.
        name: The author's name, as players have it.
        since: When the author came, in ISO 8601.
        webhook: Where alerts of the author's players are posted, which may have a secret in it;
            empty for nowhere.
        posted: When the last alert was posted there, or could not be, in ISO 8601; None before the
            first.
        post_trouble: Why it could not be posted; empty if it was, None as before.
    """

    __tablename__ = "ladder_author"
    __table_args__ = (ForeignKeyConstraint(["ladder"], ["ladder.id"]),)

    ladder: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[str]
    webhook: Mapped[str]
    posted: Mapped[str | None]
    post_trouble: Mapped[str | None]


class LadderInvitationRow(Base):
    """An invitation to a ladder that nobody has used.

    Attributes:
        ladder: The ladder's id.
        secret: The hash of its secret, in hexadecimal.
        author: The author whom it is for; empty for whoever uses it.
        expires: When it is too late to use it, in ISO 8601.
    """

    __tablename__ = "ladder_invitation"
    __table_args__ = (ForeignKeyConstraint(["ladder"], ["ladder.id"]),)

    ladder: Mapped[int] = mapped_column(primary_key=True)
    secret: Mapped[str] = mapped_column(primary_key=True)
    author: Mapped[str]
    expires: Mapped[str]


class LadderRequestRow(Base):
    """A request to become an author of a ladder.

    Attributes:
        ladder: The ladder's id.
        number: The number of the request, from 1.
        author: The name that the author would have.
        program: The name of the author's program.
        home: The address of a page about it; empty if there is none.
        words: What else the author says.
        came: When it came, in ISO 8601.
        secret: The hash of the secret by which its author asks for the answer, in hexadecimal.
        state: `waiting`, `approved`, `refused`, or `done` once the token was shown.
    """

    __tablename__ = "ladder_request"
    __table_args__ = (ForeignKeyConstraint(["ladder"], ["ladder.id"]),)

    ladder: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    author: Mapped[str]
    program: Mapped[str]
    home: Mapped[str]
    words: Mapped[str]
    came: Mapped[str]
    secret: Mapped[str]
    state: Mapped[str]


class LadderPeopleBoardRow(Base):
    """A board that a person, or a bot in the seat of people, has begun to play at a ladder.

    It counts for no rank.

    Attributes:
        ladder: The ladder's id.
        deal: The deal: `17/3` is board 3 of match 17, `2026-11-29` the board of that day.
        person: The hash of the cookie of the person's browser, in hexadecimal; `bot 7` is the bot
            of player 7.
        name: The name that the person gave, or that of the player.
        seat: The seat: `N`, `E`, `S` or `W`.
        began: When it began, in ISO 8601.
        score: North-South's points; null before it is over, and if it was left.
        record: The whole board as PBN, in canonical form; null as long as `score` is.
    """

    __tablename__ = "ladder_people_board"
    __table_args__ = (
        ForeignKeyConstraint(["ladder"], ["ladder.id"]),
        Index("ladder_people_board_person", "ladder", "person"),
        Index("ladder_people_board_began", "ladder", "began"),
    )

    ladder: Mapped[int] = mapped_column(primary_key=True)
    deal: Mapped[str] = mapped_column(primary_key=True)
    person: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    seat: Mapped[str]
    began: Mapped[str]
    score: Mapped[int | None]
    record: Mapped[str | None]


class LadderDayRow(Base):
    """The board of a day of a ladder.

    Attributes:
        ladder: The ladder's id.
        day: The day in UTC, as `2026-11-29`.
        definition: Its event, whose text the commitment covers, as a JSON object.
        deal_key: The key of its deal, in hexadecimal, which is public once the day is over.
        fixed: When it was drawn, in ISO 8601.
    """

    __tablename__ = "ladder_day"
    __table_args__ = (ForeignKeyConstraint(["ladder"], ["ladder.id"]),)

    ladder: Mapped[int] = mapped_column(primary_key=True)
    day: Mapped[str] = mapped_column(primary_key=True)
    definition: Mapped[str]
    deal_key: Mapped[str]
    fixed: Mapped[str]

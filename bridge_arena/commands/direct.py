"""`arena direct`: the rulings of an event's director, while it is played and after it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from getpass import getuser
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.commands.common.errors import UnusableError, need_posix, unusable
from bridge_arena.commands.common.options import EventName, Port, RunPlace

if TYPE_CHECKING:
    from bridge_arena.bridge.record import Room
    from bridge_arena.tournaments import Event, Store
    from bridge_arena.tournaments.schedule.rulings import Decision

_HELP = "Rule on an event as its director, while it is played or after."

direct = typer.Typer(help=_HELP, rich_markup_mode=None)

MatchId = Annotated[
    str, typer.Argument(metavar="MATCH", help="ROUND/NUMBER of the match, as 2/1; arena match: 1/1")
]
BoardNumber = Annotated[int, typer.Argument(metavar="BOARD", help="number on the board")]
InRoom = Annotated[
    str | None, typer.Option("--room", metavar="ROOM", help="open or closed, in matches of teams")
]
Name = Annotated[str, typer.Argument(metavar="ENTRY", help="name of the entry")]
FromRound = Annotated[
    int, typer.Option("--round", min=1, help="the first round for which it holds")
]
OfMatch = Annotated[str | None, typer.Option("--match", help="ROUND/NUMBER of a match")]
OfEntry = Annotated[str | None, typer.Option("--entry", help="name of an entry")]
Number = Annotated[int, typer.Argument(metavar="RULING", min=1, help="number of the ruling")]
Reason = Annotated[str, typer.Option("--reason", help="why, in a line of text that reports show")]
Author = Annotated[str, typer.Option("--author", help="who rules; default: your name here")]
Check = Annotated[bool, typer.Option("--check", help="say what would follow, and rule nothing")]


@direct.callback()
def _direct(
    context: typer.Context,
    run: RunPlace,
    event: EventName = None,
) -> None:
    context.obj = run, event


@direct.command("adjust")
def adjust(
    context: typer.Context,
    match: MatchId,
    board: BoardNumber,
    reason: Reason,
    ns: Annotated[
        str | None,
        typer.Option(
            "--ns",
            metavar="SCORE",
            help="North-South's score at the table: plus, average, minus, a result (4SE+1, PASS), "
            "points of North-South, or several with weights: 60% 4SE=, 40% 4SE-1",
        ),
    ] = None,
    ew: Annotated[
        str | None,
        typer.Option(
            "--ew",
            metavar="SCORE",
            help="East-West's score, also by the result of North-South; default: the same "
            "result, or the opposite of plus or minus",
        ),
    ] = None,
    home: Annotated[
        str | None,
        typer.Option("--home", metavar="SCORE", help="the home team's plus, average or minus"),
    ] = None,
    visitors: Annotated[
        str | None,
        typer.Option("--visitors", metavar="SCORE", help="the visitors'; default: the opposite"),
    ] = None,
    room: InRoom = None,
    author: Author = "",
    *,
    check: Check = False,
) -> None:
    """Give another score for a board: at a table, or to two teams.

    An artificial score (Law 12C2) is average plus, average or average minus: 60, 50 or 40 %, or 3,
    0 or -3 IMPs. An assigned score (Law 12C1) is a result, or several with weights. The two sides
    may get different ones.

    Examples:
        arena direct runs/cup adjust 2/1 5 --home plus --reason "South was shown a card"
        arena direct runs/cup adjust 2/1 5 --room open --ns "60% 4SE=, 40% 4SE-1" --reason "Claim"
    """
    from bridge_arena.tournaments.schedule.rulings import Adjust, Artificial, opposite

    of_teams = home is not None or visitors is not None
    if of_teams == (ns is not None or ew is not None):
        raise UnusableError("give --ns and --ew of a table, or --home and --visitors of a match")
    if of_teams and room is not None:
        raise UnusableError("--home and --visitors are of both rooms: leave --room out")
    for option, score in (("--home", home), ("--visitors", visitors)):
        if score is not None and score.upper() not in Artificial.__members__:
            raise UnusableError(
                f"{option} {score}: plus, average or minus; a result is for a room (--room, --ns)"
            )
    own, other = (home, visitors) if of_teams else (ns, ew)
    first = own if own is not None else opposite(other or "")
    second = other if other is not None else opposite(own or "")

    def decide(event: Event) -> Decision:
        if event.format.is_teams and of_teams == (room is not None):
            raise UnusableError("a team match has two rooms: give --room with --ns and --ew")
        return Adjust(match=match, board=board, room=_room(room), ns=first, ew=second)

    _rule(context, decide, reason, author, check=check)


@direct.command("annul")
def annul(
    context: typer.Context,
    match: MatchId,
    reason: Reason,
    board: Annotated[
        int | None, typer.Argument(metavar="[BOARD]", help="number on the board; default: all")
    ] = None,
    author: Author = "",
    *,
    check: Check = False,
) -> None:
    """Let a board, or a whole match, count for nobody.

    Examples:
        arena direct runs/cup annul 2/1 5 --reason "Fouled board"
    """
    from bridge_arena.tournaments.schedule.rulings import Annul

    _rule(context, lambda _: Annul(match=match, board=board), reason, author, check=check)


@direct.command("replay")
def replay(
    context: typer.Context,
    match: MatchId,
    board: BoardNumber,
    reason: Reason,
    author: Author = "",
    *,
    check: Check = False,
) -> None:
    """Let a board count for nobody, and have another played instead at all its tables.

    The substitute comes from the event's own deals, and nobody has seen it.

    Examples:
        arena direct runs/cup replay 2/1 5 --reason "South was shown a card"
    """
    from bridge_arena.tournaments.schedule.rulings import Replay

    _rule(context, lambda _: Replay(match=match, board=board), reason, author, check=check)


@direct.command("forfeit")
def forfeit(
    context: typer.Context,
    match: MatchId,
    entry: Name,
    reason: Reason,
    author: Author = "",
    *,
    check: Check = False,
) -> None:
    """Have an entry lose a match, of which no board counts then.

    Examples:
        arena direct runs/cup forfeit 2/1 Visitors --reason "Did not come"
    """
    from bridge_arena.tournaments.schedule.directing import entry_named
    from bridge_arena.tournaments.schedule.rulings import Forfeit

    _rule(
        context,
        lambda event: Forfeit(match=match, entry=entry_named(event, entry)),
        reason,
        author,
        check=check,
    )


@direct.command("waive")
def waive(
    context: typer.Context,
    match: MatchId,
    board: BoardNumber,
    reason: Reason,
    room: InRoom = None,
    author: Author = "",
    *,
    check: Check = False,
) -> None:
    """Adjust a board whose loss withdrew an entry, so that the entry plays on.

    Examples:
        arena direct runs/cup waive 2/1 5 --room open --reason "The network was down"
    """
    from bridge_arena.tournaments.schedule.rulings import Waive

    _rule(
        context,
        lambda _: Waive(match=match, board=board, room=_room(room)),
        reason,
        author,
        check=check,
    )


@direct.command("penalty", context_settings={"ignore_unknown_options": True})
def penalty(
    context: typer.Context,
    entry: Name,
    amount: Annotated[float, typer.Argument(metavar="AMOUNT", help="what is taken off")],
    reason: Reason,
    match: OfMatch = None,
    author: Author = "",
    *,
    check: Check = False,
) -> None:
    """Take an amount off the total of an entry: IMPs, victory points, or per cent of a board.

    It is in the unit of the event's scoring. In a knock-out it is taken off the score of a match.

    Examples:
        arena direct runs/cup penalty Visitors 2 --reason "Slow play"
    """
    from bridge_arena.tournaments.schedule.directing import entry_named
    from bridge_arena.tournaments.schedule.rulings import Penalty

    _rule(
        context,
        lambda event: Penalty(entry=entry_named(event, entry), amount=amount, match=match),
        reason,
        author,
        check=check,
    )


@direct.command("withdraw")
def withdraw(
    context: typer.Context,
    entry: Name,
    round_: FromRound,
    reason: Reason,
    author: Author = "",
    *,
    check: Check = False,
) -> None:
    """Withdraw an entry from a round on: it forfeits what it has not played of these rounds.

    Examples:
        arena direct runs/cup withdraw Visitors --round 3 --reason "They had to leave"
    """
    from bridge_arena.tournaments.schedule.directing import entry_named
    from bridge_arena.tournaments.schedule.rulings import Withdraw

    _rule(
        context,
        lambda event: Withdraw(entry=entry_named(event, entry), round=round_),
        reason,
        author,
        check=check,
    )


@direct.command("readmit")
def readmit(
    context: typer.Context,
    entry: Name,
    round_: FromRound,
    reason: Reason,
    author: Author = "",
    *,
    check: Check = False,
) -> None:
    """Readmit a withdrawn entry from a round on; what it missed before stays forfeited.

    Examples:
        arena direct runs/cup readmit Visitors --round 4 --reason "They are back"
    """
    from bridge_arena.tournaments.schedule.directing import entry_named
    from bridge_arena.tournaments.schedule.rulings import Readmit

    _rule(
        context,
        lambda event: Readmit(entry=entry_named(event, entry), round=round_),
        reason,
        author,
        check=check,
    )


@direct.command("pause")
def pause(
    context: typer.Context,
    reason: Reason,
    match: OfMatch = None,
    room: InRoom = None,
    entry: OfEntry = None,
    author: Author = "",
    *,
    check: Check = False,
) -> None:
    """Begin no more boards, of the whole event, of a match, of a room of it or of an entry.

    Boards in play are finished.

    Examples:
        arena direct runs/cup pause --reason "Lunch"
        arena direct runs/cup pause --match 2/1 --room open --reason "The screen is broken"
        arena direct runs/cup pause --entry Visitors --reason "A new version is built"
    """
    from bridge_arena.tournaments.schedule.rulings import Pause

    _rule(
        context,
        lambda event: Pause(match=match, room=_room(room), entry=_optional_entry(event, entry)),
        reason,
        author,
        check=check,
    )


@direct.command("go-on")
def go_on(
    context: typer.Context,
    reason: Reason,
    match: OfMatch = None,
    room: InRoom = None,
    entry: OfEntry = None,
    author: Author = "",
    *,
    check: Check = False,
) -> None:
    """Go on with what was paused.

    Examples:
        arena direct runs/cup go-on --reason "Lunch is over"
    """
    from bridge_arena.tournaments.schedule.rulings import GoOn

    _rule(
        context,
        lambda event: GoOn(match=match, room=_room(room), entry=_optional_entry(event, entry)),
        reason,
        author,
        check=check,
    )


@direct.command("clock")
def clock(
    context: typer.Context,
    spec: Annotated[
        str,
        typer.Argument(metavar="CLOCK", help="seconds an action, or several limits"),
    ],
    reason: Reason,
    entry: OfEntry = None,
    author: Author = "",
    *,
    check: Check = False,
) -> None:
    """Change the clock of all entries, or of one, from the next board on that begins.

    Examples:
        arena direct runs/cup clock 30 --reason "We are late"
        arena direct runs/cup clock "60 board=600" --entry Visitors --reason "A slower machine"
    """
    from bridge_arena.tournaments.schedule.rulings import ChangeClock

    _rule(
        context,
        lambda event: ChangeClock(clock=spec, entry=_optional_entry(event, entry)),
        reason,
        author,
        check=check,
    )


@direct.command("grace", context_settings={"ignore_unknown_options": True})
def grace(
    context: typer.Context,
    seconds: Annotated[float, typer.Argument(metavar="SECONDS", help="to come back to a board")],
    reason: Reason,
    entry: OfEntry = None,
    author: Author = "",
    *,
    check: Check = False,
) -> None:
    """Change how long a lost player is waited for, from the next board on that begins.

    Examples:
        arena direct runs/cup grace 120 --reason "The network is poor"
    """
    from bridge_arena.tournaments.schedule.rulings import ChangeGrace

    _rule(
        context,
        lambda event: ChangeGrace(seconds=seconds, entry=_optional_entry(event, entry)),
        reason,
        author,
        check=check,
    )


@direct.command("take-back")
def take_back(
    context: typer.Context,
    ruling: Number,
    reason: Reason,
    author: Author = "",
    *,
    check: Check = False,
) -> None:
    """Take a ruling back, as if it had not been made; rounds that it drew stay as they are.

    Examples:
        arena direct runs/cup take-back 3 --reason "The appeal was upheld"
    """
    from bridge_arena.tournaments.schedule.rulings import TakeBack

    _rule(context, lambda _: TakeBack(ruling=ruling), reason, author, check=check)


@direct.command("appeal")
def appeal(
    context: typer.Context,
    ruling: Number,
    reason: Annotated[str, typer.Option("--reason", help="the appeal, in a line of text")],
    state: Annotated[
        str, typer.Option("--state", metavar="STATE", help="open, upheld or dismissed")
    ] = "open",
    author: Author = "",
    *,
    check: Check = False,
) -> None:
    """Note an appeal against a ruling, or what became of it. Nothing else follows from it.

    Examples:
        arena direct runs/cup appeal 3 --reason "Home asks for a weighted score"
        arena direct runs/cup appeal 3 --state dismissed --reason "The committee agreed"
    """
    from bridge_arena.tournaments.schedule.rulings import Appeal, AppealState

    states = [known.value for known in AppealState]
    if state not in states:
        raise UnusableError(f"{state!r} is no state of an appeal: {', '.join(states)}")
    _rule(
        context,
        lambda _: Appeal(ruling=ruling, state=AppealState(state)),
        reason,
        author,
        check=check,
    )


@direct.command("list")
def list_(context: typer.Context) -> None:
    """List all rulings, also those that were taken back.

    Examples:
        arena direct runs/cup list
    """
    from bridge_arena.commands.common.console import output_console
    from bridge_arena.reports.common.rulings import print_rulings, shown_rulings
    from bridge_arena.tournaments import StoreError

    with unusable(StoreError, ValueError), closing(_store(context)) as store:
        rulings = shown_rulings(store.event_results())
    print_rulings(rulings, output_console())
    if not rulings:
        print("the director has not ruled anything")


@direct.command("web")
def web(context: typer.Context, port: Port = 0) -> None:
    """Rule in a browser on this machine, until Ctrl-C; the link opens it once.

    An event that is played with --web has such a link of its own.

    Examples:
        arena direct runs/cup web
    """
    from bridge_arena.base.extras import needing
    from bridge_arena.base.wording import cannot_listen
    from bridge_arena.tournaments import StoreError

    need_posix("arena direct web")
    with unusable(ModuleNotFoundError), needing("arena direct web", "web"):
        from bridge_arena.web.director.application import serve

    def on_ready(link: str) -> None:
        print(f"direct it at {link} (Ctrl-C ends it)", flush=True)

    with unusable(StoreError, ValueError), closing(_store(context)) as store:
        try:
            serve(store, port, on_ready)
        except OSError as error:
            raise UnusableError(cannot_listen(f"127.0.0.1 port {port}", error)) from None


def _store(context: typer.Context) -> Store:
    """Open the store of the event that is directed. Raises UnusableError."""
    from bridge_arena.commands.common.loading import open_run

    source, event = context.obj
    return open_run(source, event)


def _rule(
    context: typer.Context,
    decide: Callable[[Event], Decision],
    reason: str,
    author: str,
    *,
    check: bool,
) -> None:
    """Make a ruling, or say only what would follow from it. Raises UnusableError."""
    from pydantic import ValidationError

    from bridge_arena.tournaments import Director, StoreError
    from bridge_arena.tournaments.schedule.rulings import wrong_part

    author = author or _user()
    with unusable(StoreError, ValueError), closing(_store(context)) as store:
        director = Director(store)
        directing = director.directing
        try:
            decision = decide(directing.event)
        except ValidationError as error:
            raise UnusableError(wrong_part(error)) from None
        ruling = director.ruling(decision, author=author, reason=reason, time=datetime.now(UTC))
        title, lines = directing.title(decision), list(directing.consequences(ruling))
        if check:
            print(f"would be ruling {ruling.number}: {title}")
        elif not director.rule(ruling):
            raise UnusableError("there is another ruling or round meanwhile: look, and rule again")
        else:
            print(f"ruling {ruling.number}: {title}")
        for line in lines:
            print(f"  {line}")


def _user() -> str:
    """Return the name of the user. Raises UnusableError."""
    try:
        return getuser()
    except (KeyError, OSError, ImportError):
        raise UnusableError("you have no user name here: say who rules with --author") from None


def _optional_entry(event: Event, name: str | None) -> int | None:
    from bridge_arena.tournaments.schedule.directing import entry_named

    return None if name is None else entry_named(event, name)


def _room(name: str | None) -> Room | None:
    """Return the room of a name. Raises UnusableError."""
    from bridge_arena.bridge.record import Room

    if name is None:
        return None
    rooms = {room.lower(): room for room in Room}
    if name.lower() not in rooms:
        raise UnusableError(f"--room {name}: {' or '.join(rooms)}")
    return rooms[name.lower()]

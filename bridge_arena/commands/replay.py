"""`arena replay`: recorded boards with a bot in one of the seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.commands.common.errors import (
    FailedError,
    UnusableError,
    unusable,
)
from bridge_arena.commands.common.options import BOARD_FILES, given_words, tables_at_once
from bridge_arena.recorded.replay import Start

if TYPE_CHECKING:
    from bridge_arena.base.recorded_text import Problem
    from bridge_arena.recorded.replay.games import RecordedGame
    from bridge_arena.recorded.replay.runner import LostBotError, Replay, Setup
    from bridge_arena.tournaments import EventLog

AGAINST = "baseline"
"""The bot that takes the other seats by default."""

CLOCK = "60"
"""The seconds for each action by default."""


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=BOARD_FILES)],
    bot: Annotated[
        str,
        typer.Option(help="the bot that takes the seat, named as for arena match", metavar="BOT"),
    ],
    seat: Annotated[str, typer.Option(help="the seat: N, E, S or W", metavar="SEAT")] = "S",
    against: Annotated[
        str, typer.Option(help="the bot that takes the other seats", metavar="BOT")
    ] = AGAINST,
    start: Annotated[
        Start, typer.Option("--from", help="the point of the record from which the bots act")
    ] = Start.PLAY,
    seed: Annotated[int, typer.Option(help="seed of the bots' random choices")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            help="folder for the results; default: runs/replay-FILE-BOT-SEAT-FROM[-ID]",
            metavar="DIR",
        ),
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="boards at once; default: one for each processor")
    ] = None,
    clock: Annotated[
        str, typer.Option(help="seconds for each action, or several limits", metavar="CLOCK")
    ] = CLOCK,
) -> None:
    """Put a bot into recorded boards.

    The bot's tricks are compared with double dummy, with the record, and with those that the
    oracle takes in the same seat against the same opponents. If the command is interrupted, the
    same command goes on where it stopped.

    Examples:
        arena replay final.pbn --bot montecarlo --seat N
        arena replay club.lin --bot natural --from auction
    """
    from bridge_arena.board_files.texts import title_of
    from bridge_arena.bridge.seats import Seat
    from bridge_arena.commands.common.folders import folder_of_inputs
    from bridge_arena.commands.common.signals import going_on_with
    from bridge_arena.recorded.replay.runner import Setup
    from bridge_arena.server.clock import TimeControl
    from bridge_arena.tournaments import parse_entry

    with unusable(ValueError):
        control = TimeControl.parse(clock)
        entry, others = parse_entry(bot), parse_entry(against)
        setup = Setup(entry, Seat.parse(seat), others, start, seed, control)
    word = "".join(c if c.isalnum() else "_" for c in setup.bot.name)[:40]
    name = f"replay-{title_of(file)}-{word}-{setup.seat}-{start.value}"
    given = {"--bot": (bot, word), "--against": (against, AGAINST), "--seed": (seed, 0)}
    given["--clock"] = (clock, CLOCK)
    folder = out or folder_of_inputs(name, [file], given_words(given))
    again = ["arena", "replay", str(file), "--bot", bot, "--seat", seat, "--against", against]
    again += ["--from", start.value, "--seed", str(seed), "--out", str(folder), "--clock", clock]
    again += given_words({"--concurrency": (concurrency, None)})
    work = _Replay(file, folder, setup)
    with going_on_with(again):
        work.run(tables_at_once(concurrency))
    print(f"results in {folder}")
    if work.lost is not None:
        raise FailedError(f"{work.lost}; the same command goes on from there")
    if work.bad:
        raise FailedError(f"{work.bad} of the games could not be used, see above")


class _Replay:
    """One run of the command."""

    def __init__(self, file: Path, folder: Path, setup: Setup) -> None:
        from rich.console import Console

        self._file = file
        self._folder = folder
        self._setup = setup
        self._console = Console(stderr=True)
        # The number of games with errors.
        self.bad = 0
        # The error that ended the replay early; None where there was none.
        self.lost: LostBotError | None = None

    def run(self, concurrency: int) -> None:
        """Read the games, play and solve what is left, and report.

        Raises:
            UnusableError: The replay cannot begin, or a file cannot be read or written.
        """
        from bridge_arena.board_files.problems import BoardFileError
        from bridge_arena.board_files.texts import check_can_be_read_again
        from bridge_arena.commands.common.console import output_console
        from bridge_arena.commands.common.folders import alone
        from bridge_arena.recorded.checkpoint import Checkpoint, CheckpointError
        from bridge_arena.recorded.replay.figures import figures_of
        from bridge_arena.recorded.replay.games import read_recorded
        from bridge_arena.recorded.replay.report import CHECKPOINT, LOG, print_figures, write_files
        from bridge_arena.recorded.replay.runner import Replay
        from bridge_arena.tournaments import EventLog

        setup, folder = self._setup, self._folder
        with unusable(BoardFileError, CheckpointError, writing=folder):
            check_can_be_read_again(self._file)
            games = read_recorded(self._file, setup.seat, setup.start, self._report)
            chosen = [game for game in games if game.left_out is None]
            if not chosen:
                raise UnusableError(f"nothing to replay: {_reasons(games)}")
            with alone(folder, is_private=True):
                with (
                    EventLog(folder / LOG) as log,
                    Checkpoint(folder / CHECKPOINT, self._identity()) as checkpoint,
                ):
                    work = Replay(setup, checkpoint)
                    self._work(work, chosen, log, concurrency)
                    replayed = [work.replayed(game) for game in games]
                figures = figures_of(replayed)
                write_files(folder, self._file, setup, replayed, figures)
        print_figures(setup, figures, output_console())

    def _work(
        self, work: Replay, games: Sequence[RecordedGame], log: EventLog, concurrency: int
    ) -> None:
        from bridge_arena.commands.common.console import warn
        from bridge_arena.commands.common.progress import LongWork
        from bridge_arena.commands.common.signals import run_until_signalled
        from bridge_arena.recorded.replay.report import LOG
        from bridge_arena.recorded.replay.runner import LostBotError
        from bridge_arena.server.gateway import GatewayError
        from bridge_arena.server.supervisor import StartError
        from bridge_arena.tournaments.play.announcements import FaultWarnings
        from bridge_arena.tournaments.play.seating.seats import SeatingError

        log.listeners.append(FaultWarnings(partial(warn, self._console)).hear)
        done = sum(map(work.is_played, games))
        with LongWork(self._console) as long_work:
            playing = long_work.begin("playing", len(games), "boards", done)
            boards = work.play(games, log, playing.advance, concurrency)
            try:
                run_until_signalled(boards)
            except LostBotError as lost:
                self.lost = lost
            except SeatingError as error:
                raise UnusableError(f"{error} (its output is in {self._folder / LOG})") from None
            except (GatewayError, StartError) as error:
                raise UnusableError(str(error)) from None
            playing.end()
            solving = long_work.begin("solving", len(games), "boards")
            run_until_signalled(work.solve(games, solving.advance))

    def _identity(self) -> dict[str, str]:
        """Return what must not change between runs. Raises OSError, BoardFileError."""
        from bridge_arena.board_files.texts import name_of, opened

        setup = self._setup
        with opened(self._file) as file:
            digest = sha256()
            while chunk := file.read(1 << 20):
                digest.update(chunk)
        return {
            "file": f"{Path(name_of(self._file)).name} {digest.hexdigest()[:16]}",
            "bot": setup.bot.spec,
            "seat": str(setup.seat),
            "against": setup.against.spec,
            "from": setup.start.value,
            "seed": str(setup.seed),
            "clock": f"{setup.control}",
        }

    def _report(self, problem: Problem) -> None:
        from rich.text import Text

        self.bad += 1
        self._console.print(Text(f"arena: {problem}"), soft_wrap=True)


def _reasons(games: Sequence[RecordedGame]) -> str:
    counted = Counter(game.left_out.value for game in games if game.left_out is not None)
    return ", ".join(f"{count} {reason}" for reason, count in counted.items())

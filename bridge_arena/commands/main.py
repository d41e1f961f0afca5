"""`arena`: finds the command, runs it, and turns what it raises into an exit status.

    0  done
    1  it ran but failed: a bot forfeited the match, a file has bad games
    2  unusable arguments or input
    3  interrupted; it can be resumed

Errors are one line on standard error. Only the module of the command asked for is
imported, so that `arena bot` does not load what only reports need.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING

import typer
from typer.exceptions import TyperException

from bridge_arena.commands.common.errors import (
    FailedError,
    InterruptedCommandError,
    UnusableError,
    plain,
)
from bridge_arena.commands.common.posix import need_posix
from bridge_arena.tournaments.extras import missing_extra

if TYPE_CHECKING:
    from typing_extensions import Buffer

COMMANDS = (
    "match",
    "tournament",
    "serve",
    "token",
    "report",
    "leaderboard",
    "analyse",
    "replay",
    "audit",
    "deal",
    "train",
    "hand",
    "pbn",
    "power",
    "bots",
    "bot",
    "check-bot",
    "check-tables",
)
"""Each is a module of this package with a function of the same name, or a group of
commands; a dash is written there as an underscore."""

NEED_POSIX = frozenset(
    "match tournament serve report leaderboard analyse replay audit check-bot".split()
)
"""They start bots, or the solver's processes."""

_PART_OF_A_TEST = re.compile("(imp0|imp1|alpha|beta)=.*")

DONE, FAILED, UNUSABLE, INTERRUPTED = range(4)


def main() -> None:
    """The entry point of the `arena` program."""
    _name_output()
    status = run(sys.argv[1:])
    # Ctrl-C once more, on the way out, has nothing left to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run a command line; its exit status."""
    arguments = _with_whole_test(arguments or ["--help"])
    try:
        command = typer.main.get_command(_app(arguments))
        # Not `command.main`, which has endings of its own for Ctrl-C and a broken pipe.
        with command.make_context("arena", list(arguments)) as context:
            command.invoke(context)
        print(end="", flush=True)
    except typer.Exit as end:
        return end.exit_code
    except TyperException as error:
        return _complain(error.format_message(), UNUSABLE)
    except UnusableError as error:
        return _complain(str(error), UNUSABLE)
    except FailedError as error:
        return _complain(str(error), FAILED)
    except InterruptedCommandError as error:
        return _complain(str(error), INTERRUPTED)
    except ModuleNotFoundError as error:
        missing = missing_extra(error)
        if missing is None:
            raise
        return _complain(missing, UNUSABLE)
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        _drop_output()  # whoever read it has read enough
    except OSError as error:
        _drop_output()
        return _complain(plain(error), UNUSABLE)
    return DONE


def _with_whole_test(arguments: Sequence[str]) -> list[str]:
    """The arguments with the test after `--sprt`, KEY=VALUE words that no shell quoted, as
    one."""
    joined: list[str] = []
    is_test = False
    for argument in arguments:
        if is_test and _PART_OF_A_TEST.fullmatch(argument):
            if joined[-1] == "--sprt":
                joined.append(argument)
            else:
                joined[-1] += f" {argument}"
            continue
        is_test = argument == "--sprt" or argument.startswith("--sprt=")
        joined.append(argument)
    return joined


class _Output(FileIO):
    """Standard output, whose errors say where it was that nothing could be written."""

    def write(self, data: Buffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OSError(f"cannot write to standard output: {error.strerror}") from None


def _name_output() -> None:
    """Have errors of standard output say that they are of it."""
    out = sys.__stdout__
    if out is None:
        return  # it is closed
    raw = BufferedWriter(_Output(out.fileno(), "w", closefd=False))
    sys.stdout = TextIOWrapper(
        raw, encoding=out.encoding, errors=out.errors, line_buffering=out.isatty()
    )


def _drop_output() -> None:
    """What is still to be flushed to standard output goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _app(arguments: Sequence[str]) -> typer.Typer:
    """The program with the command that is asked for, or with all where none is."""
    app = typer.Typer(rich_markup_mode=None, add_completion=False)

    @app.callback()
    def arena() -> None:
        """Bridge Arena: matches between bridge bots, with reports worth believing."""

    asked = [name for name in arguments[:1] if name in COMMANDS]
    if NEED_POSIX.intersection(asked):
        need_posix(f"arena {asked[0]}")
    for name in asked or COMMANDS:
        word = name.replace("-", "_")
        module = "train.main" if name == "train" else word
        command = getattr(import_module(f"bridge_arena.commands.{module}"), word)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def _complain(text: str, status: int) -> int:
    print(f"arena: {' '.join(text.split())}", file=sys.stderr)
    return status


if __name__ == "__main__":
    main()

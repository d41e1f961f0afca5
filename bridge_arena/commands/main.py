"""`arena`: finds the command, runs it, and turns what it raises into an exit status.

    0  done
    1  it ran but failed: a bot forfeited the match, a file has bad games
    2  unusable arguments or input
    3  interrupted; it can be resumed

Errors are one line on standard error. Only the module of the command asked for is
imported, so that `arena bot` does not load what only reports need; `arena --help` needs none
of them, and works where no extra is installed, as this module does.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING, NoReturn

import bridge_arena
from bridge_arena.commands.command_list import COMMANDS, function_name
from bridge_arena.commands.common.errors import (
    FailedError,
    InterruptedCommandError,
    UnusableError,
    plain,
)
from bridge_arena.commands.common.posix import need_posix

if TYPE_CHECKING:
    from typer import Typer
    from typing_extensions import Buffer

_PART_OF_A_TEST = re.compile("(imp0|imp1|alpha|beta)=.*")

DONE, FAILED, UNUSABLE, INTERRUPTED = range(4)

COMPLETE = "_ARENA_COMPLETE"
"""The environment variable by which a shell asks for completions, in the way that it names."""


def main() -> None:
    """The entry point of the `arena` program."""
    if COMPLETE in os.environ:
        complete()
    _name_output()
    status = run(sys.argv[1:])
    # Ctrl-C once more, on the way out, has nothing left to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run a command line; its exit status."""
    name = arguments[0] if arguments else "--help"
    if name not in (*COMMANDS, "--help", "--version"):
        what = "option" if name.startswith("-") else "command"
        return _complain(f"No such {what}: {name} (see arena --help)", UNUSABLE)
    try:
        if name == "--help":
            print(_help())
        elif name == "--version":
            print(f"Bridge Arena {bridge_arena.__version__}")
        else:
            _invoke(name, _with_whole_test(arguments))
        print(end="", flush=True)  # here an error can still be told
    except UnusableError as error:
        return _complain(str(error), UNUSABLE)
    except FailedError as error:
        return _complain(str(error), FAILED)
    except InterruptedCommandError as error:
        return _complain(str(error), INTERRUPTED)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except ModuleNotFoundError as error:
        from bridge_arena.base.extras import missing  # noqa: PLC0415

        text = missing(name, COMMANDS[name].extra, error.name or "")
        if text is None:
            raise
        return _complain(text, UNUSABLE)
    except BrokenPipeError:
        _drop_output()  # whoever read it has read enough
    except OSError as error:
        _drop_output()
        return _complain(plain(error), UNUSABLE)
    return DONE


def _help() -> str:
    width = max(map(len, COMMANDS))
    return "\n".join(
        (
            "Usage: arena COMMAND [OPTIONS] [ARGS]...",
            "",
            "  Bridge Arena: matches between bridge bots, with reports worth believing.",
            "",
            "Commands (arena COMMAND --help tells more):",
            *(f"  {name:{width}}  {command.help}" for name, command in COMMANDS.items()),
        )
    )


def _invoke(name: str, arguments: Sequence[str]) -> None:
    """Run a command. Raises what it raises, and UnusableError for arguments that it does not
    take."""
    # Here, not at the top: without any extra there is no typer.
    import typer  # noqa: PLC0415
    from typer.exceptions import TyperException  # noqa: PLC0415

    if COMMANDS[name].is_posix:
        need_posix(f"arena {name}")
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.callback()(lambda: None)  # or the only command would be the program itself
    add_command(app, name)
    try:
        # Not the program's `main`, which has endings of its own for Ctrl-C and a broken pipe.
        program = typer.main.get_command(app)
        with program.make_context("arena", list(arguments)) as context:
            program.invoke(context)
    except typer.Exit:
        pass  # its help was asked for
    except TyperException as error:
        raise UnusableError(error.format_message()) from None
    except typer.Abort:
        raise KeyboardInterrupt from None


def add_command(app: Typer, name: str) -> None:
    """Add a command, or a group of commands, to a program. Its module is loaded."""
    import typer  # noqa: PLC0415

    from bridge_arena.commands.common.examples import told_apart  # noqa: PLC0415

    module = import_module(f"bridge_arena.commands.{COMMANDS[name].module}")
    command = getattr(module, function_name(name))
    if isinstance(command, typer.Typer):
        for each in command.registered_commands:
            assert each.callback is not None
            each.help, each.epilog = told_apart(each.callback)
        app.add_typer(command, name=name)
    else:
        told, examples = told_apart(command)
        app.command(name, help=told, epilog=examples)(command)


def complete() -> NoReturn:
    """Print what a shell asks for, which completes a command line, and exit."""
    import typer  # noqa: PLC0415
    from typer import completion  # noqa: PLC0415

    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.callback()(lambda: None)
    # Typer does it only with options of its own, which install scripts.
    completion.completion_init()  # type: ignore[attr-defined]
    begun = _begun()
    for name, command in COMMANDS.items():
        if name == begun:
            add_command(app, name)
        else:
            # Its name is enough.
            app.command(name, help=command.help)(lambda: None)
    with suppress(ModuleNotFoundError):
        typer.main.get_command(app)(prog_name="arena", complete_var=COMPLETE)
    sys.exit(DONE)


def _begun() -> str:
    """The first word after the program's name in the line that a shell asks about."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    return [*line.split(), "", ""][1]


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


def _complain(text: str, status: int) -> int:
    print(f"arena: {' '.join(text.split())}", file=sys.stderr)
    return status


if __name__ == "__main__":
    main()

"""The program `arena`: it runs a command, and turns what the command raises into an exit status.

    0  done
    1  it ran but failed: a bot forfeited the match, a file has bad games
    2  unusable arguments or input
    3  interrupted; it can be resumed

An error is one line on standard error. Only the module of the given command is imported. It has
the command's options, and imports the rooms that do the work when the command runs: so its help
is there at once, and `arena bot` does not load what only reports need. `arena --help` imports no
command's module, and works where no extra is installed, as this module does.
"""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING, NoReturn

import bridge_arena
from bridge_arena.base.masking import without_password
from bridge_arena.commands.command_list import COMMANDS, function_name
from bridge_arena.commands.common.errors import (
    FailedError,
    InterruptedCommandError,
    UnusableError,
    need_posix,
    plain,
)

if TYPE_CHECKING:
    from typer import Typer
    from typing_extensions import Buffer

_PART_OF_A_TEST = re.compile("(imp0|imp1|alpha|beta)=.*")

DONE, FAILED, UNUSABLE, INTERRUPTED = range(4)

COMPLETE = "_ARENA_COMPLETE"
"""The environment variable with which a shell asks for completions; its value says in what form."""


def main() -> None:
    """Run the program `arena` with the arguments of this process, and exit."""
    if COMPLETE in os.environ:
        complete()
    _name_output()
    # What is loaded stays: the collector would go through it again and again meanwhile. Nor need it
    # look more often while the command works, which makes few cycles.
    gc.set_threshold(50_000)
    status = run(sys.argv[1:])
    # A second Ctrl-C, while the program exits, has nothing to interrupt.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run a command line, and return its exit status."""
    name = arguments[0] if arguments else "--help"
    if name not in (*COMMANDS, "--help", "--version"):
        return _complain(f"{_unknown(name)} (see arena --help)", UNUSABLE)
    try:
        if name == "--help":
            print(_help())
        elif name == "--version":
            print(f"Bridge Arena {bridge_arena.__version__}")
        else:
            _invoke(name, _with_whole_test(arguments))
        print(end="", flush=True)  # an error can still be reported here
    except UnusableError as error:
        return _complain(str(error), UNUSABLE)
    except FailedError as error:
        return _complain(str(error), FAILED)
    except InterruptedCommandError as error:
        return _complain(str(error), INTERRUPTED)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except ModuleNotFoundError as error:
        from bridge_arena.base.extras import missing

        text = missing(name, COMMANDS[name].extra, error.name or "")
        if text is None:
            raise
        return _complain(text, UNUSABLE)
    except BrokenPipeError:
        _drop_output()  # the reader has closed the pipe
    except OSError as error:
        _drop_output()
        return _complain(plain(error), UNUSABLE)
    return DONE


def _unknown(name: str) -> str:
    """Return what is wrong with the name of a command, in typer's words for those of a group."""
    if name.startswith("-"):
        return f"No such option: {name}"
    alike = ", ".join(map(repr, get_close_matches(name, COMMANDS)))
    return f"No such command {name!r}" + (f". Did you mean {alike}?" if alike else "")


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
    """Run a command.

    Raises what it raises, and UnusableError for arguments that it does not take.
    """
    # Imported here, as typer is not installed where no extra is.
    import typer
    from typer.exceptions import TyperException

    if COMMANDS[name].is_posix:
        need_posix(f"arena {name}")
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.callback()(lambda: None)  # without it, a single command would be the program itself
    add_command(app, name)
    try:
        # Not the program's `main`, which handles Ctrl-C and a broken pipe in its own way.
        program = typer.main.get_command(app)
        with program.make_context("arena", list(arguments)) as context:
            program.invoke(context)
    except typer.Exit:
        pass  # it has printed its help
    except TyperException as error:
        # The prefix is pydantic's, by which typer reads the values.
        message = error.format_message().replace(": Value error, ", ": ", 1)
        if message.startswith("No such command"):
            message = f"{message.rstrip('.')} (see arena {name} --help)"
        raise UnusableError(message) from None
    except typer.Abort:
        raise KeyboardInterrupt from None


def add_command(app: Typer, name: str) -> None:
    """Import the module of a command, or of a group of commands, and add it to a program."""
    import typer

    from bridge_arena.commands.common.examples import help_and_examples

    module = import_module(f"bridge_arena.commands.{COMMANDS[name].module}")
    command = getattr(module, function_name(name))
    if isinstance(command, typer.Typer):
        for member in command.registered_commands:
            assert member.callback is not None
            member.help, member.epilog = help_and_examples(member.callback)
        app.add_typer(command, name=name)
    else:
        help_, examples = help_and_examples(command)
        app.command(name, help=help_, epilog=examples)(command)


def complete() -> NoReturn:
    """Print what a shell asks for to complete a command line, and exit."""
    # Where an extra is missing, there is nothing to propose.
    with suppress(ModuleNotFoundError):
        import typer
        from typer import completion

        app = typer.Typer(rich_markup_mode=None, add_completion=False)
        app.callback()(lambda: None)
        # Typer calls this only for programs with its own options that install scripts.
        completion.completion_init()  # type: ignore[attr-defined]
        begun = _begun()
        for name, command in COMMANDS.items():
            if name == begun:
                add_command(app, name)
            else:
                # The completion needs only its name.
                app.command(name, help=command.help)(lambda: None)
        typer.main.get_command(app)(prog_name="arena", complete_var=COMPLETE)
    sys.exit(DONE)


def _begun() -> str:
    """Return the first word after the program's name in the line that a shell completes."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    return [*line.split(), "", ""][1]


def _with_whole_test(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with the KEY=VALUE words after `--sprt` joined to one argument."""
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
    """Standard output, with errors that say that it could not be written to."""

    def write(self, data: Buffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OSError(f"cannot write to standard output: {error.strerror}") from None


def _name_output() -> None:
    """Make errors of standard output say that it could not be written to.

    What its encoding does not have, such as a name that is not UTF-8, is written as `?`.
    """
    out = sys.__stdout__
    if out is None:
        return  # it is closed
    raw = BufferedWriter(_Output(out.fileno(), "w", closefd=False))
    errors = "replace" if out.errors == "strict" else out.errors
    sys.stdout = TextIOWrapper(
        raw, encoding=out.encoding, errors=errors, line_buffering=out.isatty()
    )


def _drop_output() -> None:
    """Discard what is still to be flushed to standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(text: str, status: int) -> int:
    print(f"arena: {without_password(' '.join(text.split()))}", file=sys.stderr)
    return status


if __name__ == "__main__":
    main()

"""Write the page of the command line from the commands themselves.

python -m docs.generators.cli_document [FOLDER]
"""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from bridge_arena.commands.command_list import COMMANDS
from bridge_arena.commands.main import add_command
from docs.generators.page import table, write

NAME = "cli.md"

_HEAD = """\
# The command line

<!-- Written by docs/generators/cli_document.py: change the commands, and run it again. -->

Every command of `arena`, with its arguments and options. `arena COMMAND --help` tells the same.
`arena completion` has a shell complete them.

| exit status | meaning | example |
| --- | --- | --- |
| 0 | The command is done. | |
| 1 | It ran but failed. | A bot forfeited the match; a file has bad games. |
| 2 | The arguments or the input cannot be used. Nothing could be done. | There is no such file. |
| 3 | It was interrupted, and can go on: the last line says how. | Ctrl-C |

Every error is one line on standard error.
"""


def markdown() -> str:
    """Return the text of the page."""
    parts = [_HEAD]
    for name, told in COMMANDS.items():
        command = _command(name)
        parts.extend(_sections(f"arena {name}", f"arena {name}", command, told.extra, 2))
    return "\n".join(parts)


def _command(name: str) -> Any:
    """Return a command or a group of commands as typer makes it."""
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.callback()(lambda: None)
    add_command(app, name)
    program: Any = typer.main.get_command(app)
    return program.commands[name]


def _sections(title: str, called: str, command: Any, extra: str, level: int) -> Iterator[str]:
    yield f"{'#' * level} {title}\n"
    yield f"{_paragraphs(command.help)}\n"
    if level == 2:
        yield f"Extra: `{extra}`.\n"
    children = getattr(command, "commands", {})
    arguments = [
        _argument(parameter)
        for parameter in command.params
        if parameter.param_type_name == "argument" and not _is_hidden(parameter)
    ]
    own = [*arguments, "COMMAND ..."] if children else ["[OPTIONS]", *arguments]
    yield f"    {' '.join([called, *own])}\n"
    context = command.make_context(title, [], resilient_parsing=True)
    shown = [parameter for parameter in command.params if not _is_hidden(parameter)]
    rows = [_row(parameter, context) for parameter in shown]
    if rows:
        yield table(("argument or option", "meaning", "default"), rows) + "\n"
    if command.epilog:
        _, _, examples = inspect.cleandoc(command.epilog).partition(":\n")
        yield f"Examples:\n\n{textwrap.indent(textwrap.dedent(examples), 4 * ' ')}\n"
    for name, child in children.items():
        with_arguments = " ".join([called, *arguments, name])
        yield from _sections(f"{title} {name}", with_arguments, child, extra, level + 1)


def _is_hidden(parameter: Any) -> bool:
    return bool(getattr(parameter, "hidden", False)) or parameter.name == "help"


def _argument(parameter: Any) -> str:
    text = (parameter.metavar or parameter.name.upper()).strip("{}[]")
    text += "..." if parameter.nargs == -1 and not text.endswith("...") else ""
    return text if parameter.required else f"[{text}]"


def _row(parameter: Any, context: Any) -> tuple[str, str, str]:
    if parameter.param_type_name == "argument":
        name = f"`{_argument(parameter)}`"
    else:
        options = [*parameter.opts, *parameter.secondary_opts]
        name = ", ".join(f"`{option}`" for option in options)
        if not parameter.is_flag:
            name += f" `{_metavar(parameter, context)}`"
    default = parameter.default
    is_told = not parameter.required and default is not None and default is not False
    is_told = is_told and isinstance(default, (str, int, float, Path)) and default != ""
    shown = f"`{default}`" if is_told else "required" if parameter.required else ""
    return name, parameter.help or "", shown


def _metavar(parameter: Any, context: Any) -> str:
    told = parameter.metavar or parameter.display_type(context)
    one = re.sub(r"^list\[(.*)\]$", r"\1", str(told).strip("<>"))
    return one.removesuffix(" range")


def _paragraphs(text: str | None) -> str:
    told = inspect.cleandoc(text or "")
    paragraphs = [" ".join(part.split()) for part in re.split(r"\n\s*\n", told)]
    return "\n\n".join(paragraphs).replace("\b", "").replace("\f", "")


if __name__ == "__main__":
    write(NAME, markdown(), sys.argv[1:])

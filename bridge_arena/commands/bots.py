"""`arena bots`: the bots that ship, and a page about each.

A page is made of docstrings: the first paragraph of the bot's module, the description of its
class, and the explanations of its options in the section `Args:` of the class.
"""

from __future__ import annotations

import inspect
import re
import sys
from typing import TYPE_CHECKING, Annotated, Literal, get_args, get_origin

import typer

from bridge_arena.commands.common.errors import unusable
from bridge_arena.commands.common.options import Json, bot_names, print_json

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from bridge_arena.bots.registry import Shipped
    from bridge_arena.bots.sdk.client import Bot

_UNKNOWN = "not measured yet"

_SECTION = re.compile(r"^(Args|Raises|Attributes|Note):$", re.M)
"""The headings that end the description in the docstring of a class."""

_ARGUMENTS = re.compile(r"^Args:\n(?P<entries>(?:    .*\n?)+)", re.M)

_ENTRY = re.compile(r"^    (?P<name>\w+): (?P<meaning>.+(?:\n     .+)*)", re.M)


def bots(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]", help="show the page of this bot", autocompletion=bot_names
        ),
    ] = "",
    *,
    as_json: Json = False,
) -> None:
    """List the bots that ship, or show one.

    Each page says what the bot does, and gives its options, strength and cost.

    Examples:
        arena bots
        arena bots montecarlo
        arena bots --json
    """
    from bridge_arena.bots.registry import SHIPPED, UnknownBotError, parse
    from bridge_arena.commands.common.console import output_console

    console = output_console()
    if name:
        with unusable(UnknownBotError):
            shipped, _ = parse(name)
        if as_json:
            print_json(_document(shipped))
        else:
            _print_page(shipped, console)
    elif as_json:
        print_json([_document(shipped) for shipped in SHIPPED.values()])
    else:
        console.print(_list())


def description(kind: type[Bot]) -> list[str]:
    """Return the paragraphs about a bot: its module's first, and its class's."""
    module = inspect.getdoc(sys.modules[kind.__module__]) or ""
    said = _SECTION.split(_docstring(kind))[0]
    texts = [module.partition("\n\n")[0], *said.split("\n\n")]
    return [" ".join(text.split()) for text in texts if text.strip()]


def meanings(kind: type[Bot]) -> dict[str, str]:
    """Return what the class says about each option, in the section `Args:`."""
    section = _ARGUMENTS.search(_docstring(kind))
    entries = _ENTRY.finditer(section["entries"]) if section else ()
    return {entry["name"]: " ".join(entry["meaning"].split()) for entry in entries}


def _docstring(kind: type[Bot]) -> str:
    return inspect.cleandoc(kind.__doc__ or "")


def _list() -> Table:
    """Return the table of the bots: what each does, and below that its strength and cost."""
    from rich.table import Table
    from rich.text import Text

    from bridge_arena.bots.registry import SHIPPED

    table = Table(box=None, padding=(0, 1), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for bot in SHIPPED.values():
        text = Text(f"{bot.does}\n")
        text.append(f"Strength: {bot.strength or _UNKNOWN}.", style="dim")
        text.append(f" Cost: {bot.cost or _UNKNOWN}.", style="dim")
        table.add_row(Text(_title(bot), style="bold"), text)
    return table


def _document(shipped: Shipped) -> dict[str, object]:
    """Return what `--json` prints about a bot."""
    from bridge_arena.bots.registry import options

    kind = shipped.load()
    said = meanings(kind)
    return {
        "name": shipped.name,
        "sees_all_hands": shipped.cheat,
        "does": shipped.does,
        "strength": shipped.strength or None,
        "cost": shipped.cost or None,
        "options": [
            {
                "name": name,
                "values": _values(option.kind),
                "default": option.default,
                "meaning": said.get(name, ""),
            }
            for name, option in options(kind).items()
        ],
    }


def _print_page(shipped: Shipped, console: Console) -> None:
    from rich.text import Text

    from bridge_arena.bots.registry import options

    kind = shipped.load()
    console.print(Text(_title(shipped), style="bold"), Text(f"- {shipped.does}"))
    for paragraph in description(kind):
        console.print()
        console.print(Text(paragraph))
    console.print()
    if options(kind):
        console.print(_options(kind))
    console.print(Text(f"Strength: {shipped.strength or _UNKNOWN}"))
    console.print(Text(f"Cost: {shipped.cost or _UNKNOWN}"))


def _title(shipped: Shipped) -> str:
    return f"{shipped.name} (cheat)" if shipped.cheat else shipped.name


def _options(kind: type[Bot]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from bridge_arena.bots.registry import options

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("option", "values", "default", "meaning"):
        table.add_column(column, overflow="fold")
    said = meanings(kind)
    for name, option in options(kind).items():
        default = "-" if option.default == "" else str(option.default)
        table.add_row(name, _values(option.kind), default, Text(said.get(name, "")))
    return table


def _values(kind: object) -> str:
    if get_origin(kind) is Literal:
        return ", ".join(get_args(kind))
    if kind is int:
        return "a whole number"
    return "a number" if kind is float else "text"

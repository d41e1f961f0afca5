"""The export of games one after the other, with their inherited values preserved.

`#` and `##` stay as in the file if they mean the same in the export. They may not after a game that
is left out, or one that got a tag which it has not in the file: then the next game's values that
would be others are written out.
"""

from __future__ import annotations

from copy import deepcopy

from bridge_arena.pbn.model import Game, Tag
from bridge_arena.pbn.read.reader import Inheritance
from bridge_arena.pbn.values import UNKNOWN
from bridge_arena.pbn.write.canonical import DATES, canonical
from bridge_arena.pbn.write.edit import resolved
from bridge_arena.pbn.write.export_values import date, deal, result, tag_name


class Succession:
    """The games of one file, taken in their order."""

    def __init__(self) -> None:
        # The values that the games written so far pass on to the next.
        self._inheritance = Inheritance()

    def form(self, game: Game) -> Game:
        """Return the export form of the next game; raise RecordedTextError if it has none."""
        form = canonical(game)
        changed = self._changed(form, game)
        if changed:
            form = canonical(resolved(game, changed))
        self._inheritance.apply(_as_written(form))
        return form

    def _changed(self, form: Game, game: Game) -> set[str]:
        """Return the tags that would inherit values of another meaning."""
        inherited = [name for name in game.values if _is_inherited(game.tag(name))]
        if not inherited:
            return set()
        read = _as_written(form)
        deepcopy(self._inheritance).apply(read)
        return {
            name
            for name in inherited
            if _meaning(name, read.values.get(tag_name(name), ""), form)
            != _meaning(name, game.values[name], form)
        }


def _is_inherited(tag: Tag | None) -> bool:
    return tag is None or tag.value[:1] == "#"


def _as_written(form: Game) -> Game:
    """Return the game with its own values alone, before inheritance."""
    return Game(values={tag.name: tag.value for tag in form.tags})


def _meaning(name: str, value: str, form: Game) -> str:
    """Return the same text for values that mean the same in a game."""
    if value in UNKNOWN:
        return "?"
    try:
        if name == "Deal":
            return deal(value, "N")
        if name == "Result":
            return result(value, form.get("Declarer"), form.get("Contract"))
    except ValueError:
        return value
    return date(value) if name in DATES else value

"""Games one after the other in an export: what they inherit stays what it was.

`#` and `##` stand as in the file, where they mean the same in the export. They would not after a
game that is left out, or one that gets a tag which it does not have in the file: there the game's
inherited values are written out.
"""

from __future__ import annotations

from copy import deepcopy

from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.reader import Inheritance
from bridge_arena.pbn.write.canonical import canonical
from bridge_arena.pbn.write.edit import resolved


class Succession:
    """Takes the games of one file in their order."""

    def __init__(self) -> None:
        # What the games written so far leave to the next.
        self._inheritance = Inheritance()

    def form(self, game: Game) -> Game:
        """The export form of the next game. Raises PbnError, as `canonical` does."""
        form = canonical(game)
        if not self._means_the_same(form, game):
            form = canonical(resolved(game))
        self._inheritance.apply(_as_written(form))
        return form

    def _means_the_same(self, form: Game, game: Game) -> bool:
        read = _as_written(form)
        inherited = [name for name in game.values if read.values.get(name, "#")[:1] == "#"]
        if not inherited:
            return True
        deepcopy(self._inheritance).apply(read)
        return all(read.values.get(name) == game.values[name] for name in inherited)


def _as_written(form: Game) -> Game:
    """The game with its own values alone, as a reader has it at first."""
    return Game(values={tag.name: tag.value for tag in form.tags})

"""The export of games one after the other, with their inherited values preserved.

`#` and `##` stay as in the file if they mean the same in the export. They do not after a game that
is left out, or one that got a tag which it has not in the file: then the inherited values of the
next game are written out.
"""

from __future__ import annotations

from copy import deepcopy

from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.reader import Inheritance
from bridge_arena.pbn.write.canonical import canonical
from bridge_arena.pbn.write.edit import resolved


class Succession:
    """The games of one file, taken in their order."""

    def __init__(self) -> None:
        # The values that the games written so far pass on to the next.
        self._inheritance = Inheritance()

    def form(self, game: Game) -> Game:
        """Return the export form of the next game.

        Args:
            game: The game.

        Returns:
            Its export form.

        Raises:
            PbnError: The game has no export form.
        """
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
    """Return the game with its own values alone, before inheritance."""
    return Game(values={tag.name: tag.value for tag in form.tags})

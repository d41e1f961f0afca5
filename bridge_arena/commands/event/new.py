"""`arena event new`: an event file with comments, by questions and answers."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.base.wording import one_line
from bridge_arena.commands.common.errors import UnusableError, complain, unusable

FILE = Path("event.toml")
"""The file that is written by default."""

_BOTS = ("natural", "baseline", "minimax", "random")
"""The entries of a new event by default; where it takes more, they come again."""

_FEWEST = {"match": 2, "individual": 8}
"""The entries of a format by default; there are four where it is not named here."""

_TEXT = """\
# An event of Bridge Arena.
#
# What would be played, and how long it takes:  arena event check {file}
# To play it:                                   arena tournament {file}
#
# All keys are in docs/reference/event-file.md, and an example with each of them is
# docs/examples/events/every-key.toml.

[event]
# The name of the event in all results.
name = {name}

# Who meets whom: match, round-robin, gauntlet, swiss, knock-out, pairs or individual.
format = {format}

# Boards of a match; of a round in pairs and individual events.
boards = {boards}

# Seconds for each action, or several limits: "10 match=1800+5" also gives each side half an hour
# for a match, and five seconds more for each action.
clock = {clock}

# The deals are sealed: nobody can know them before, and everybody can verify them afterwards. A
# seed gives the same boards everywhere, for experiments.
# seed = 1

# Deals, scoring and rounds are those usual in the format, unless they are given.
# deals = "barometer"
# scoring = "imps"

# "sandbox": the bots see nothing of this machine, nor of each other.
# isolation = "sandbox"

# [policies]
# How often an entry's bot is started again after it was lost, before the entry is withdrawn.
# restarts = 3

# The entries, best first: their order is their seeding. A bot is one that ships (arena bots), a
# program (cmd:python my_bot.py), a person in a browser (human:NAME) or a bot that connects by
# itself (remote:NAME, for arena serve). A name is shown in its place:
# name = "My bot"
{entries}"""


@dataclass(frozen=True, slots=True)
class Answers:
    """What a new event file is made of."""

    name: str
    format: str = "round-robin"
    entries: tuple[str, ...] = ()  # as `bot` has them; none for those by default
    boards: str = "16"
    clock: str = "60"

    def text(self, file: Path) -> str:
        """Return the file."""
        entries = "\n".join(f"[[entry]]\nbot = {_quoted(bot)}\n" for bot in self.bots)
        return _TEXT.format(
            file=_word(file),
            name=_quoted(self.name),
            format=_quoted(self.format),
            boards=self.boards if self.boards.isdecimal() else _quoted(self.boards),
            clock=_quoted(self.clock),
            entries=entries,
        )

    @property
    def bots(self) -> Sequence[str]:
        """The entries, or those by default."""
        return self.entries or tuple(islice(cycle(_BOTS), _FEWEST.get(self.format, len(_BOTS))))

    def mistakes(self, file: Path) -> list[str]:
        """Return what keeps the file from being one of an event, by the reader of event files."""
        from bridge_arena.tournaments.events.event_file import EventFileError, parse_event

        try:
            parse_event(self.text(file), file)
        except EventFileError as error:
            # Without the line, which nobody has seen.
            prefix = f"{file}:"
            lines = [mistake.removeprefix(prefix) for mistake in error.mistakes]
            return [line.partition(": ")[2] for line in lines]
        return []


def new(
    file: Annotated[Path, typer.Argument(metavar="[FILE]", help="the file to write")] = FILE,
    yes: Annotated[  # noqa: FBT002
        bool, typer.Option("--yes", help="ask nothing: a round robin of four bots that ship")
    ] = False,
) -> None:
    """Write an event file with comments, by your answers.

    It asks for format, entries, boards and clock; Enter takes what stands in brackets. No file is
    ever overwritten.

    Examples:
        arena event new cup.toml
        arena event new --yes
    """
    if file.exists():
        raise UnusableError(f"{file} exists already: name another file")
    name = one_line(file.stem.replace("-", " ").replace("_", " ")).strip().capitalize()
    answers = Answers(name or "Event")
    if answers.mistakes(file):  # as PBN cannot have the name
        answers = replace(answers, name="Event")
    if not yes:
        answers = _ask_at_terminal(answers, file)
    with unusable(writing=file):
        text = answers.text(file).encode()
        try:
            with file.open("xb") as written:
                written.write(text)
        except FileExistsError:
            raise UnusableError(f"{file} exists already: name another file") from None
        except OSError:
            file.unlink(missing_ok=True)
            raise
    print(f"wrote {one_line(str(file))}; what would be played: arena event check {_word(file)}")


def _ask_at_terminal(answers: Answers, file: Path) -> Answers:
    """Ask whoever is at the terminal for the answers. Raises UnusableError if they end."""
    formats = "match, round-robin, gauntlet, swiss, knock-out, pairs, individual"

    def ask_format(so_far: Answers) -> Answers:
        return replace(so_far, format=_line(f"format: {formats}", so_far.format))

    def ask_entries(so_far: Answers) -> Answers:
        print(f"entries, one a line, the best first; none: {', '.join(so_far.bots)}")
        entries: list[str] = []
        while entry := _line(f"entry {len(entries) + 1}, Enter ends"):
            entries.append(entry)
        return replace(so_far, entries=tuple(entries))

    def ask_boards(so_far: Answers) -> Answers:
        whole = "a round" if so_far.format in ("pairs", "individual") else "a match"
        return replace(so_far, boards=_line(f"boards of {whole}", so_far.boards))

    def ask_clock(so_far: Answers) -> Answers:
        what = "clock: seconds for each action, or several limits"
        return replace(so_far, clock=_line(what, so_far.clock))

    for ask in (ask_format, ask_entries, ask_boards, ask_clock):
        # Again, until the answer can be used.
        while mistakes := (given := ask(answers)).mistakes(file):
            for mistake in mistakes:
                complain(mistake)
        answers = given
    return answers


def _line(question: str, default: str = "") -> str:
    """Return the answer to a question. Raises UnusableError where there is none."""
    prompt = f"{question} [{default}]: " if default else f"{question}: "
    try:
        line = input(prompt).strip()
    except EOFError:
        print()
        raise UnusableError("the answers end too soon: --yes asks nothing") from None
    except UnicodeDecodeError:
        raise UnusableError("the answers are not in the terminal's encoding") from None
    return one_line(line) or default


def _word(file: Path) -> str:
    """Return a path as a word of a command line."""
    return shlex.quote(one_line(str(file)))


def _quoted(text: str) -> str:
    """Return a text as TOML has it."""
    return json.dumps(text, ensure_ascii=False)

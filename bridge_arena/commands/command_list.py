"""The table of the commands of `arena`: their help, extras and modules.

`arena --help` needs nothing else: it loads no command's module.
"""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    """A command of `arena`, whose function or group of commands has its name in its module."""

    help: str  # the first line of it
    extra: str  # the extra of the distribution that it always needs
    module: str  # of this package
    is_posix: bool = False  # whether it starts bots or processes of the solver


COMMANDS = {
    "match": Command("Play a match between two bots.", "arena", "match", is_posix=True),
    "play": Command("Play boards yourself, in a browser.", "arena", "play", is_posix=True),
    "mcp": Command("Give an agent a seat, by the Model Context Protocol.", "mcp", "mcp.main"),
    "tournament": Command(
        "Play an event: round robin, Swiss, knock-out, pairs and more.",
        "arena",
        "tournament",
        is_posix=True,
    ),
    "serve": Command(
        "Serve an event: wait for remote bots, start the others, play.",
        "arena",
        "serve",
        is_posix=True,
    ),
    "ladder": Command(
        "Play a ladder: bots come and go, and ranks hold at every look.",
        "report",
        "ladder.main",
        is_posix=True,
    ),
    "rate": Command(
        "Place a bot among bots that ship.",
        "report",
        "rate",
        is_posix=True,
    ),
    "llm-bench": Command(
        "Bench language models on the same boards.",
        "http",
        "llm_bench",
        is_posix=True,
    ),
    "token": Command("Make a token, and print it.", "arena", "token"),
    "event": Command(
        "Write the file of an event, check it, or show how it stands.",
        "report",
        "event.main",
        is_posix=True,
    ),
    "direct": Command(
        "Rule on an event as its director, while it is played or after.",
        "report",
        "direct",
    ),
    "report": Command("Report a match or a tournament again.", "report", "report", is_posix=True),
    "leaderboard": Command(
        "Rank and compare the entries of one event or of many.",
        "report",
        "leaderboard",
        is_posix=True,
    ),
    "publish": Command(
        "Write a site of plain files from runs.",
        "web",
        "publish",
        is_posix=True,
    ),
    "view": Command("Look at boards in a browser.", "web", "view", is_posix=True),
    "analyse": Command(
        "Compare recorded play with the double-dummy oracle.", "report", "analyse", is_posix=True
    ),
    "replay": Command("Put a bot into recorded boards.", "arena", "replay", is_posix=True),
    "audit": Command(
        "Check whether a bot sees more than it should.", "arena", "audit", is_posix=True
    ),
    "deal": Command(
        "Deal boards as PBN; commit to an event's deals, or verify them.", "arena", "deal"
    ),
    "train": Command("Train the bots that learn.", "arena", "train.main"),
    "hand": Command("Compare single hands, and open them.", "arena", "hand"),
    "boards": Command(
        "Check, convert and summarise files of boards, or make datasets.",
        "report",
        "boards.main",
    ),
    "pbn": Command(
        "The old name of `arena boards`, kept for one more version.", "report", "boards.main"
    ),
    "lab": Command(
        "Bid thousands of boards a second, and tell where the gain is.",
        "arena",
        "lab.main",
        is_posix=True,
    ),
    "power": Command("Tell how many boards it takes to show a difference.", "report", "power"),
    "bots": Command("List the bots that ship, or show one.", "arena", "bots"),
    "bot": Command("Run a shipped bot on a server, until the server says goodbye.", "arena", "bot"),
    "robot": Command(
        "Answer requests for calls and cards over HTTP.",
        "arena",
        "robot",
        is_posix=True,
    ),
    "check-tables": Command(
        "Check bidding tables: every mistake, with its file and line.", "arena", "check_tables"
    ),
    "check-bot": Command(
        "Check whether a bot keeps to the protocol, point by point.",
        "arena",
        "check_bot",
        is_posix=True,
    ),
    "doctor": Command("Check what works on this machine.", "arena", "doctor"),
    "completion": Command(
        "Print a script that has a shell complete commands.", "arena", "completion"
    ),
}


def function_name(command: str) -> str:
    """Return the name of a command's function: the command's, with underscores for dashes."""
    return command.replace("-", "_")

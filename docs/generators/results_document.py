"""Write the page of the results' formats from the tables of the store.

python -m docs.generators.results_document [FOLDER]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from sqlalchemy import Column

from bridge_arena.tournaments.store.models import Base
from docs.generators.docstrings import attributes, summary
from docs.generators.page import table, write

NAME = "results.md"

_HEAD = """\
# The results

<!-- Written by docs/generators/results_document.py: change the tables, and run it again. -->

What a match or an event leaves for programs to read.
"""

_FILES = (
    ("`summary.json`", "the figures of a match", "[Reports](../reports.md#summaryjson)"),
    (
        "`leaderboard.json`, `leaderboard.csv`",
        "the figures of an event",
        "[Leaderboards](../leaderboards.md#leaderboardjson)",
    ),
    (
        "`match.pbn`, `event.pbn`",
        "every board, with the definition of the event",
        "[PBN files](../pbn.md#what-the-arena-adds)",
    ),
    (
        "`results.sqlite`",
        "the event and every board: the other files are made from it",
        "[below](#resultssqlite)",
    ),
    ("`log.jsonl`", "what happened, in that order", "[below](#logjsonl)"),
)

_NOTES = """\
[Compatibility](../compatibility.md) says what may change in which release. Only the organiser may
read `results.sqlite` and `log.jsonl` while the event is played: they have all hands, and the secret
key of the deals.
"""

_STORE = """\
## results.sqlite

One SQLite database. With `--store URL` the same tables are in a PostgreSQL database, which may have
several events. The key of a row is what the row is about (a board at a table, a seat), not a
counter, so two runs that played the same boards have the same rows, in whatever order they played
them. In the open room of a match the first entry sits North-South, in the closed room East-West. A
column of type JSON is text in SQLite. `alembic_version` has the version of the schema; the arena
brings an older database up to date when it opens it.

This query gives declarer's double-dummy tricks before the lead, for each table:

```sql
SELECT round, match, position, room, json_extract("values", '$[0]') FROM analysis
```
"""

_LOG = """\
## log.jsonl

One JSON object on each line, in UTF-8, for diagnosis: no command reads it. A resumed event adds
lines. A line has `time` (UTC, in ISO 8601, to the millisecond), `event` (what happened) and the
values below. `unit` is a board at a table, `round/match/position/room` as in the keys of `record`,
and `bot` is an entry with its seat.
"""

LINES = {
    "event_began": (
        "The event begins, or is resumed.",
        {
            "name": "the event's name",
            "clock": "its time control",
            "claims": "who decides claims",
            "policies": "the keys of `[policies]`, with all defaults",
            "commitment": "the commitment to the deals",
            "boards_played": "the boards that the store has, each room of a match counted",
        },
    ),
    "round_began": (
        "The first board of a round is about to begin; boards of the round before may be in play.",
        {"round": "the number of the round"},
    ),
    "bot_started": (
        "The process of a bot was started.",
        {"bot": "the bot", "pid": "the id of its process", "command": "its command, as a list"},
    ),
    "seated": (
        "A bot took its seat at all its tables.",
        {"bot": "the bot", "says": "the name and version in its `Hello`"},
    ),
    "no_show": (
        "A bot did not come in time.",
        {
            "bot": "the bot",
            "why": "how many of its tables it connected for, and the time",
            "output": "the end of what it printed, if it was started here",
        },
    ),
    "wrong_token": (
        "A client was refused, as its token is wrong or was replaced; at most four lines a minute.",
        {
            "address": "the address that it came from",
            "others": "how many were refused since the last such line without one of their own",
        },
    ),
    "connection": (
        "A connection was lost, or is back.",
        {"bot": "the bot", "news": "what happened", "table": "its table; absent for Blue Chip"},
    ),
    "bot_ended": (
        "The process of a bot ended at its seat; the bot may be started again.",
        {"bot": "the bot", "why": "how it ended", "output": "the last 4 KiB that it printed"},
    ),
    "bot_lost": (
        "A bot was lost, so that its board was given up.",
        {"bot": "the bot", "why": "the fault", "output": "the last 4 KiB that it printed"},
    ),
    "bot_output": (
        "The session of a bot that the arena started is over.",
        {"bot": "the bot", "output": "the last 4 KiB that it printed"},
    ),
    "fault": (
        "A player committed a fault at a board in play.",
        {
            "unit": "the board at its table",
            "board": "the number on the board",
            "kind": "the kind of fault",
            "seat": "the player's seat",
            "entry": "its entry",
            "action": "the action of the board at which it happened: calls, then cards, from 0",
            "detail": "what happened, in words",
        },
    ),
    "claim": (
        "A claim was settled.",
        {
            "unit": "the board at its table",
            "board": "the number on the board",
            "seat": "declarer's seat",
            "entry": "declarer's entry",
            "tricks": "the tricks claimed",
            "cards_played": "the cards played before it",
            "accepted": "whether it was accepted",
        },
    ),
    "board_ended": (
        "A board ended, and is in the store.",
        {
            "unit": "the board at its table",
            "board": "the number on the board",
            "contract": "the contract; null if it was passed out or given up",
            "tricks": "declarer's tricks, or null",
            "score": "North-South's score, or null",
            "adjusted": "the side at fault if the board was adjusted; else null",
            "faults": "a list of the faults: `kind`, `seat`, `entry`, `action` (calls, then cards, "
            "from 0) and `detail`",
        },
    ),
    "question": (
        "After `board_ended`: a player asked what a call means.",
        {
            "unit": "the board at its table",
            "board": "the number on the board",
            "seat": "who asked",
            "entry": "the entry that asked",
            "action": "the action before which it asked",
            "call": "the number of the call in the auction, from 0",
            "answer": "the explanation; null if there was none",
        },
    ),
    "thought": (
        "After `board_ended`: what a player thought about an action. It also has those of `text`, "
        "`candidates`, `layouts`, `depth` and `seconds` that the player told.",
        {
            "unit": "the board at its table",
            "board": "the number on the board",
            "seat": "the player's seat",
            "entry": "the player's entry",
            "action": "the number of the action",
        },
    ),
    "ladder_began": (
        "A ladder begins, or goes on. Lines of its matches have their numbers as `match`, too.",
        {"name": "the ladder's name", "matches": "the matches that were drawn before"},
    ),
    "version_came": (
        "A player of a ladder came for the first time, or with another program or other settings.",
        {
            "player": "the player",
            "version": "what tells the version from its others",
            "number": "the number of the version",
        },
    ),
    "alert": (
        "The administrator of a ladder has to know something.",
        {
            "state": "`began`; `began` once more if the text changes; `ended`; or `noted` for what "
            "happens at one moment",
            "kind": "what it is about, as in `ladder_alert`, or `test`",
            "subject": "the player; empty if it is about none",
            "text": "what is to be known",
            "since": "when it began",
        },
    ),
    "match_drawn": (
        "A match of a ladder was drawn.",
        {"match": "its number", "teams": "the two players, the home team first"},
    ),
    "match_adjourned": (
        "A match of a ladder goes on later, as a bot is gone that connects by itself.",
        {"match": "its number", "gone": "the players that are gone"},
    ),
    "match_failed": (
        "A match of a ladder could not begin or go on; it goes on later.",
        {"match": "its number", "why": "what is wrong"},
    ),
    "match_ended": (
        "A match of a ladder is over, and counts.",
        {
            "match": "its number",
            "teams": "the two players, the home team first",
            "boards": "the boards that count",
            "imps": "their IMPs, seen from the home team",
            "left": "the boards that count against each player, as it left them",
            "faults": "the faults of each player",
            "proves": "a list of players that are surely stronger now, each with a weaker one",
        },
    ),
    "order_from_afar": (
        "An administrator or an author gives an order, which changes something, to a ladder by "
        "its pages: in `web.jsonl`, as the next three.",
        {
            "order": "the order, without the address of a webhook",
            "author": "the author; empty for the administrator",
        },
    ),
    "order_from_afar_ended": (
        "The order was carried out or refused.",
        {
            "kind": "the `order` of the order; empty if it cannot be read",
            "author": "the author; empty for the administrator",
            "outcome": (
                "`done`, or why it was refused or what failed; `not known` if the ladder ended"
            ),
        },
    ),
    "author_asked": (
        "Somebody asks to be an author of a ladder.",
        {"author": "the name that the author would have", "request": "the number of the request"},
    ),
    "author_came": (
        "Somebody was shown the token of an author.",
        {"author": "the author", "by": "`invitation` or `request`"},
    ),
    "ladder_resumed": (
        "A ladder goes on after something could not be written or read; lines may be missing.",
        {},
    ),
    "ladder_stopped": ("A ladder was stopped.", {}),
    "ruling": (
        "A ruling of the director was taken up.",
        {
            "number": "its number in the event, from 1",
            "author": "who made it",
            "reason": "why",
            "after": "the last round that was drawn before it; 0 if none was",
            "decision": "what was decided, with its `kind`",
        },
    ),
    "paused": ("The director has paused all that is left to play.", {}),
    "withdrawn": (
        "An entry was withdrawn.",
        {"entry": "the entry", "boards_lost": "the boards that it lost"},
    ),
    "key_revealed": (
        "All is played, and the key of the deals is public.",
        {"key": "the key", "public_value": "the value of the event's public text"},
    ),
    "deals_valued": (
        "Stand-ins have played the deals of a match and others.",
        {"boards": "the number of boards", "seconds": "the time that it took"},
    ),
    "interrupted": ("The event was stopped or interrupted; it can be resumed.", {}),
    "event_ended": ("The event is over.", {}),
}
"""When each kind of line is written, and the meanings of its values."""

_KINDS = {
    "INTEGER": "whole number",
    "VARCHAR": "text",
    "DOUBLE": "number",
    "BOOLEAN": "boolean",
    "BLOB": "bytes",
}


def markdown() -> str:
    """Return the text of the page."""
    files = table(("file", "what it has", "its format"), _FILES)
    parts = [_HEAD, files, "", _NOTES, _STORE]
    described = {m.class_.__tablename__: m.class_ for m in Base.registry.mappers}
    for each in Base.metadata.sorted_tables:
        meanings = attributes(described[each.name])
        rows = [(f"`{c.name}`", _kind(c), meanings[c.name]) for c in each.columns]
        parts += [f"### {each.name}\n", summary(described[each.name]), ""]
        parts += [table(("column", "type", "meaning"), rows), ""]
    parts.append(_LOG)
    parts.append(table(("`event`", "when it is written", "values"), _lines()))
    return "\n".join(parts) + "\n"


def _kind(column: Column[object]) -> str:
    kind = _KINDS.get(str(column.type), str(column.type))
    return f"{kind}, key" if column.primary_key else kind


def _lines() -> Iterator[tuple[str, str, str]]:
    for name, (when, values) in LINES.items():
        told = "; ".join(f"`{value}`: {meaning}" for value, meaning in values.items())
        yield f"`{name}`", when, told


if __name__ == "__main__":
    write(NAME, markdown(), sys.argv[1:])

"""Play a wire log back to a bot, and compare its answers with those in the log.

The bot gets again every message that the server sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridge_arena.base.wording import plural
from bridge_arena.bots.sdk.client import Bot, name_of
from bridge_arena.bots.sdk.tables import SeatedBot
from bridge_arena.bots.sdk.wire_log import LoggedFrame, WireLogError, read_wire_log
from bridge_arena.protocol.codec import decode_client
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import Thought
from bridge_arena.protocol.session import ClientSession


@dataclass(frozen=True, slots=True)
class Replayed:
    """A turn that was played back."""

    line: int  # the line of the log with the server's message, from 1
    board: int  # the number of the board
    now: str  # the bot's answer now, in words
    then: str  # the bot's answer in the log, in words; "" where the log ends before it


def replay_log(make_bot: Callable[[], Bot], path: Path) -> Iterator[Replayed]:
    """Play a bot's sessions of a log back, one after the other, each to a new bot.

    The bot's answers do not change the messages that it gets next: these are those of the log.

    Raises:
        OSError: The log cannot be read.
        WireLogError: The file is no wire log, it has no session of a bot of this name, or a message
            in it violates the protocol.
    """
    sessions: dict[str, list[LoggedFrame]] = {}
    for frame in read_wire_log(path):
        sessions.setdefault(frame.session, []).append(frame)
    names = {_name(frames) for frames in sessions.values()}
    own = name_of(make_bot())
    if own not in names:
        others = ", ".join(sorted(names)) or "none at all"
        raise WireLogError(f"{path} has no session of {own}: sessions of {others}")
    for frames in sessions.values():
        if _name(frames) == own:
            yield from _replay(make_bot(), frames, path)


def _name(frames: Sequence[LoggedFrame]) -> str:
    """Return the name that the bot of a session gave in its Hello."""
    hellos = (
        message for frame in frames for message in frame.messages if message.get("type") == "Hello"
    )
    return str(next(hellos, {}).get("name", ""))


def print_replay(make_bot: Callable[[], Bot], path: Path) -> None:
    """Play a log back, and print the turns in which the bot answers differently now.

    It raises what `replay_log` raises.
    """
    turns = different = 0
    for turn in replay_log(make_bot, path):
        turns += 1
        if turn.now != turn.then:
            different += 1
            then = turn.then or "no answer"
            print(f"{path}:{turn.line}: board {turn.board}: {turn.now} now, {then} then")
    how = f"{different} answered differently" if different else "all as then"
    print(f"{plural(turns, 'turn')}, {how}")


def _replay(bot: Bot, frames: list[LoggedFrame], path: Path) -> Iterator[Replayed]:
    session = ClientSession("replay")
    seated_bot = SeatedBot(bot, session)
    for index, frame in enumerate(frames):
        if frame.side == "bot":
            continue
        try:
            answer = seated_bot.answer_to(frame.data)
        except ProtocolError as error:
            raise WireLogError(f"{path}:{frame.line}: {error}") from None
        if answer is not None:
            assert session.view is not None
            answers = (later.messages for later in frames[index + 1 :] if later.side == "bot")
            then = _action(next(answers, []))
            now = _action(message.model_dump(mode="json") for message in decode_client(answer))
            yield Replayed(frame.line, session.view.number, now, then)


def _action(messages: Any) -> str:
    """Return the action in a frame of the bot in words, without its thoughts."""
    for message in messages:
        if isinstance(message, Mapping) and message.get("type") != Thought.__name__:
            return _in_words(message)
    return ""


def _in_words(message: Mapping[str, Any]) -> str:
    kind = message.get("type")
    if kind == "MakeCall":
        return f"{message.get('call')}{'!' if message.get('alert') else ''}"
    if kind == "PlayCard":
        return str(message.get("card"))
    if kind == "Claim":
        return f"a claim of {message.get('tricks')}"
    if kind == "AnswerClaim":
        return "the claim accepted" if message.get("accept") else "the claim refused"
    if kind == "NoAction":
        return "no action"
    if kind == "Explain":
        return f"asks about call {message.get('call')}"
    return str(kind)

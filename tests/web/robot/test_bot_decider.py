"""A bot that is asked about positions: as a new board each time, whatever it does."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from textwrap import dedent

import pytest

from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.calls import DOUBLE, PASS, Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.decision import Ask, NoActionError
from bridge_arena.protocol.http_robot.position import Position
from bridge_arena.protocol.messages import Answer, MakeCall, Thought, YourTurn
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.players import LocalPlayer
from bridge_arena.tournaments.events.entries import parse_entry
from bridge_arena.tournaments.play.seating.seats import SeatingError
from bridge_arena.web.robot.bot_decider import (
    MOST_QUESTIONS,
    BotDecider,
    BotError,
    Decision,
    decided,
)
from tests.protocol.http_robot.positions import random_turn

OPENING = Position.of(random_turn(1, 0).view)
SECOND = Position.of(random_turn(1, 1).view)


class Scripted(Bot):
    """Makes one call at every turn, and plays low."""

    def __init__(self, call: Call | MadeCall = PASS) -> None:
        super().__init__()
        self._call = call

    def call(self, _view: View) -> Call | MadeCall | Ask:
        self.think("so be it", candidates={PASS: 1.0})
        return self._call

    def play(self, view: View) -> Card:
        return min(view.legal_cards())


async def decision_of(bot: Bot, position: Position = OPENING) -> Decision:
    return await decided(LocalPlayer(Viewer(position.seat), bot), position, 60.0, 7)


async def test_a_bot_that_is_asked_answers_with_call_meaning_and_thoughts() -> None:
    made = MadeCall(Call("1C"), alert=True, explanation=Explanation("three or more"))
    decision = await decision_of(Scripted(made))
    assert decision.action == made
    assert [thought.text for thought in decision.thoughts] == ["so be it"]


async def test_a_bot_that_is_asked_answers_with_a_card() -> None:
    for length in range(10, 60, 5):
        view = random_turn(2, length).view
        if view.play is not None:
            decision = await decision_of(Scripted(), Position.of(view))
            assert decision.action == min(view.legal_cards())


async def test_an_illegal_answer_is_not_passed_on() -> None:
    with pytest.raises(BotError, match="X is illegal"):
        await decision_of(Scripted(DOUBLE))


class Broke(Scripted):
    """Has no action."""

    def call(self, _view: View) -> Call:
        raise NoActionError("out of money")


async def test_no_action_is_told_with_its_reason() -> None:
    with pytest.raises(BotError, match="it has no action: out of money"):
        await decision_of(Broke())


class Late(LocalPlayer):
    """Answers an earlier position first."""

    _left = 3

    async def act(self, turn: YourTurn) -> Answer | Thought:
        answer = await super().act(turn)
        if self._left == 0 or not isinstance(answer, MakeCall):
            return answer
        self._left -= 1
        self._says.append(answer)
        earlier = {"board": turn.board - 1} if self._left else {"seq": turn.seq - 1}
        return answer.model_copy(update={"call": Call("7NT"), **earlier})


async def test_a_late_answer_is_not_taken_for_the_next_position() -> None:
    late = Late(Viewer(OPENING.seat), Scripted())
    assert (await decided(late, OPENING, 60.0, 7)).action == MadeCall(PASS)


class Curious(Bot):
    """Asks about the first call, so many times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._left = times

    def call(self, view: View) -> Call | Ask:
        if self._left == 0:
            assert view.explained == {0: None}
            return PASS
        self._left -= 1
        return Ask(0)


async def test_a_question_has_no_answer() -> None:
    """The position does not tell what the opponents' calls mean."""
    assert (await decision_of(Curious(2), SECOND)).action == MadeCall(PASS)


async def test_a_bot_that_asks_without_end_is_stopped() -> None:
    with pytest.raises(BotError, match=f"it asked {MOST_QUESTIONS} questions about one position"):
        await decision_of(Curious(1000), SECOND)


# With processes.


@asynccontextmanager
async def program(
    folder: Path, text: str, seconds: float = 60.0
) -> AsyncIterator[tuple[BotDecider, list[str]]]:
    """A program whose class `Mine` is the bot, and what is complained of."""
    path = folder / "mine.py"
    head = """
        import sys, time
        from pathlib import Path
        from bridge_arena import PASS, Bot, Call, run
    """
    path.write_text(dedent(head) + dedent(text) + "\nrun(Mine)\n")
    complaints: list[str] = []
    entry = parse_entry(f"mine=cmd:{shlex.quote(sys.executable)} {shlex.quote(str(path))}")
    async with BotDecider(entry, 1, seconds, complaints.append).running() as bot:
        yield bot, complaints


@pytest.mark.slow
async def test_a_bot_that_fails_is_started_again(tmp_path: Path) -> None:
    """After a crash, and when it hangs; each time for the next position."""
    text = f"""
        class Mine(Bot):
            def call(self, view):
                marks = Path({str(tmp_path / "marks")!r})
                with marks.open("a") as file:
                    file.write(view.seat.letter)
                times = marks.read_text().count(view.seat.letter)
                if times == 1:
                    sys.exit("no more")
                if times == 2:
                    time.sleep(60)
                return PASS
    """
    async with program(tmp_path, text, 3.0) as (bot, complaints):
        with pytest.raises(BotError, match="connection lost"):
            await bot.decide(OPENING)
        with pytest.raises(BotError, match="no answer within 3 s"):
            await bot.decide(OPENING)
        assert (await bot.decide(OPENING)).action == MadeCall(PASS)
    assert len(complaints) == 2
    assert complaints[0].startswith(f"mine ({OPENING.seat}): ")


@pytest.mark.slow
async def test_equal_positions_get_equal_answers(tmp_path: Path) -> None:
    """The answers are the same for a bot that draws, and when several ask at once."""
    text = """
        class Mine(Bot):
            def call(self, view):
                legal = view.legal_calls()
                return legal[int(self.rng.random() * len(legal))]
    """
    async with program(tmp_path, text) as (bot, complaints), asyncio.TaskGroup() as group:
        positions = [Position.of(random_turn(seed, 0).view) for seed in range(5)] * 3
        tasks = [group.create_task(bot.decide(position)) for position in positions]
        await asyncio.gather(*tasks)
    answers = [task.result().action for task in tasks]
    assert answers[:5] == answers[5:10] == answers[10:]
    assert len(set(map(str, answers))) > 1
    assert complaints == []


async def test_no_seat_learns_what_another_was_asked(tmp_path: Path) -> None:
    """Not even of a bot that tells all that it has ever seen."""
    text = """
        from bridge_arena import Explanation, MadeCall

        class Mine(Bot):
            seen = []

            def call(self, view):
                self.seen.append(f"{view.seat}:{view.hand}")
                return MadeCall(PASS, explanation=Explanation(" ".join(self.seen)))
    """
    turns = [random_turn(1, length).view for length in (0, 1, 2, 3)]
    async with program(tmp_path, text) as (bot, _):
        for view in turns:
            action = (await bot.decide(Position.of(view))).action
            assert isinstance(action, MadeCall)
            assert str(action.explanation) == f"{view.seat}:{view.hand}"
    assert len({view.seat for view in turns}) == 4


async def test_a_program_that_ends_before_it_sits_down_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SeatingError, match="ended before it sat down: exit status 1: not today"):
        async with program(tmp_path, "sys.exit('not today')"):
            pass


@pytest.mark.slow
async def test_whoever_asks_is_not_told_why_the_program_does_not_start(tmp_path: Path) -> None:
    """Its output and its folder are for whoever runs the robot."""
    text = """
        class Mine(Bot):
            def call(self, view):
                Path(__file__).unlink()
                sys.exit("no more")
    """
    async with program(tmp_path, text) as (bot, complaints):
        with pytest.raises(BotError, match="connection lost"):
            await bot.decide(OPENING)
        with pytest.raises(BotError, match=r"^the bot cannot be started$"):
            await bot.decide(OPENING)
    assert any("mine.py" in complaint for complaint in complaints)

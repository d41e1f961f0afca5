"""After an undo the table continues as if the action had never been made."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from io import BytesIO
from random import Random

import pytest

from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.pbn.read.records import read_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import HEADER, format_game
from bridge_arena.protocol.codec import decode_client, encode, frame
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import (
    Answer,
    Error,
    Message,
    Thought,
    Undo,
    Welcome,
    YourTurn,
)
from bridge_arena.protocol.outgoing import SoFar
from bridge_arena.protocol.visibility import Dealt, Event, Kibitzer, Viewer, visible
from bridge_arena.server.claims import Claims
from bridge_arena.server.driver import play_board
from bridge_arena.server.faults import LENIENT, SeatFault
from bridge_arena.server.feed import AFTER_BOARD, Feed
from bridge_arena.server.players import LocalPlayer
from bridge_arena.server.table import MOST_UNDOS, UNDO_SECONDS
from tests.server.tables import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Lowly,
    RecordingTable,
    answer,
    faults,
    in_no_time,
    kinds,
    new_table,
    play_lowest,
    random_move,
    reply,
    say,
    say_all,
    shown_to,
    silence,
    table_at_play,
    turn_of,
)

NAMES = ("Norma", "Ed", "Sue", "Will")


def test_a_call_is_taken_back_with_all_that_came_after() -> None:
    table = new_table()
    table.start(0.0)
    say_all(table, "1NT Pass 2C Pass")
    events = say(table, "undo")
    assert kinds(events) == "Dealt YourTurn"
    assert (turn_of(table).player, turn_of(table).seq) == (NORTH, 2)
    assert (table.calls, faults(table)) == ([], ["N undo 0"])
    assert table.faults[0].detail == "took back 1NT"
    say_all(table, "1C 1D")
    assert [str(made.call) for made in table.calls] == ["1C", "1D"]


def test_a_card_of_dummy_is_declarers_to_take_back() -> None:
    table = table_at_play()
    say_all(table, "DK DT D2 DA")
    assert turn_of(table).player is WEST
    said = kinds(say(table, "undo"))
    assert said.endswith("AuctionEnd CardPlayed DummyShown CardPlayed CardPlayed YourTurn")
    say(table, "undo")
    assert (turn_of(table).player, turn_of(table).seat) == (WEST, WEST.partner)
    assert faults(table) == ["W undo 16", "W undo 14"]


def test_cards_are_taken_back_before_calls() -> None:
    table = table_at_play()
    say_all(table, "DK DT D2")
    say(table, "undo")  # dummy's card
    assert kinds(say(table, "undo")).endswith("CallMade CallMade YourTurn")  # West's last pass
    assert table.play is None
    assert turn_of(table).player is WEST


def test_an_undo_needs_something_to_take_back() -> None:
    table = new_table()
    table.start(0.0)
    say(table, "1NT")
    events = say(table, "undo")
    error = events[0].happening
    assert isinstance(error, Error)
    assert error.text == "Undo is illegal: there is nothing to take back"
    assert faults(table) == ["E illegal 1"]


def test_a_seat_takes_back_a_few_times_on_a_board_and_no_more() -> None:
    """Else a board with bots, who always agree, might last for ever."""
    table = new_table(control="match=60+5")
    table.start(0.0)
    say_all(table, "1NT Pass 2C Pass")
    left = turn_of(table).match_seconds
    for _ in range(MOST_UNDOS):
        say(table, "undo")
        assert turn_of(table).match_seconds == left  # an undo earns no increment
        say_all(table, "1NT Pass 2C Pass")
        left = turn_of(table).match_seconds
    error = say(table, "undo")[0].happening
    assert isinstance(error, Error)
    assert error.text == "Undo is illegal: a seat may ask for it 8 times on a board"
    say(table, "Pass")
    say(table, "undo")  # East's own
    assert faults(table)[-2:] == ["N illegal 4", "E undo 1"]


def test_an_open_claim_is_answered_before_an_undo() -> None:
    table = table_at_play(claims=Claims.PLAYERS)
    say_all(table, "DK DT D2")
    say(table, "claim=13")
    assert kinds(say(table, "undo")) == "Error YourTurn"


def test_after_a_claim_was_taken_back_there_may_be_another() -> None:
    table = table_at_play(claims=Claims.CHECKED)
    say_all(table, "DK DT D2 DA")
    say(table, "claim=12")
    table.settle(0.0, accepted=False)
    say(table, "undo")
    assert turn_of(table).may_claim


def test_time_that_was_used_stays_used_after_an_undo() -> None:
    table = new_table(control="board=60")
    table.start(0.0)
    say(table, "1NT", 10.0)
    say(table, "Pass", 10.0)
    say(table, "Pass", 20.0)
    say(table, "2S", 20.0)
    say(table, "undo", 30.0)
    assert turn_of(table).seconds == 30.0


def test_given_calls_cannot_be_taken_back() -> None:
    given = new_table()
    given.start(0.0)
    say_all(given, "Pass Pass Pass 1NT Pass Pass Pass")
    table = new_table(given=given.calls)
    table.start(0.0)
    say(table, "DK")  # North's
    assert kinds(say(table, "undo")) == "Error YourTurn"  # of West nothing was asked yet
    say_all(table, "DT D2 DA D5")
    assert kinds(say(table, "undo")).endswith("AuctionEnd YourTurn")
    assert (turn_of(table).player, table.calls) == (NORTH, given.calls)


# Whatever is taken back, and whenever.


def test_after_an_undo_the_table_is_as_if_the_action_had_never_been() -> None:
    assert sum(taken_back(seed) for seed in range(30)) > 100


def taken_back(seed: int) -> int:
    """Play a board at random, taking back at random; how often that was."""
    rng = Random(seed)
    table = new_table(number=seed + 1)
    table.start(0.0)
    # What was not taken back: who said it, what was thought before, and the call or card.
    said: list[tuple[Seat, str, str | MadeCall]] = []
    undos = dict.fromkeys(SEATS, 0)
    while table.turn is not None:
        player = table.turn.player
        own = [at for at, (who, *_) in enumerate(said) if who == player]
        if own and undos[player] < MOST_UNDOS and rng.random() < 0.2:
            say(table, "undo")
            undos[player] += 1
            del said[own[-1] :]
        else:
            said.append((player, f"{rng.random()}", random_move(rng, table)))
            do(table, *said[-1])
    other = new_table(number=seed + 1)
    other.start(0.0)
    for each in said:
        do(other, *each)
    viewers: list[Viewer | Kibitzer] = [*map(Viewer, SEATS), Kibitzer()]
    for viewer in viewers:
        assert since_dealt(table, viewer) == since_dealt(other, viewer)
    assert replace(table.record(NAMES), faults=()) == other.record(NAMES)
    assert [timing.seat for timing in table.timings] == [timing.seat for timing in other.timings]
    return len(table.faults)


def do(table: RecordingTable, player: Seat, thought: str, move: str | MadeCall) -> None:
    """The player in turn thinks, and acts."""
    turn = turn_of(table)
    assert turn.player is player
    about = Thought(table=turn.table, board=turn.board, seq=turn.seq, text=thought)
    table.act(player, about, 0.0)
    say(table, move)


def since_dealt(table: RecordingTable, viewer: Viewer | Kibitzer) -> list[Message]:
    """Return what a viewer was last told of the board, but turns, and without numbers."""
    told = shown_to(viewer, last_time(table))
    return [each.model_copy(update={"seq": 0}) for each in told if not isinstance(each, YourTurn)]


def last_time(table: RecordingTable) -> list[Event]:
    """Return what happened since the board was last dealt."""
    dealt = max(at for at, each in enumerate(table.events) if isinstance(each.happening, Dealt))
    return table.events[dealt:]


# Beyond the table.


class Regretful(LocalPlayer):
    """Takes its second action back, once, and its first."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(Viewer(seat), Lowly({0: "1NT"}))
        self.left = 2

    async def act(self, turn: YourTurn) -> Answer | Thought:
        assert self.view is not None
        if self.left and len(self.view.calls) >= 4:
            self.left -= 1
            return Undo(table=turn.table, board=turn.board, seq=turn.seq)
        return await super().act(turn)


def played_with_undo(feed: Feed) -> RecordingTable:
    table = new_table()
    players = {seat: LocalPlayer(Viewer(seat), Lowly({0: "1NT"})) for seat in SEATS}
    players[NORTH] = Regretful(NORTH)
    feed.begin(1)
    in_no_time(play_board(table, players, kibitzers=[feed]))
    return table


def test_a_board_with_undos_is_played_to_its_end() -> None:
    table = played_with_undo(Feed(Welcome(table="A1"), AFTER_BOARD))
    assert faults(table) == ["N undo 0", "N undo 0"]
    assert table.play is not None
    assert len(table.play.cards) == 52
    assert table.score is not None


def test_the_record_keeps_that_something_was_taken_back() -> None:
    table = table_at_play()
    say_all(table, "DK DT D2")
    say_all(table, "undo")
    play_lowest(table)
    record = table.record(NAMES)
    assert record.faults == (Fault(WEST, FaultKind.UNDO, 14, "took back DT"),)
    assert reread(record).faults == record.faults


def reread(record: BoardRecord) -> BoardRecord:
    """Return a record that was written as PBN and read again."""
    text = HEADER + format_game(game_of(record))
    (read,) = read_records(BytesIO(text.encode()))
    return read


def test_those_who_watch_after_the_board_are_not_shown_what_was_taken_back() -> None:
    feed = Feed(Welcome(table="A1"), AFTER_BOARD)
    table = played_with_undo(feed)
    feed.release({1})
    shown = [each.message for each in feed.after(0)]
    assert shown == shown_to(Kibitzer(), last_time(table))
    assert shown != shown_to(Kibitzer(), table.events)


def test_no_bot_can_take_anything_back() -> None:
    with pytest.raises(ProtocolError):
        decode_client(frame([encode(Undo(table="A1", board=1, seq=2))]))


# Where people play against each other, an undo is a request.

NORTH_AND_EAST = (NORTH, EAST)


def table_of(*people: Seat, calls: str = "1NT Pass 2C Pass") -> RecordingTable:
    """A table where North has called one notrump and is in turn again."""
    table = new_table(people=people)
    table.start(0.0)
    say_all(table, calls)
    return table


def test_opponents_who_are_people_are_asked_and_bots_agree() -> None:
    table = table_of(NORTH, SOUTH, WEST)
    assert kinds(say(table, "undo", 10.0)) == "YourTurn"
    turn = turn_of(table)
    assert (turn.player, turn.undo, turn.legal, turn.seconds) == (WEST, "1NT", [], UNDO_SECONDS)
    assert kinds(say(table, "accept", 20.0)) == "Dealt YourTurn"
    assert (table.calls, faults(table)) == ([], ["N undo 0"])


def test_one_refusal_settles_it_and_who_has_not_answered_is_no_longer_asked() -> None:
    table = table_of(*SEATS)
    before = turn_of(table)
    say(table, "undo", 10.0)
    assert [turn.player for turn in table.turns] == [EAST, WEST]
    assert kinds(reply(table, EAST, "refuse", 30.0)) == "Error YourTurn"
    (turn,) = table.turns
    assert is_told_that_it_is_over(table, WEST)
    assert not isinstance(shown_to(Viewer(EAST), table.events)[-1], Error)
    # Nothing has changed, and no time was taken while the others thought.
    assert (turn.player, turn.legal, turn.undo) == (NORTH, before.legal, None)
    assert turn.seconds == 50.0
    assert faults(table) == []


def is_told_that_it_is_over(table: RecordingTable, seat: Seat) -> bool:
    """Return whether an opponent's page, reloaded or not, no longer asks it for an answer."""
    so_far = SoFar()
    for event in table.events:
        if (outgoing := visible(event, Viewer(seat))) is not None:
            so_far.take(outgoing)
    return so_far.turn is None


def test_both_opponents_agree() -> None:
    table = table_of(*SEATS)
    say(table, "undo")
    assert reply(table, WEST, "accept") == []
    assert [turn.player for turn in table.turns] == [EAST]
    assert kinds(reply(table, EAST, "accept")) == "Dealt YourTurn"
    assert faults(table) == ["N undo 0"]


def test_after_a_refusal_there_is_no_other_request_at_that_turn() -> None:
    table = table_of(NORTH, EAST)
    say_all(table, "undo refuse")
    # Who asks again, as after a reload, is refused again, without a fault and at once.
    assert kinds(say(table, "undo")) == "YourTurn"
    assert (turn_of(table).player, turn_of(table).undo, faults(table)) == (NORTH, None, [])
    say_all(table, "2D Pass Pass 2S")
    say(table, "undo")
    assert turn_of(table).undo == "2D"


def test_who_does_not_answer_refuses_without_a_fault_or_loss_of_time() -> None:
    table = table_of(NORTH, EAST, calls="1NT 2C Pass Pass")
    say(table, "undo", 10.0)
    assert table.deadline == 10.0 + UNDO_SECONDS
    assert not is_told_that_it_is_over(table, EAST)
    assert kinds(silence(table, 40.0)) == "Error YourTurn"
    assert is_told_that_it_is_over(table, EAST)
    assert (turn_of(table).player, faults(table)) == (NORTH, [])
    say(table, "Pass", 41.0)
    table = new_table(people=NORTH_AND_EAST, control="match=60")
    table.start(0.0)
    say_all(table, "1NT Pass Pass 2C")
    say(table, "undo", 10.0)
    silence(table, 40.0)
    say_all(table, "Pass", 40.0)
    assert turn_of(table).match_seconds == 60.0


def test_nothing_else_answers_a_request() -> None:
    table = table_of(NORTH, EAST)
    say(table, "undo")
    turn = turn_of(table)
    for said in ("Pass", "undo"):
        table.act(EAST, answer(table.turn_of(EAST) or turn, said), 0.0)
        if table.turn_of(EAST) is None:
            break
    assert turn_of(table).player is NORTH  # after two faults it is refused for East
    assert is_told_that_it_is_over(table, EAST)
    assert faults(table) == ["E illegal 4", "E illegal 4"]


def test_nobody_else_is_told_of_a_request() -> None:
    table = table_of(NORTH, EAST)
    before = {
        viewer: shown_to(viewer, table.events) for viewer in map(Viewer, (NORTH, SOUTH, WEST))
    }
    watching = shown_to(Kibitzer(), table.events)
    say(table, "undo")
    assert all(shown_to(viewer, table.events) == told for viewer, told in before.items())
    assert shown_to(Kibitzer(), table.events) == watching


def test_a_player_who_is_lost_while_asked_gives_the_board_up() -> None:
    table = table_of(NORTH, EAST)
    say(table, "undo")
    table.forfeit(EAST, FaultKind.STALL, "does not read")
    assert table.turn is None
    assert not table.record(NAMES).is_finished


def test_who_is_lost_for_bad_answers_to_a_request_is_not_charged_for_the_time() -> None:
    table = new_table(
        control="match=60", people=NORTH_AND_EAST, policies=replace(LENIENT, illegal=1)
    )
    table.start(0.0)
    say_all(table, "1NT Pass 2C Pass")
    say(table, "undo", 20.0)
    before = table.match_seconds[EAST]
    table.malformed(EAST, "nonsense", 40.0)
    assert faults(table) == ["E malformed 4", "E refused 4"]
    assert table.match_seconds[EAST] == before


class Asked(LocalPlayer):
    """Answers the requests of opponents after some seconds; None: is gone when one comes."""

    def __init__(self, seat: Seat, said: str | None, seconds: float = 0.0) -> None:
        super().__init__(Viewer(seat), Lowly())
        self.said = said
        self.seconds = seconds

    async def act(self, turn: YourTurn) -> Answer | Thought:
        if not turn.undo:
            return await super().act(turn)
        await asyncio.sleep(self.seconds)
        if self.said is None:
            raise SeatFault(FaultKind.DISCONNECT, "the page was closed or lost")
        return answer(turn, self.said)


@pytest.mark.parametrize(
    ("east", "west", "seconds", "undone"),
    [
        (("accept", 5.0), ("accept", 9.0), 18.0, 2),
        (("refuse", 5.0), ("accept", 9.0), 5.0, 0),  # nobody waits for the other
        (("accept", 5.0), ("accept", 99.0), UNDO_SECONDS, 0),
        (("accept", 5.0), (None, 9.0), 9.0, 0),  # the board is not given up
    ],
)
def test_two_opponents_are_asked_at_once(
    east: tuple[str | None, float], west: tuple[str | None, float], seconds: float, undone: int
) -> None:
    async def play() -> tuple[RecordingTable, float]:
        table = new_table(people=SEATS)
        players = {seat: LocalPlayer(Viewer(seat), Lowly()) for seat in SEATS}
        players |= {NORTH: Regretful(NORTH), EAST: Asked(EAST, *east), WEST: Asked(WEST, *west)}
        await play_board(table, players)
        return table, asyncio.get_running_loop().time()

    table, now = in_no_time(play())
    assert (now, faults(table)) == (seconds, ["N undo 0"] * undone)
    assert table.record(NAMES).is_finished


def test_an_opponent_who_alone_is_asked_and_gone_refuses() -> None:
    table = new_table(people=NORTH_AND_EAST)
    players = {seat: LocalPlayer(Viewer(seat), Lowly()) for seat in SEATS}
    in_no_time(play_board(table, {**players, NORTH: Regretful(NORTH), EAST: Asked(EAST, None)}))
    assert faults(table) == []
    assert table.record(NAMES).is_finished

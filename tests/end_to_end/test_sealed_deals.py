"""Deals that nothing gives away before they are played, and everybody can check afterwards."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.cards import CARDS, Card, Hand
from bridge_arena.bridge.seats import Seat
from bridge_arena.bridge.seeds import DealKey, seat_seed
from tests.data import ROOT
from tests.end_to_end.arena import arena, log_of, summary_of, write_bot
from tests.end_to_end.conftest import Here

TELLTALE = """
import json, os, sys, threading
from pathlib import Path
from random import Random
from bridge_arena.bots.sdk.client import run
from bridge_arena.bots.sdk import tables
from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.protocol.codec import decode_server

HEARD = Path(sys.argv[1]) / f"heard-{os.getpid()}.jsonl"
received = tables.Connection.receive

def receive(connection):
    data = received(connection)
    with HEARD.open("a") as file:
        for message in decode_server(data):
            print(json.dumps(message.model_dump(mode="json")), file=file)
    return data

tables.Connection.receive = receive
run(RandomBot)
"""

EVENT = """
[event]
name = "Cup"
format = "match"
boards = 2
{keys}

[[entry]]
bot = "random"

[[entry]]
bot = "baseline"
"""

SEARCHED = 100_000
"""How many small seeds are tried."""


def heard(folder: Path) -> Iterator[list[dict[str, object]]]:
    """Return what each process of the telltale bot was sent."""
    for path in folder.glob("heard-*.jsonl"):
        yield [json.loads(line) for line in path.read_text().splitlines()]


def integers(messages: Iterable[dict[str, object]]) -> set[int]:
    """Yield every number in messages, in any base in which a text could be read."""
    text = json.dumps(list(messages))
    decimal = {int(word) for word in re.findall(r"\d+", text)}
    return decimal | {int(word, 16) for word in re.findall(r"[0-9a-fA-F]{2,}", text)}


def last_card_of_west(seed: int, number: int) -> Card:
    """The first card that release 0.1's shuffle settles: quick to look at."""
    digest = sha256(f"bridge-arena deal {seed} {number} 0".encode()).digest()
    return CARDS[next((byte % 52 for byte in digest if byte < 208), 0)]


def seeds_that_deal(hand: Hand, number: int, seat: Seat, seeds: Iterable[int]) -> list[int]:
    """The seeds whose public hash gives a seat its hand."""
    likely = (
        seed for seed in seeds if (last_card_of_west(seed, number) in hand) == (seat is Seat.WEST)
    )
    return [seed for seed in likely if random_deal(seed, number)[seat] == hand]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("told")
    spec = write_bot(folder, "telltale", TELLTALE)
    ended = arena(folder, "match", f"{spec} .", "random", "--boards", "2", "--out", "out")
    assert ended.status == 0, ended
    return folder


class TestWhatABotIsTold:
    """The attack: take every number for the seed of the deals, and try all small ones."""

    @pytest.mark.slow
    def test_no_number_or_word_gives_a_deal(self, told: Path) -> None:
        for messages in heard(told):
            starts = [each for each in messages if each["type"] == "BoardStart"]
            assert starts
            keys = [DealKey(sha256(json.dumps(each).encode()).digest()) for each in messages]
            words = re.findall(r"\w+", json.dumps(messages))
            keys += [DealKey(sha256(word.encode()).digest()) for word in words]
            keys += [DealKey.parse(word) for word in words if re.fullmatch("[0-9a-f]{64}", word)]
            for start in starts:
                hand, seat = Hand.parse(str(start["hand"])), self._seat(messages)
                number = int(str(start["board"]))
                assert not seeds_that_deal(hand, number, seat, integers(messages))
                assert all(key.deal(number)[seat] != hand for key in keys)

    def test_the_commitment_is_told_and_the_key_is_not(self, told: Path) -> None:
        began, *_, secret, _ = log_of(told / "out")
        assert secret["event"] == "key_revealed"
        for messages in heard(told):
            assert messages[0]["commitment"] == began["commitment"]
            assert secret["key"] not in json.dumps(messages)

    @pytest.mark.slow
    def test_no_small_seed_gives_the_own_hand_or_the_own_seed(self, told: Path) -> None:
        messages = next(iter(heard(told)))
        start = next(each for each in messages if each["type"] == "BoardStart")
        hand, seat = Hand.parse(str(start["hand"])), self._seat(messages)
        number, seed = int(str(start["board"])), int(str(start["seed"]))
        assert not seeds_that_deal(hand, number, seat, range(SEARCHED))
        assert all(seat_seed(guess, number, seat) != seed for guess in range(SEARCHED))

    def test_the_same_search_finds_what_the_first_release_dealt(self) -> None:
        hand = random_deal(7_777, 3)[Seat.WEST]
        assert seeds_that_deal(hand, 3, Seat.WEST, range(10_000)) == [7_777]

    @staticmethod
    def _seat(messages: list[dict[str, object]]) -> Seat:
        return Seat.parse(str(messages[0]["seat"]))


class TestCommitAndReveal:
    @pytest.mark.slow
    def test_a_match_is_sealed_unless_told_otherwise(self, here: Here, tmp_path: Path) -> None:
        """Its deals are proved, and one that is changed is named."""
        ended = arena(tmp_path, *"match random baseline --boards 2 --out out".split())
        published = re.search("the deals are committed to ([0-9a-f]{64})", ended.output)
        assert published is not None
        assert "random - baseline: 2 boards in both rooms, sealed deals" in ended.output
        deals = summary_of(tmp_path / "out")["deals"]
        assert (deals["origin"], deals["commitment"]) == ("sealed", published[1])
        for results in ("out", "out/match.pbn"):
            proof = here("deal", "--verify", results)
            assert (proof.status, proof.errors) == (0, ""), proof
            assert f"commitment: {published[1]}" in proof.output
            assert "checked: 2 boards at 4 of 4 tables" in proof.output

        path = tmp_path / "out" / "match.pbn"
        text = path.read_text()
        deals = re.findall(r'\[Deal "(.*)"\]', text)
        first, *hands = re.split("[: ]", deals[-1])
        turned = f"{first}:{' '.join([*hands[2:], *hands[:2]])}"
        # Without bidding and play, which would not fit these hands.
        games = re.split(r"(?=\[Event )", text.replace(deals[-1], turned))
        bare = [re.sub(r"\[(Auction|Play)[ T].*", "", game, flags=re.S) for game in games[1:]]
        path.write_text(games[0] + "\n\n".join(bare))
        proof = here("deal", "--verify", "out/match.pbn")
        assert proof.complaint(1) == "out/match.pbn: 2 things did not fit, see above"
        wrong = [line for line in proof.output.splitlines() if line.startswith("WRONG")]
        assert wrong == [
            f"WRONG: board 2, {room} room: this is not the board of that number"
            for room in ("open", "closed")
        ]

    @pytest.mark.slow
    def test_an_event_that_was_committed_to_beforehand_is_verified(
        self, here: Here, tmp_path: Path
    ) -> None:
        """With a text that nobody knew then, so that the organiser did not choose the deals."""
        file = tmp_path / "cup.toml"
        file.write_text(EVENT.format(keys='public = "the index of tomorrow"'))
        first = here("tournament", "cup.toml", "--public-value", "9").complaint(2)
        assert first.endswith("arena deal --commit cup.toml")
        committed = here("deal", "--commit", "cup.toml")
        assert committed.status == 0
        commitment = committed.output.strip()
        assert re.fullmatch("[0-9a-f]{64}", commitment)
        path = tmp_path / "cup.key.json"
        key = path.read_text()
        again = here("deal", "--commit", "cup.toml").complaint(2)
        assert again == "cup.key.json exists already: the event is committed to"
        missing = here("tournament", "cup.toml").complaint(2)
        assert missing == "cup.toml: give the value of 'the index of tomorrow' as --public-value"
        file.write_text(file.read_text().replace("boards = 2", "boards = 3"))
        changed = here("tournament", "cup.toml", "--public-value", "9").complaint(2)
        assert changed.startswith("cup.toml is not the event that was committed to")
        file.write_text(file.read_text().replace("boards = 3", "boards = 2"))
        played = arena(tmp_path, *"tournament cup.toml --public-value 1234.5 --out out".split())
        assert (played.status, played.errors) == (0, "")
        assert f"the deals are committed to {commitment}" in played.output
        assert not path.exists(), "a key deals no second event"
        # As where the arena was killed before it could delete it.
        path.write_text(key)
        assert arena(tmp_path, *"tournament cup.toml --out out --resume".split()).status == 0
        assert not path.exists()
        proof = here("deal", "--verify", "out/match.pbn")
        assert (proof.status, proof.errors) == (0, "")
        assert commitment in proof.output
        report = (tmp_path / "out" / "report.html").read_text()
        assert "the index of tomorrow (1234.5)" in report

    def test_an_event_that_cannot_begin_keeps_its_commitment(
        self, here: Here, tmp_path: Path
    ) -> None:
        text = EVENT.format(keys="").replace('"random"', '"cmd:./nowhere"')
        (tmp_path / "cup.toml").write_text(text)
        assert here("deal", "--commit", "cup.toml").status == 0
        key = (tmp_path / "cup.key.json").read_text()
        arena(tmp_path, *"tournament cup.toml --out out".split()).complaint(2)
        assert (tmp_path / "cup.key.json").read_text() == key

    @pytest.mark.parametrize(
        ("keys", "words"),
        [
            ("seed = 1", "cup.toml: event.seed: there are no deals to be kept secret"),
            (
                'seed = 1\npublic = "x"',
                "cup.toml:7: event.public: only for sealed deals, not with seed",
            ),
        ],
    )
    def test_an_event_that_cannot_be_committed_to_is_refused(
        self, here: Here, tmp_path: Path, keys: str, words: str
    ) -> None:
        (tmp_path / "cup.toml").write_text(EVENT.format(keys=keys))
        assert here("deal", "--commit", "cup.toml").complaint(2) == words

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ("deal", "say how many boards to deal, or give --commit or --verify"),
            ("deal 3 --verify x", "say how many boards to deal, or give --commit or --verify"),
            ("deal --verify x.pbn --seed 1", "--seed and --out are for boards that are dealt"),
            ("deal --verify x.pbn", "x.pbn: cannot be read: No such file or directory"),
            ("tournament cup.toml --public-value 7", "--public-value: cup.toml names no public"),
        ],
    )
    def test_options_of_sealing_that_make_no_sense_are_refused(
        self, here: Here, tmp_path: Path, arguments: str, words: str
    ) -> None:
        (tmp_path / "cup.toml").write_text(EVENT.format(keys=""))
        assert words in here(*arguments.split()).complaint(2)

    def test_an_event_in_play_does_not_tell_its_key(self, tmp_path: Path) -> None:
        lazy = write_bot(tmp_path, "lazy", "import sys\nsys.exit('no')")
        arena(tmp_path, "match", "random", lazy, "--out", "out", "--boards", "1")
        text = "".join(path.read_text() for path in (tmp_path / "out").glob("*.jsonl"))
        assert "event_began" in text
        assert "key_revealed" not in text


def test_a_served_event_has_no_seed_unless_it_is_for_practice(here: Here, tmp_path: Path) -> None:
    text = EVENT.format(keys="seed = 1").replace('"random"', '"remote:far"')
    (tmp_path / "cup.toml").write_text(text)
    complaint = here("serve", "cup.toml").complaint(2)
    assert complaint.startswith("cup.toml: event.seed: whoever guesses it knows all boards")


NOSY = """
import os
from pathlib import Path
from bridge_arena.bots.sdk.client import run
from bridge_arena.bots.random.bot import RandomBot

for process in (os.getppid(), os.getpid()):
    for name in ("cmdline", "environ"):
        text = Path(f"/proc/{process}/{name}").read_bytes()
        words = text.replace(b"\\0", b" ").decode(errors="replace").split()
        print(name, "777001" in words, "match" in words, "--seed" in words, flush=True)
run(RandomBot)
"""


@pytest.mark.slow
def test_no_bot_can_read_the_seed_in_a_command_line(tmp_path: Path) -> None:
    """The seed is in neither the arena's nor the bot's own command line, nor in the environment."""
    spec = write_bot(tmp_path, "nosy", NOSY)
    command = ["match", spec, "random", "--boards", "1", "--seed", "777001", "--out", "out"]
    assert arena(tmp_path, *command).status == 0
    outputs = [line["output"] for line in log_of(tmp_path / "out") if line["event"] == "bot_output"]
    told = "".join(outputs)
    assert "cmdline False True False" in told, "the arena's own command line was read"
    assert "True True" not in told
    assert "cmdline True" not in told
    assert "environ True" not in told


def test_help_says_what_a_seed_costs(here: Here) -> None:
    text = " ".join(here("match", "--help").output.split())
    assert "reproducible, not sealed" in re.sub(r"[│ ]+", " ", text)


def test_results_of_the_first_release_can_be_read_and_verified(here: Here) -> None:
    """A file as release 0.1 wrote it."""
    old = ROOT / "tests" / "end_to_end" / "release-0.1.pbn"
    proof = here("deal", "--verify", str(old))
    assert (proof.status, proof.errors) == (0, ""), proof
    assert "Not sealed: the boards are a public hash of seed" in proof.output
    assert here("report", str(old)).status == 0

"""Events for bots that come by themselves, with real processes all around."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.read.records import read_records
from bridge_arena.protocol.codec import decode_server, encode, frame
from bridge_arena.protocol.messages import (
    SUBPROTOCOL,
    BoardShown,
    Goodbye,
    Hello,
    ServerMessage,
    Snapshot,
)
from tests.end_to_end.arena import arena, end_of, wait_until, write_bot
from tests.end_to_end.conftest import Here
from tests.end_to_end.serving import served, token_of, visitors
from tests.late_imports import late_imports

with late_imports():
    import trustme
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        PrivateFormat,
        load_pem_private_key,
    )

EVENT = """\
[event]
name = "Visitors"
format = "match"
boards = {boards}
seed = 5
practice = true
{keys}
[policies]
no_show = {no_show}

[[entry]]
bot = "remote:far"

[[entry]]
bot = "{near}"
name = "near"
"""


def write_event(
    folder: Path, *, near: str = "random", boards: int = 4, no_show: float = 60, keys: str = ""
) -> None:
    text = EVENT.format(boards=boards, no_show=no_show, keys=keys, near=near)
    (folder / "event.toml").write_text(text)


def records(folder: Path) -> list[BoardRecord]:
    with (folder / "match.pbn").open("rb") as file:
        return [replace(record, times=(), date="") for record in read_records(file)]


def log(folder: Path, what: str) -> list[dict[str, Any]]:
    lines = map(json.loads, (folder / "log.jsonl").read_text().splitlines())
    return [line for line in lines if line["event"] == what]


def lines_of(bot: subprocess.Popen[str]) -> tuple[list[str], int]:
    """Return what a bot printed on standard error until its end, and its status."""
    _, errors = bot.communicate()
    return errors.splitlines(), bot.returncode


class TestVisitors:
    @pytest.mark.slow
    def test_a_match_is_the_same_wherever_its_bots_come_from(self, tmp_path: Path) -> None:
        write_event(tmp_path)
        token = token_of(tmp_path, "far")
        with (
            served(tmp_path, "--concurrency", "2") as server,
            visitors(tmp_path, "baseline", server.url, token) as bots,
        ):
            assert server.end() == 0
            for seat, bot in zip("NESW", bots, strict=True):
                told, status = lines_of(bot)
                assert status == 0
                where = f"connected to {server.url}: seat {seat} at 2 tables of Visitors"
                assert told == [
                    f"baseline: {where}; waiting for the first board",
                    "baseline: the event is over; 4 boards played",
                ]
        what = "one process of the bot for each seat, which plays at 2 tables at once"
        assert f"waiting for far in seats N E S W: {what}" in server.lines
        here = arena(
            tmp_path, "match", "far=baseline", "near=random", "--boards", "4", "--seed", "5",
            "--out", "here",
        )  # fmt: skip
        assert here.status == 0
        assert [
            (record.calls, record.cards, record.score) for record in records(tmp_path / "out")
        ] == [(record.calls, record.cards, record.score) for record in records(tmp_path / "here")]

    @pytest.mark.slow
    def test_over_tls_the_bots_that_are_started_here_come_in_at_the_back(
        self, tmp_path: Path
    ) -> None:
        authority = trustme.CA()
        authority.cert_pem.write_to_path(tmp_path / "ca.pem")
        certificate = authority.issue_cert("localhost")
        certificate.private_key_and_cert_chain_pem.write_to_path(tmp_path / "server.pem")
        write_event(tmp_path, boards=1)
        token = token_of(tmp_path, "far")
        with served(tmp_path, "--cert", "server.pem", "--host", "localhost") as server:
            trusted = {"SSL_CERT_FILE": str(tmp_path / "ca.pem")}
            assert server.url.startswith("wss://localhost:")
            with visitors(tmp_path, "random", server.url, token, "N") as (doubting,):
                assert doubting.wait() == 1
                assert f"cannot trust {server.url}" in end_of(doubting).errors
            with visitors(tmp_path, "random", server.url, token, **trusted):
                assert server.end() == 0

    @pytest.mark.slow
    def test_visitors_that_name_no_seat_each_get_one_of_their_own(self, tmp_path: Path) -> None:
        write_event(tmp_path)
        token = token_of(tmp_path, "far")
        with (
            served(tmp_path, "--concurrency", "3") as server,
            visitors(tmp_path, "random", server.url, token, seats="    ") as bots,
        ):
            assert server.end() == 0
            for bot in bots:
                told, _ = lines_of(bot)
                assert "no seat was asked for" in told[1]
        seated = {line["bot"] for line in log(tmp_path / "out", "seated")}
        assert seated >= {f"far ({seat})" for seat in "NESW"}

    @pytest.mark.slow
    def test_a_visitor_who_does_not_come_loses_boards_then_its_place(self, tmp_path: Path) -> None:
        write_event(tmp_path, no_show=0.5)
        token_of(tmp_path, "far")
        with served(tmp_path, "--concurrency", "1") as server:
            assert server.end() == 1
            errors = server.errors
        assert "far was withdrawn in round 1" in errors
        assert "did not connect within 0.5 s" in errors
        assert "the event goes on without it" in "\n".join(server.lines)
        assert log(tmp_path / "out", "no_show")
        assert sum(line["adjusted"] is not None for line in log(tmp_path / "out", "board_ended"))

    @pytest.mark.slow
    def test_a_visitor_who_comes_late_plays_the_boards_that_are_left(self, tmp_path: Path) -> None:
        write_event(tmp_path, boards=40, no_show=1)
        token = token_of(tmp_path, "far")
        text = (tmp_path / "event.toml").read_text()
        text = text.replace("[policies]", "[policies]\nrestarts = 999")
        (tmp_path / "event.toml").write_text(text)
        with served(tmp_path, "--concurrency", "1") as server:
            wait_until(lambda: bool(log(tmp_path / "out", "board_ended")), "a board is lost")
            with visitors(tmp_path, "random", server.url, token):
                assert server.end() == 0
        ended = log(tmp_path / "out", "board_ended")
        assert len(ended) == 80
        adjusted = [line["unit"] for line in ended if line["adjusted"] is not None]
        assert 1 <= len(adjusted) < 40

    @pytest.mark.slow
    def test_a_killed_server_goes_on_and_so_do_its_visitors(self, tmp_path: Path) -> None:
        write_event(tmp_path, boards=60)
        token = token_of(tmp_path, "far")
        with served(tmp_path, "--concurrency", "2") as server:
            port = int(server.url.rpartition(":")[2])
            with visitors(tmp_path, "random", server.url, token) as bots:
                wait_until(
                    lambda: server.figure('arena_boards_total{how="finished"}') >= 5, "5 boards"
                )
                server.process.send_signal(signal.SIGKILL)
                server.process.wait()
                with served(tmp_path, "--concurrency", "2", "--resume", port=port) as again:
                    assert again.end() == 0
                assert [bot.wait() for bot in bots] == [0] * 4
        units = [line["unit"] for line in log(tmp_path / "out", "board_ended")]
        assert len(set(units)) == 120
        assert all(record.is_finished and not record.faults for record in records(tmp_path / "out"))
        assert len(records(tmp_path / "out")) == 120

    @pytest.mark.slow
    def test_the_server_tells_its_health_and_figures(self, tmp_path: Path) -> None:
        write_event(tmp_path, boards=100)
        token = token_of(tmp_path, "far")
        with served(tmp_path, "--concurrency", "2") as server:
            assert server.page("/health") == "ok\n"
            with visitors(tmp_path, "random", server.url, token, "NES"):
                server.wait_for_players(4 * 2 + 3 * 2)
                assert server.figure("arena_tables") == 0
                with visitors(tmp_path, "random", server.url, token, "W"):
                    wait_until(lambda: server.figure("arena_tables") == 2, "two tables in play")
                    wait_until(lambda: server.figure("arena_action_seconds_count") > 100, "play")
                    assert server.figure("arena_players") == 16
                    assert server.figure("process_resident_memory_bytes") > 1e7


class TestKibitzers:
    @pytest.mark.slow
    def test_a_kibitzer_watches_comes_back_and_is_said_goodbye_to(self, tmp_path: Path) -> None:
        write_event(tmp_path, boards=120)
        token, watching = token_of(tmp_path, "far"), token_of(tmp_path, "--kibitzer")
        with (
            served(tmp_path, "--concurrency", "1") as server,
            visitors(tmp_path, "random", server.url, token),
        ):
            first = watch(server.url, watching, frames=20)
            again = watch(server.url, watching, frames=None)
            assert server.end() == 0
        for heard in (first, again):
            assert heard[0].type == "Welcome"
            assert not {each.type for each in heard} & {"YourTurn", "Error", "BoardStart"}
        shown = {m.board: str(m.deal) for m in again if isinstance(m, BoardShown)}
        snapshots = [m for m in again if isinstance(m, Snapshot)]
        assert len(snapshots) == 1
        deals = {r.board.number: str(r.board.deal) for r in records(tmp_path / "out")}
        assert shown
        assert all(deals[number] == deal for number, deal in shown.items())
        assert isinstance(again[-1], Goodbye)

    @pytest.mark.slow
    def test_a_kibitzer_is_shown_a_board_when_both_rooms_are_done(self, tmp_path: Path) -> None:
        write_event(tmp_path, boards=3, keys='broadcast = "board"')
        token, watching = token_of(tmp_path, "far"), token_of(tmp_path, "--kibitzer")
        ended: list[tuple[int, int]] = []
        with (
            served(tmp_path, "--concurrency", "1") as server,
            kibitzer(server.url, watching) as connection,
            visitors(tmp_path, "natural", server.url, token),
        ):
            heard: list[ServerMessage] = []
            for data in connection:
                messages = decode_server(data)
                lines = log(tmp_path / "out", "board_ended")
                ended += [
                    (each.board, sum(line["board"] == each.board for line in lines))
                    for each in messages
                    if isinstance(each, BoardShown)
                ]
                heard += messages
            assert server.end() == 0
        assert ended == [(number, 2) for number in (1, 1, 2, 2, 3, 3)]
        kinds = [each.type for each in heard]
        assert kinds.count("BoardEnd") == 6
        assert "ThoughtShown" in kinds
        assert isinstance(heard[-1], Goodbye)

    @pytest.mark.slow
    def test_a_players_token_does_not_watch_nor_a_kibitzers_play(self, tmp_path: Path) -> None:
        write_event(tmp_path)
        token, watching = token_of(tmp_path, "far"), token_of(tmp_path, "--kibitzer")
        with served(tmp_path, "--concurrency", "1") as server:
            with visitors(tmp_path, "random", server.url, watching, "N") as (bot,):
                assert bot.wait() == 1
                assert "the token is a kibitzer's" in end_of(bot).errors
            (welcome, *_) = watch(server.url, token, frames=1)
            assert welcome.type == "Welcome"
            assert getattr(welcome, "seat", None) is not None


@contextmanager
def kibitzer(url: str, token: str) -> Iterator[ClientConnection]:
    """Return a connection that has said Hello."""
    with connect(
        url,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        additional_headers={"Authorization": f"Bearer {token}"},
        compression=None,
        proxy=None,
    ) as connection:
        connection.send(frame([encode(Hello(name="watcher"))]))
        yield connection


def watch(url: str, token: str, *, frames: int | None) -> list[ServerMessage]:
    """Connect, say Hello, and return so many frames, or all."""
    heard: list[ServerMessage] = []
    with kibitzer(url, token) as connection:
        for number, data in enumerate(connection, start=1):
            heard += decode_server(data)
            if number == frames:
                break
    return heard


class TestCrashes:
    @pytest.mark.slow
    def test_a_process_that_crashes_now_and_then_loses_no_board(self, tmp_path: Path) -> None:
        crashing = write_bot(
            tmp_path,
            "crashing",
            """
            import os, signal
            from bridge_arena.bots.sdk.client import Bot, run

            class Crashing(Bot):
                def call(self, view): return view.legal_calls()[0]
                def play(self, view):
                    late = view.number % 2 and len(view.playing.cards) > 40
                    if late and not os.path.exists(mark(view)):
                        open(mark(view), "w").close()
                        os.kill(os.getpid(), signal.SIGKILL)
                    return min(view.legal_cards())

            def mark(view): return f"mark-{view.number}-{view.seat}"

            run(Crashing)
            """,
        )
        (tmp_path / "event.toml").write_text(
            f'[event]\nname = "E"\nformat = "match"\nboards = 4\nseed = 1\npractice = true\n'
            f'[[entry]]\nbot = "crashing={crashing}"\n[[entry]]\nbot = "baseline"\n'
        )
        ended = arena(tmp_path, "tournament", "event.toml", "--out", "out", "--concurrency", "2")
        assert ended.status == 0, ended
        played = records(tmp_path / "out")
        assert len(played) == 8
        assert all(record.is_finished for record in played)
        assert log(tmp_path / "out", "bot_ended")
        back = [line for line in log(tmp_path / "out", "connection") if line["news"] == "back"]
        assert back
        assert not log(tmp_path / "out", "bot_lost")

    @pytest.mark.slow
    def test_a_bot_that_crashes_again_before_it_acts_is_lost_at_once(self, tmp_path: Path) -> None:
        hopeless = write_bot(
            tmp_path,
            "hopeless",
            """
            import sys
            from bridge_arena.bots.sdk.client import Bot, run

            class Hopeless(Bot):
                def call(self, view):
                    if view.number == 1 and view.seat.letter == "N":
                        raise RuntimeError("not board 1")
                    return view.legal_calls()[0]
                def play(self, view): return min(view.legal_cards())

            run(Hopeless)
            """,
        )
        (tmp_path / "event.toml").write_text(
            f'[event]\nname = "E"\nformat = "match"\nboards = 3\nseed = 1\npractice = true\n'
            f"[policies]\ngrace = 3600\n"
            f'[[entry]]\nbot = "hopeless={hopeless}"\n[[entry]]\nbot = "baseline"\n'
        )
        ended = arena(tmp_path, "tournament", "event.toml", "--out", "out", "--concurrency", "1")
        assert ended.status == 0, ended
        (lost,) = log(tmp_path / "out", "bot_lost")
        assert "RuntimeError: not board 1" in lost["why"]
        assert lost["why"].startswith("crash: exit status 1")
        adjusted = [line for line in log(tmp_path / "out", "board_ended") if line["adjusted"]]
        assert [line["unit"] for line in adjusted] == ["1/1/1/open"]


class TestTokens:
    def test_mistakes_about_tokens_are_told_in_one_line(self, here: Here, tmp_path: Path) -> None:
        write_event(tmp_path)
        for words, complaint in [
            (["token", "event.toml"], "name an entry of the event, or give --kibitzer"),
            (
                ["token", "event.toml", "far", "--kibitzer"],
                "a token is of an entry or of kibitzers",
            ),
            (["token", "event.toml", "near"], "no remote entry 'near' (there are: far)"),
            (["token", "nothing.toml", "far"], "nothing.toml: No such file or directory"),
            (["serve", "event.toml"], "far has no token: arena token event.toml 'far'"),
            (
                ["tournament", "event.toml"],
                "remote:far comes by itself: play an event by arena serve",
            ),
            (["match", "remote:far", "random"], "remote:far comes by itself"),
        ]:
            assert complaint in here(*words).complaint(2)
        assert not (tmp_path / "runs").exists()

    def test_a_file_that_is_no_certificate_is_told_in_one_line(
        self, here: Here, tmp_path: Path
    ) -> None:
        write_event(tmp_path)
        token_of(tmp_path, "far")
        ended = here("serve", "event.toml", "--key", "key.pem")
        assert ended.complaint(2) == "--key needs --cert"
        (tmp_path / "cert.pem").write_text("no certificate")
        ended = here("serve", "event.toml", "--cert", "cert.pem")
        assert ended.complaint(2) == "cert.pem: no certificate and key in PEM"
        ended = here("serve", "event.toml", "--cert", "none.pem")
        assert "none.pem" in ended.complaint(2)

    def test_an_encrypted_key_is_not_asked_a_password_for(self, here: Here, tmp_path: Path) -> None:
        write_event(tmp_path)
        token_of(tmp_path, "far")
        certificate = trustme.CA().issue_cert("localhost")
        certificate.cert_chain_pems[0].write_to_path(tmp_path / "cert.pem")
        private = load_pem_private_key(certificate.private_key_pem.bytes(), None)
        (tmp_path / "key.pem").write_bytes(
            private.private_bytes(
                Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")
            )
        )
        ended = here("serve", "event.toml", "--cert", "cert.pem", "--key", "key.pem")
        assert ended.complaint(2) == "key.pem: the private key is encrypted"

    @pytest.mark.parametrize(
        ("host", "warns"),
        [("0.0.0.0", True), pytest.param("127.0.0.1", False, marks=pytest.mark.slow)],
    )
    def test_tokens_without_tls_are_warned_of(
        self, tmp_path: Path, host: str, *, warns: bool
    ) -> None:
        write_event(tmp_path, no_show=0.1, boards=1)
        token_of(tmp_path, "far")
        with served(tmp_path, "--host", host, "--concurrency", "1") as server:
            server.end()
            assert ("tokens and cards travel unencrypted" in server.errors) == warns


class TestNews:
    @pytest.mark.slow
    def test_the_organiser_is_told_how_far_the_event_is_unless_it_is_quiet(
        self, here: Here, tmp_path: Path
    ) -> None:
        (tmp_path / "event.toml").write_text(
            '[event]\nname = "E"\nformat = "round-robin"\nboards = 1\nseed = 1\npractice = true\n'
            + "".join(f'[[entry]]\nbot = "random"\nname = "{name}"\n' for name in "abc")
        )
        words = ("serve", "event.toml", "--port", "0", "--concurrency", "1")
        loud, quiet = here(*words, "--out", "loud"), here(*words, "--out", "quiet", "--quiet")
        assert loud.status == quiet.status == 0, (loud, quiet)
        assert "the event begins\nround 1 of 3: 0 of 6 tables played\n" in loud.output
        assert re.search(r"round 3 of 3: 4 of 6 tables played, about .+ left\n", loud.output)
        # The report comes next.
        assert "the event begins\nE\n3 entries" in quiet.output

"""What a program in a sandbox is shown, by the words for bubblewrap: nothing is run."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable
from pathlib import Path

import pytest

from bridge_arena.server.sandbox.visible_files import SightError, copy_own, own_paths
from bridge_arena.server.sandbox.visible_files import view as view_for

PLACED = {"/run/arena": Path("/tmp/somewhere/socket")}

ELSE = (PLACED, Path("/tmp/somewhere"), Path("/usr/bin/env"))
"""The socket by its path in the sandbox, the folder with figures, and the program."""

BINDS = ("--ro-bind", "--ro-bind-try")


def own(program: Path | str, *arguments: object) -> list[Path]:
    return list(own_paths(Path(program), [str(word) for word in arguments], Path.cwd()))


def view(shown: Iterable[Path], hidden: Iterable[Path]) -> list[str]:
    return view_for(shown, {}, hidden, *ELSE, Path.cwd())


def pairs(words: list[str], option: str) -> list[tuple[str, ...]]:
    """Return what follows an option each time: two words after a binding or link, else one."""
    count = 2 if option in (*BINDS, "--symlink") else 1
    return [
        tuple(words[at + 1 : at + 1 + count]) for at, word in enumerate(words) if word == option
    ]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's home, in which the bots are."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def file(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


class TestOwnPaths:
    def test_a_program_of_the_system_is_there_anyway(self) -> None:
        assert own("/usr/bin/env", "--help") == []

    def test_a_program_has_its_folder(self, home: Path) -> None:
        assert own(file(home / "bot" / "play")) == [home / "bot"]

    def test_a_script_is_looked_for_where_it_runs(self, home: Path) -> None:
        file(home / "elsewhere" / "bot" / "bot.py")
        words = ["bot/bot.py", "", "x=bot/bot.py"]
        found = list(own_paths(Path("/usr/bin/env"), words, home / "elsewhere"))
        assert found == [home / "elsewhere/bot", home / "elsewhere/bot/bot.py"]

    def test_a_script_has_its_folder(self, home: Path) -> None:
        file(home / "bot" / "bot.py")
        assert own("/usr/bin/env", "python3", "bot/bot.py") == [home / "bot"]

    def test_other_files_are_shown_alone(self, home: Path) -> None:
        file(home / "bot" / "bot.py")
        weights = file(home / "far" / "w.npz")
        found = own("/usr/bin/python3", "bot/bot.py", f"--weights={weights}", "7", "far")
        assert found == [home / "bot", weights]

    def test_a_word_may_be_too_long_for_a_name(self) -> None:
        assert own("/usr/bin/python3", "-c", "pass;" * 1000) == []

    def test_files_in_the_options_of_a_bot_that_ships_are_shown(self, home: Path) -> None:
        weights = file(home / "w.npz")
        found = own(
            "/usr/bin/python3", "-m", "bridge_arena.bots", f"deepq:worlds=3,weights={weights}"
        )
        assert found == [weights]

    def test_links_are_shown_and_followed(self, home: Path) -> None:
        real = file(home / "real" / "bot.py")
        (home / "links").mkdir()
        (home / "links" / "bot.py").symlink_to(real)
        assert own("/usr/bin/python3", "links/bot.py") == [home / "links", home / "real"]

    def test_python_has_its_environment_and_installation(self, home: Path) -> None:
        python = file(home / "py" / "bin" / "python3.11")
        (home / "py" / "lib" / "python3.11").mkdir(parents=True)
        file(home / "venv" / "pyvenv.cfg")
        (home / "venv" / "bin").mkdir()
        (link := home / "venv" / "bin" / "python").symlink_to(python)
        assert own(link) == [home / "venv", home / "py"]

    @pytest.mark.parametrize("place", ["bot.py", "../bot.py"])
    def test_nobodys_home_is_a_bots_folder(self, home: Path, place: str) -> None:
        script = file(home / place)
        with pytest.raises(SightError, match="is no folder of its own: put the bot into one"):
            own("/usr/bin/python3", script)
        script.unlink()


class TestCopies:
    """Copies of a bot's folder, in which its processes share no file with each other."""

    @staticmethod
    def copied(folder: Path, *names: str, left_out: tuple[str, ...] = ()) -> Path:
        target = folder.parent / "copy"
        copy_own(folder, target, {folder / name for name in left_out}, names, ())
        return target

    def test_a_copy_has_the_same_content_and_times_in_other_files(self, home: Path) -> None:
        script = file(home / "bot" / "deep" / "bot.py", "run()")
        os.utime(script, (1, 1))
        (home / "bot" / "link").symlink_to("deep/bot.py")
        copy = self.copied(home / "bot") / "deep" / "bot.py"
        assert copy.read_text() == "run()"
        assert copy.stat().st_ino != script.stat().st_ino
        assert copy.stat().st_mtime == 1  # or Python would compile it anew at each start
        assert (home / "copy" / "link").readlink() == Path("deep/bot.py")

    def test_a_copy_of_a_folder_that_nobody_may_write_can_be_removed(self, home: Path) -> None:
        file(home / "bot" / "deep" / "bot.py")
        (home / "bot" / "deep").chmod(0o555)
        assert (self.copied(home / "bot") / "deep").stat().st_mode & 0o777 == 0o755

    @pytest.mark.parametrize("kind", ["pipe", "socket"])
    def test_what_is_neither_file_nor_folder_is_refused(
        self, home: Path, monkeypatch: pytest.MonkeyPatch, kind: str
    ) -> None:
        (home / "bot" / "a").mkdir(parents=True)
        monkeypatch.chdir(home / "bot" / "a")  # a socket's name may not be long
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind("ear") if kind == "socket" else os.mkfifo("ear")
            with pytest.raises(SightError, match="a/ear is neither file nor folder"):
                self.copied(home / "bot")

    def test_what_cannot_be_copied_is_named(self, home: Path) -> None:
        file(home / "bot" / "bot.py")
        (home / "copy").touch()
        with pytest.raises(SightError, match="copy cannot be copied: File exists"):
            self.copied(home / "bot")

    def test_secrets_are_left_out_by_their_names_and_paths(self, home: Path) -> None:
        for name in ("a.key.json", "deep/results.sqlite-wal", "deep/bot.py", "deep/runs/x", "new"):
            file(home / "bot" / name)
        names = ("*.key.json", "results.sqlite*", "runs")
        copy = self.copied(home / "bot", *names, left_out=("new",))
        assert {str(path.relative_to(copy)) for path in copy.rglob("*")} == {"deep", "deep/bot.py"}

    def test_a_folder_that_is_shown_by_itself_is_empty_in_the_copy(self, home: Path) -> None:
        file(home / "bot" / "venv" / "pyvenv.cfg")
        copy_own(home / "bot", home / "copy", (), (), [home / "bot" / "venv"])
        assert list((home / "copy").rglob("*")) == [home / "copy" / "venv"]


class TestView:
    def test_files_that_are_shown_cannot_be_written(self, home: Path) -> None:
        (home / "bot").mkdir()
        words = view([home / "bot"], [])
        assert (str(home / "bot"), str(home / "bot")) in pairs(words, "--ro-bind-try")
        assert (str(PLACED["/run/arena"]), "/run/arena") in pairs(words, "--ro-bind")
        assert "--bind" not in words
        assert words[-2:] == ["--remount-ro", "/"]

    def test_a_copy_stands_for_what_it_is_a_copy_of(self, home: Path) -> None:
        words = view_for([], {home / "bot": home / "copy"}, [], *ELSE, Path.cwd())
        assert (str(home / "copy"), str(home / "bot")) in pairs(words, "--ro-bind")
        assert not any(bound == str(home / "bot") for bound, _ in pairs(words, "--ro-bind"))

    def test_homes_and_settings_are_not_shown(self) -> None:
        words = view([], [])
        bound = {bound for option in BINDS for bound, _ in pairs(words, option)}
        assert bound.isdisjoint({"/", "/home", "/root", "/etc", "/var", "/tmp", "/proc", "/run"})
        assert not any(path.startswith("/etc/ssl/private") for path in bound)

    def test_some_files_in_a_folder_that_is_shown_are_hidden(self, home: Path) -> None:
        bot = home / "bot"
        tokens = file(bot / "cup.tokens.json")
        (bot / "runs" / "now").mkdir(parents=True)
        (bot / "runs" / "last").mkdir(parents=True)
        script = file(bot / "bot.py")
        (bot / "link").symlink_to("bot.py")
        elsewhere = file(home / "key")
        words = view([bot], [tokens, bot / "runs" / "now", elsewhere])
        for path in (bot, bot / "runs"):
            assert (str(path),) in pairs(words, "--tmpfs")
            assert (str(path),) in pairs(words, "--remount-ro")
        for path in (script, bot / "runs" / "last"):
            assert (str(path), str(path)) in pairs(words, "--ro-bind-try")
        assert ("bot.py", str(bot / "link")) in pairs(words, "--symlink")
        assert not any(name in word for name in ("key", "tokens", "now") for word in words)
        # After what they are in.
        assert words.index(str(script)) > words.index(str(bot))

    def test_a_file_to_be_hidden_may_come_later(self, home: Path) -> None:
        script = file(home / "bot" / "bot.py")
        words = view([home / "bot"], [home / "bot" / "cup.tokens.json"])
        assert (str(home / "bot"),) in pairs(words, "--tmpfs")
        assert (str(script), str(script)) in pairs(words, "--ro-bind-try")

    def test_a_program_in_a_folder_that_is_hidden_sees_no_more_of_it(self, home: Path) -> None:
        bot = home / "runs" / "bot"
        tokens = file(bot / "cup.tokens.json")
        words = view([bot], [home / "runs", tokens])
        assert (str(bot),) in pairs(words, "--tmpfs")
        assert str(tokens) not in words

    def test_nothing_is_shown_in_a_folder_that_is_hidden(self, home: Path) -> None:
        bot = home / "all" / "runs" / "bot"
        file(bot / "bot.py")
        words = view([home / "all", bot], [home / "all" / "runs"])
        assert not any("runs" in word for word in words)

    def test_a_hidden_file_is_hidden_by_any_name(self, home: Path) -> None:
        run = home / "real" / "run"
        run.mkdir(parents=True)
        (home / "link").symlink_to(home / "real")
        by_link = view([home / "link"], [run])
        assert (str(home / "link"),) in pairs(by_link, "--tmpfs")
        by_name = view([home / "real"], [home / "link" / "run"])
        assert (str(home / "real"),) in pairs(by_name, "--tmpfs")
        assert not any(word.endswith("/run") and word != "/run" for word in by_link + by_name)

    def test_a_folder_comes_before_the_files_in_it(self, home: Path) -> None:
        (home / "bot" / "deep").mkdir(parents=True)
        words = view([home / "bot" / "deep", home / "bot"], [])
        assert words.index(str(home / "bot")) < words.index(str(home / "bot" / "deep"))

"""A bot that looks for what it should not know, and has its processes talk to each other.

    python spy.py PORT

Each attack prints its name and what it got by it. North says a word in every way that it can think
of, and keeps saying it; South listens. Both then play on, at random.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import mmap
import os
import resource
import socket
import sqlite3
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Protocol

from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bots.sdk.client import run

WORD = b"my hand is strong"
PORT = int(sys.argv[1])
NAME = f"arena-spy-{PORT}"
HERE = Path(__file__).parent

COMMON = "/usr/bin/env"
"""A file that all can read, and nobody else locks."""

ANOTHER = "/usr/bin/cat"
"""The same for the rest: to close a file is to unlock it."""

LISTENING_SECONDS = 6.0

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]


def called(result: int) -> int:
    """Return the result of a call of the C library. Raises OSError."""
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


# What there is to be known.


@cache
def others() -> list[Path]:
    """The processes of other bots, waited for: those that ship run as
    `-m bridge_arena.bots`, and what started this process started them."""
    end = time.monotonic() + LISTENING_SECONDS
    found: list[Path] = []
    while not found and time.monotonic() < end:
        for path in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
                ships = b"-m\0bridge_arena.bots\0" in (path / "cmdline").read_bytes()
                if ships and parent == os.getppid():
                    found.append(path)
    return found


def parents_command() -> str:
    text = ""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = path.read_bytes().split(b"\0")
            text += " ".join(map(bytes.decode, words)) if b"tournament" in words else ""
    return text


def others_tokens() -> str:
    return "".join(
        word.decode()
        for path in others()
        for word in (path / "environ").read_bytes().split(b"\0")
        if word.startswith(b"ARENA_TOKEN=")
    )


def others_memory() -> str:
    path = others()[0]
    first = (path / "maps").read_text().partition("-")[0]
    with (path / "mem").open("rb") as memory:
        memory.seek(int(first, 16))
        return str(memory.read(16))


def signal_to_others() -> str:
    path = others()[0]
    os.kill(int(path.name), 0)
    return f"process {path.name} can be killed"


def store() -> str:
    results = sqlite3.connect(f"file:{HERE}/out/results.sqlite?mode=ro", uri=True)
    return str(results.execute("SELECT definition FROM event").fetchall())


def log() -> str:
    return (HERE / "out" / "log.jsonl").read_text()


def event_file() -> str:
    return (HERE / "cup.toml").read_text()


def tokens() -> str:
    return (HERE / "cup.tokens.json").read_text()


def another_events_key() -> str:
    return (HERE / "next.key.json").read_text()


def another_events_store() -> str:
    return (HERE / "runs" / "other" / "results.sqlite").read_text()


def another_events_replay() -> str:
    return (HERE / "site" / "boards" / "boards-1.js").read_text()


def boards() -> str:
    return (HERE / "boards.pbn").read_text()


def other_folders() -> str:
    return (HERE.parent / "diary").read_text()


def arenas_pages() -> str:
    """Ask the server for its metrics, at the address that the bot was given."""
    url = os.environ["ARENA_URL"]
    if url.startswith("ws+unix:"):
        server = socket.socket(socket.AF_UNIX)
        server.connect(url.removeprefix("ws+unix:"))
    else:
        host, _, port = url.removeprefix("ws://").partition(":")
        server = socket.create_connection((host, int(port)))
    server.settimeout(LISTENING_SECONDS)
    server.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
    with server, server.makefile("rb") as answer:
        text = answer.read().decode()
    return text if "arena_players" in text else ""


def kernels_settings() -> str:
    """Open the kernel's setting for writing, and leave it as it is."""
    with Path("/proc/sys/kernel/core_pattern").open("r+"):
        return "the kernel can be told what to run when a program crashes"


def processes_of_all() -> str:
    told = ctypes.create_string_buffer(128)
    called(LIBC.sysinfo(told))
    return f"{struct.unpack_from('H', told, 80)[0]} processes"


def open_files_of_all() -> str:
    return Path("/proc/sys/fs/file-nr").read_text()


def load() -> str:
    return f"{Path('/proc/loadavg').read_text()} {Path('/proc/vmstat').read_text()}"


def free_space() -> str:
    """What is left of the disk, which the words of all bots fill."""
    return f"{os.statvfs('/usr').f_bfree} free"


def kernels_words() -> str:
    """What the kernel says of programs that crash."""
    return f"{called(LIBC.klogctl(10, None, 0))} characters"


def terminal() -> str:
    """One of the few thousand that all programs of the machine have together."""
    with Path("/dev/ptmx").open("rb"):
        return "a terminal"


SPYING = (
    processes_of_all,
    open_files_of_all,
    load,
    free_space,
    kernels_words,
    terminal,
    parents_command,
    others_tokens,
    others_memory,
    signal_to_others,
    store,
    log,
    event_file,
    tokens,
    another_events_key,
    another_events_store,
    another_events_replay,
    boards,
    other_folders,
    arenas_pages,
    kernels_settings,
)


def spy() -> None:
    for attack in SPYING:
        got = ""
        with suppress(OSError, sqlite3.Error, IndexError):
            got = attack()
        tell(attack.__name__, got)


def tell(attack: str, got: str) -> None:
    print(f"{attack}: {got.splitlines()[0][:80] if got else ''}", flush=True)


# Ways to talk: what says the word, and goes on saying it; and what hears it, if it is there.


class Way(Protocol):
    def say(self) -> None: ...

    def hear(self) -> bytes: ...


class File:
    def __init__(self, folder: str | Path) -> None:
        self._path = Path(folder, NAME)

    def say(self) -> None:
        self._path.write_bytes(WORD)

    def hear(self) -> bytes:
        return self._path.read_bytes()


class Socket:
    """`address`: where it listens, and where it is reached."""

    def __init__(self, family: int, address: object, reached_at: object = None) -> None:
        self._family = family
        self._address = address
        self._reached_at = reached_at or address

    def say(self) -> None:
        server = socket.socket(self._family)
        server.bind(self._address)  # type: ignore[arg-type]
        server.listen()
        threading.Thread(target=self._serve, args=(server,), daemon=True).start()

    def _serve(self, server: socket.socket) -> None:
        while True:
            server.accept()[0].sendall(WORD)

    def hear(self) -> bytes:
        with socket.socket(self._family) as client:
            client.settimeout(1.0)
            client.connect(self._reached_at)  # type: ignore[arg-type]
            return client.recv(len(WORD))


class SharedMemory:
    """Shared memory of System V."""

    def say(self) -> None:
        number = called(LIBC.shmget(PORT, 4096, 0o1666))
        LIBC.shmat.restype = ctypes.c_void_p
        ctypes.memmove(LIBC.shmat(number, None, 0), WORD, len(WORD))

    def hear(self) -> bytes:
        number = called(LIBC.shmget(PORT, 4096, 0))
        LIBC.shmat.restype = ctypes.c_void_p
        heard = ctypes.string_at(LIBC.shmat(number, None, 0), len(WORD))
        if heard == WORD:
            called(LIBC.shmctl(number, 0, None))  # gone when nobody holds it
        return heard


class MessageQueue:
    """Message queues of POSIX."""

    def say(self) -> None:
        queue = called(LIBC.mq_open(f"/{NAME}".encode(), os.O_CREAT | os.O_RDWR, 0o666, None))
        called(LIBC.mq_send(queue, WORD, len(WORD), 0))

    def hear(self) -> bytes:
        queue = called(LIBC.mq_open(f"/{NAME}".encode(), os.O_RDONLY | os.O_NONBLOCK))
        heard = ctypes.create_string_buffer(8192)
        length = called(LIBC.mq_receive(queue, heard, len(heard), None))
        LIBC.mq_unlink(f"/{NAME}".encode())
        return heard.raw[:length]


class Lock:
    """On a file that both can read: that it is taken is one bit."""

    def say(self) -> None:
        self._file = Path(COMMON).open("rb")  # noqa: SIM115 (it stays locked)
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def hear(self) -> bytes:
        with Path(COMMON).open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return WORD
        return b""


class RecordLock:
    """The other kind of lock, of which a reader's will do."""

    _LOCK = struct.Struct("hhqqi4x")

    def say(self) -> None:
        self._file = Path(COMMON).open("rb")  # noqa: SIM115 (it stays locked)
        fcntl.fcntl(self._file, fcntl.F_SETLK, self._LOCK.pack(fcntl.F_RDLCK, 0, 0, 1, 0))

    def hear(self) -> bytes:
        with Path(COMMON).open("rb") as file:
            asked = self._LOCK.pack(fcntl.F_WRLCK, 0, 0, 1, 0)
            kind, *_ = self._LOCK.unpack(fcntl.fcntl(file, fcntl.F_GETLK, asked))
        return b"" if kind == fcntl.F_UNLCK else WORD


class Notice:
    """One reads a file, again and again; the other has itself told of it."""

    _FILE = "/usr/share/common-licenses/GPL-3"
    _OPENED = 0x20

    def say(self) -> None:
        Path(self._FILE).read_bytes()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while True:
            Path(self._FILE).read_bytes()
            time.sleep(0.02)

    def hear(self) -> bytes:
        told = called(LIBC.inotify_init1(os.O_NONBLOCK))
        called(LIBC.inotify_add_watch(told, self._FILE.encode(), self._OPENED))
        time.sleep(0.3)
        return WORD if os.read(told, 4096) else b""


class CachedPages:
    """A channel through a file that both can read: each page in memory is one bit."""

    _PAGES = HERE / "pages"
    _APART = 16 * 4096  # so that what is read ahead of one is not another

    def say(self) -> None:
        with self._PAGES.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            for number, bit in enumerate(self._bits()):
                if bit:
                    os.pread(file.fileno(), 1, number * self._APART)

    def hear(self) -> bytes:
        with self._PAGES.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
            bits = [self._is_there(file.fileno(), number) for number in range(8 * len(WORD))]
        return bytes(
            sum(bit << place for place, bit in enumerate(bits[start : start + 8]))
            for start in range(0, len(bits), 8)
        )

    def _is_there(self, file: int, number: int) -> bool:
        try:
            return bool(os.preadv(file, [bytearray(1)], number * self._APART, os.RWF_NOWAIT))
        except BlockingIOError:
            return False

    @staticmethod
    def _bits() -> list[int]:
        return [byte >> place & 1 for byte in WORD for place in range(8)]


class PageFault:
    """One has the kernel drop a file from memory, again and again; the other reads it, and sees
    later, by what it takes to read it once more, that it is gone."""

    _FILE = Path("/usr/share/common-licenses/GPL-2")

    def say(self) -> None:
        threading.Thread(target=self._drop, daemon=True).start()

    def _drop(self) -> None:
        with self._FILE.open("rb") as file:
            while True:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
                time.sleep(0.02)

    def hear(self) -> bytes:
        """One drop may be the kernel's own, where memory is short; so many are the other's."""
        return WORD if all(self._is_dropped() for _ in range(5)) else b""

    def _is_dropped(self) -> bool:
        self._FILE.read_bytes()
        time.sleep(0.1)
        before = resource.getrusage(resource.RUSAGE_THREAD).ru_majflt
        with (
            self._FILE.open("rb") as file,
            mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as mapped,
        ):
            _ = mapped[0]
        return resource.getrusage(resource.RUSAGE_THREAD).ru_majflt > before


def library_page() -> int:
    """The address of a page that both can read, of a file of the system."""
    with Path(ANOTHER).open("rb") as file:
        mapped = LIBC.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
    return int(mapped)


class Hint:
    """How long what is written to a file will live: the hint stays with the file, and a file that
    can only be read takes it. One bit for each; here there is one."""

    _SET, _GET, _SHORT = 1036, 1035, 2

    def __init__(self, path: Path | str) -> None:
        self._path = path

    def _control(self, command: int, value: int) -> int:
        with Path(self._path).open("rb") as file:
            word = struct.pack("Q", value)
            return int(struct.unpack("Q", fcntl.fcntl(file, command, word))[0])

    def say(self) -> None:
        self._control(self._SET, self._SHORT)

    def hear(self) -> bytes:
        if self._control(self._GET, 0) != self._SHORT:
            return b""
        self._control(self._SET, 0)
        return WORD


class Futex:
    """One waits at a page that both can read; the other wakes whoever waits there."""

    _CALL, _WAIT, _WAKE = 202, 0, 1

    def say(self) -> None:
        threading.Thread(target=self._wait, args=(library_page(),), daemon=True).start()

    def _wait(self, page: int) -> None:
        value = ctypes.c_uint32.from_address(page).value
        while True:
            LIBC.syscall(self._CALL, ctypes.c_void_p(page), self._WAIT, value, None, None, 0)
            time.sleep(0.01)

    def hear(self) -> bytes:
        woken = LIBC.syscall(
            self._CALL, ctypes.c_void_p(library_page()), self._WAKE, 1, None, None, 0
        )
        return WORD if woken > 0 else b""


class PipePages:
    """One takes all pages of pipes that its user may have; the other's pipes are then small."""

    _PIPES = 1050

    def say(self) -> None:
        self._pipes = [os.pipe() for _ in range(self._PIPES)]

    def hear(self) -> bytes:
        ends = os.pipe()
        try:
            os.set_blocking(ends[1], False)
            return WORD if os.write(ends[1], bytes(1 << 16)) < 1 << 16 else b""
        finally:
            for end in ends:
                os.close(end)


class PipeSize(PipePages):
    """The same with few pipes, which are made large."""

    def say(self) -> None:
        self._pipes = [os.pipe() for _ in range(40)]
        for _, end in self._pipes:
            fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, 1 << 20)


class InFlight:
    """One sends itself descriptors without receiving them; the other lowers its own limit, and is
    told that its user has more than that on the way."""

    def say(self) -> None:
        self._ends = socket.socketpair()
        self._send(self._ends[0])

    @staticmethod
    def _send(end: socket.socket) -> None:
        socket.send_fds(end, [b"x"], [end.fileno()] * 8)

    def hear(self) -> bytes:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        ends = socket.socketpair()
        resource.setrlimit(resource.RLIMIT_NOFILE, (4, hard))
        try:
            self._send(ends[0])
        except OSError as error:
            return WORD if error.errno == errno.ETOOMANYREFS else b""
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            for end in ends:
                end.close()
        return b""


class Requests:
    """One takes most of the requests that the kernel has for reading and writing in the background;
    the other finds that they are gone."""

    _SETUP, _DESTROY, _EACH = 206, 207, 1 << 10

    def __init__(self) -> None:
        self._taken: list[int] = []

    def _take(self) -> bool:
        context = ctypes.c_ulong()
        if LIBC.syscall(self._SETUP, self._EACH, ctypes.byref(context)) == -1:
            return ctypes.get_errno() != errno.EAGAIN
        self._taken.append(context.value)
        return True

    def say(self) -> None:
        end = time.monotonic() + LISTENING_SECONDS
        threading.Thread(target=self._hold, args=(end,), daemon=True).start()

    def _hold(self, end: float) -> None:
        while self._take() and len(self._taken) < 1000:
            pass
        time.sleep(max(0.0, end - time.monotonic()))
        self._give_back()

    def _give_back(self) -> None:
        while self._taken:
            LIBC.syscall(self._DESTROY, ctypes.c_ulong(self._taken.pop()))

    def hear(self) -> bytes:
        is_there = self._take()
        self._give_back()
        return b"" if is_there else WORD


class Crowd:
    """One connects to the arena and waits, until the arena cuts those who have waited longest; the
    other, which waited too, finds itself cut."""

    _MANY = 400
    _waiting: socket.socket | None = None

    @staticmethod
    def _connected() -> socket.socket:
        url = os.environ["ARENA_URL"]
        if url.startswith("ws+unix:"):
            server = socket.socket(socket.AF_UNIX)
            server.connect(url.removeprefix("ws+unix:"))
            return server
        host, _, port = url.removeprefix("ws://").partition(":")
        return socket.create_connection((host, int(port)))

    def say(self) -> None:
        """Come and go while the other listens; a crowd that stayed would keep its own bot out."""
        end = time.monotonic() + LISTENING_SECONDS
        while time.monotonic() < end:
            crowd = [self._connected() for _ in range(self._MANY)]
            time.sleep(1.0)  # the arena takes them in
            for each in crowd:
                each.close()

    def hear(self) -> bytes:
        if self._waiting is None:
            self._waiting = self._connected()
            self._since = time.monotonic()
            return b""
        if time.monotonic() - self._since > LISTENING_SECONDS:  # those who wait too long are cut
            return b""
        try:
            return b"" if self._waiting.recv(1, socket.MSG_DONTWAIT) else WORD
        except BlockingIOError:
            return b""
        except ConnectionResetError:
            return WORD


class SharedPages:
    """One touches a page of a file that both can read; the kernel tells the other, of its own page,
    whether anybody else has it too."""

    _FILE = Path("/usr/share/common-licenses/GPL-3")

    def _touch(self) -> mmap.mmap:
        with self._FILE.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        _ = mapped[0]
        return mapped

    def say(self) -> None:
        self._mapped = self._touch()

    def hear(self) -> bytes:
        mapped = self._touch()
        lines = Path("/proc/self/smaps").read_text().partition(f" {self._FILE}\n")[2]
        mapped.close()
        return WORD if int(lines.partition("Shared_Clean:")[2].split()[0]) else b""


class Times:
    """Everybody may set the times of a device that everybody may write to."""

    _DEVICE = Path("/dev/zero")

    def say(self) -> None:
        threading.Thread(target=self._set, daemon=True).start()

    def _set(self) -> None:
        while True:
            self._DEVICE.touch()
            time.sleep(0.02)

    def hear(self) -> bytes:
        return WORD if time.time() - self._DEVICE.stat().st_mtime < 1 else b""


class Counts:
    """The kernel counts the sockets of all networks, even of those that are shut in."""

    def say(self) -> None:
        self._open = [socket.socket(socket.AF_INET) for _ in range(200)]
        for each in self._open:
            each.bind(("127.0.0.1", 0))
            each.listen()

    def hear(self) -> bytes:
        words = Path("/proc/self/net/sockstat").read_text().partition("TCP:")[2].split()
        return WORD if int(words[words.index("alloc") + 1]) > 200 else b""


class Key:
    """In the keyring of the session that both were started from."""

    _ADD, _KEYCTL, _SEARCH, _READ, _SESSION = 248, 250, 10, 11, -3

    def say(self) -> None:
        called(LIBC.syscall(self._ADD, b"user", NAME.encode(), WORD, len(WORD), self._SESSION))

    def hear(self) -> bytes:
        key = called(
            LIBC.syscall(self._KEYCTL, self._SEARCH, self._SESSION, b"user", NAME.encode(), 0)
        )
        heard = ctypes.create_string_buffer(len(WORD))
        called(LIBC.syscall(self._KEYCTL, self._READ, key, heard, len(WORD)))
        return heard.raw


TALKING: dict[str, Way] = {
    "temporary_file": File("/tmp"),
    "shared_memory_file": File("/dev/shm"),
    "file_of_its_own": File(HERE),
    "abstract_socket": Socket(socket.AF_UNIX, f"\0{NAME}"),
    "socket_in_a_folder": Socket(socket.AF_UNIX, f"/tmp/{NAME}.socket"),
    "loopback": Socket(socket.AF_INET, ("127.0.0.1", PORT)),
    "virtual_machines_socket": Socket(socket.AF_VSOCK, (socket.VMADDR_CID_ANY, PORT), (1, PORT)),
    "shared_memory": SharedMemory(),
    "message_queue": MessageQueue(),
    "lock": Lock(),
    "record_lock": RecordLock(),
    "notice": Notice(),
    "cached_pages": CachedPages(),
    "page_fault": PageFault(),
    "key": Key(),
    "hint": Hint(ANOTHER),
    "hint_of_its_own": Hint(HERE / "pages"),
    "futex": Futex(),
    "pipe_pages": PipePages(),
    "pipe_size": PipeSize(),
    "descriptors_in_flight": InFlight(),
    "background_requests": Requests(),
    "shared_pages": SharedPages(),
    "times_of_a_device": Times(),
    "sockets_of_all": Counts(),
    "crowd_at_the_door": Crowd(),
}


def listen() -> None:
    """Listen until all is heard, or nobody sends any more."""
    end = time.monotonic() + LISTENING_SECONDS
    silent = dict(TALKING)
    while silent and time.monotonic() < end:
        for name, way in list(silent.items()):
            with suppress(OSError):
                if way.hear() == WORD:
                    tell(name, WORD.decode())
                    del silent[name]
        time.sleep(0.05)
    for name in silent:
        tell(name, "")


def speak() -> None:
    for way in TALKING.values():
        with suppress(OSError):
            way.say()


def main() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    attacks: dict[str, Callable[[], None]] = {"N": speak, "S": listen, "E": spy}
    attacks.get(os.environ["ARENA_SEAT"], lambda: None)()
    run(RandomBot)


if __name__ == "__main__":
    main()

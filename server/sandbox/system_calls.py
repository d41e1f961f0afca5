"""A filter that denies a program in a sandbox some system calls.

Namespaces isolate what has a name in them. The calls here reach beyond: locks on a file that two
sandboxes both read, notifications that it was opened, which of its pages are in memory, the keys of
the session that both were started from, sockets of families without network namespaces, and calls
that make other calls. `SOCKETS` are the families that namespaces isolate.
"""

from __future__ import annotations

import errno
import os
import struct

SOCKETS = (1, 2, 10, 16)
"""AF_UNIX, AF_INET, AF_INET6, AF_NETLINK."""

_LOCKS = (6, 7, 37, 38)
"""Commands of fcntl: F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW."""

_NOTICES = (1024, 1026)
"""Commands of fcntl: F_SETLEASE, F_NOTIFY."""

_OUT_OF_MEMORY = (20, 21)
"""Advice of madvise that pages are not needed: MADV_COLD, MADV_PAGEOUT."""

_CALLS = {
    "x86_64": {
        "flock": 73,
        "fcntl": 72,
        "socket": 41,
        "fadvise64": 221,
        "madvise": 28,
        "process_madvise": 440,
        "preadv2": 327,
        "pwritev2": 328,
        "mincore": 27,
        "cachestat": 451,
        "inotify_init": 253,
        "inotify_init1": 294,
        "fanotify_init": 300,
        "add_key": 248,
        "request_key": 249,
        "keyctl": 250,
        "perf_event_open": 298,
        "bpf": 321,
        "userfaultfd": 323,
        "io_uring_setup": 425,
    },
    "aarch64": {
        "flock": 32,
        "fcntl": 25,
        "socket": 198,
        "fadvise64": 223,
        "madvise": 233,
        "process_madvise": 440,
        "preadv2": 286,
        "pwritev2": 287,
        "mincore": 232,
        "cachestat": 451,
        "inotify_init1": 26,
        "fanotify_init": 262,
        "add_key": 217,
        "request_key": 218,
        "keyctl": 219,
        "perf_event_open": 241,
        "bpf": 280,
        "userfaultfd": 282,
        "io_uring_setup": 425,
    },
}
"""The numbers of the calls (Linux: asm/unistd.h), for the processors that are known."""

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The kernel's codes for the processors in a filter (linux/audit.h)."""

_X32 = 0x40000000
"""The first number of x86_64's other set of calls."""

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND, _THIRD = 0, 4, 16, 24, 32
"""The offsets, in the data that the filter gets, of the call's number, the architecture, and the
low halves of its first three arguments."""

_ALLOW = 0x7FFF0000
_ABSENT = 0x00050000 | errno.ENOSYS
_DONE = 0x00050000
"""The answers of the filter: allow the call; pretend that it does not exist; pretend that it was
done. The last does no harm: nobody else locks a program's own files, and advice may be ignored."""


class UnknownMachineError(Exception):
    """The system calls of this processor are not known."""


def syscall_filter(machine: str = os.uname().machine) -> bytes:
    """Return the filter as the kernel reads it, a program of its classic BPF.

    Args:
        machine: The processor, as `os.uname` names it.

    Returns:
        The instructions.

    Raises:
        UnknownMachineError: The processor is not known.
    """
    if machine not in _CALLS:
        raise UnknownMachineError(f"no filter of system calls is known for {machine}")
    calls = dict(_CALLS[machine])
    by_command = _by_value(_SECOND, [(_LOCKS, _DONE), (_NOTICES, _ABSENT)], _ALLOW)
    by_advice = _by_value(_THIRD, [(_OUT_OF_MEMORY, _DONE)], _ALLOW)
    by_family = _by_value(_FIRST, [(SOCKETS, _ALLOW)], _ABSENT)
    lines = [
        _line(_LOAD, _ARCHITECTURE),
        _line(_EQUAL, _ARCHITECTURES[machine], 1, 0),
        _line(_RETURN, _ABSENT),
        _line(_LOAD, _NUMBER),
        _line(_AT_LEAST, _X32, 0, 1),
        _line(_RETURN, _ABSENT),
        *_on(calls.pop("flock"), [_line(_RETURN, _DONE)]),
        *_on(calls.pop("fcntl"), by_command),
        *_on(calls.pop("fadvise64"), [_line(_RETURN, _DONE)]),
        *_on(calls.pop("madvise"), by_advice),
        *_on(calls.pop("socket"), by_family),
    ]
    for number in calls.values():
        lines += _on(number, [_line(_RETURN, _ABSENT)])
    return b"".join([*lines, _line(_RETURN, _ALLOW)])


def _line(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    """Return one instruction; after a comparison it skips `if_so` or `if_not` instructions."""
    return struct.pack("=HBBI", code, if_so, if_not, value)


def _on(number: int, lines: list[bytes]) -> list[bytes]:
    """Return instructions that run only for one call."""
    return [_line(_EQUAL, number, 0, len(lines)), *lines]


def _by_value(
    argument: int, answers: list[tuple[tuple[int, ...], int]], otherwise: int
) -> list[bytes]:
    """Return instructions that answer by the value of an argument."""
    lines = [_line(_LOAD, argument)]
    for values, answer in answers:
        for value in values:
            lines += [_line(_EQUAL, value, 0, 1), _line(_RETURN, answer)]
    return [*lines, _line(_RETURN, otherwise)]

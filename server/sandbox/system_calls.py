"""A filter that denies a program in a sandbox some system calls.

Namespaces isolate what has a name in them. The calls here reach state that belongs to a file, a
user or the whole kernel instead: what one program does there another can see, or finds used up.
Where a call is needed for other things, only the values are allowed that are known to change and
show nothing beyond the program; what later kernels add is refused.
"""

from __future__ import annotations

import errno
import os
import struct

_ALLOW = 0x7FFF0000
_DONE = 0x00050000
"""The filter's answer that pretends that the call was done. This does no harm: nobody else locks
a program's own files, advice may be ignored, and no bot depends on the times of its files."""


def _error(number: int) -> int:
    """Return the filter's answer that makes the call fail."""
    return _DONE | number


_ABSENT = _error(errno.ENOSYS)
_INVALID = _error(errno.EINVAL)

_MACHINES = ("x86_64", "aarch64")
"""The processors; wherever a call has two numbers, they are those on these two."""

_REFUSED = {
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    # Which pages of a file are in memory, and on which node.
    "mincore": (27, 232),
    "preadv2": (327, 286),
    "pwritev2": (328, 287),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "get_mempolicy": (239, 236),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # Pools of a user or of the kernel.
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "mq_open": (240, 180),
    "io_setup": (206, 0),
    "io_destroy": (207, 1),
    "io_getevents": (208, 4),
    "io_submit": (209, 2),
    "io_cancel": (210, 3),
    "io_pgetevents": (333, 292),
    # Figures and messages of the whole machine.
    "sysinfo": (99, 179),
    "syslog": (103, 116),
    "ustat": (136, None),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    # Other namespaces.
    "unshare": (272, 97),
    "setns": (308, 268),
}
"""The calls that do not exist in a sandbox, with their numbers on each processor (Linux:
asm/unistd.h); None where it has no such call."""

_PRETENDED = {
    "flock": (73, 32),
    "fadvise64": (221, 223),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
}
"""The calls that seem to be done. Everybody may set the times of /dev/null."""

_NEW = 424
"""The first call with the same number on all processors (Linux 5.1)."""

_NEW_ALLOWED = (436, 437, 439, 441, 452, 462)
"""Those of them that are allowed: close_range, openat2, faccessat2, epoll_pwait2, fchmodat2,
mseal."""

_FIRST, _SECOND, _THIRD, _FOURTH = 16, 24, 32, 40
"""The offsets, in the data that the filter gets, of the low halves of the arguments."""

_BY_VALUE = {
    # The descriptor's own affairs and its seals; locks seem to be granted. The others are leases,
    # notices, hints that stay with the file, and the sizes of pipes.
    "fcntl": (
        (72, 25),
        _SECOND,
        [
            ((*range(6), *range(8, 12), *range(15, 18), 36, 1030, 1033, 1034), _ALLOW),
            ((6, 7, 37, 38), _DONE),
        ],
        _INVALID,
    ),
    # A wait outside the process's own memory, on a page that it may share with anybody, ends at
    # once, as if its value had changed: FUTEX_WAIT, _WAIT_BITSET and _WAIT_REQUEUE_PI without
    # FUTEX_PRIVATE_FLAG, with FUTEX_CLOCK_REALTIME and without.
    "futex": ((202, 98), _SECOND, [((0, 9, 11, 256, 265, 267), _error(errno.EAGAIN))], _ALLOW),
    # What changes only the process's own view of its memory. Advice to merge, collapse, cool or
    # drop pages, of which others may have the same, seems to be taken.
    "madvise": (
        (28, 233),
        _THIRD,
        [
            ((*range(5), *range(8, 12), *range(15, 20), 22, 23, 102, 103), _ALLOW),
            ((12, 14, 20, 21, 25), _DONE),
        ],
        _INVALID,
    ),
    # PR_SET_MEMORY_MERGE.
    "prctl": ((157, 167), _FIRST, [((67,), _INVALID)], _ALLOW),
    # AF_UNIX: the others have memory, counters or addresses of the whole machine.
    "socket": ((41, 198), _FIRST, [((1,), _ALLOW)], _error(errno.EAFNOSUPPORT)),
    "socketpair": ((53, 199), _FIRST, [((1,), _ALLOW)], _error(errno.EAFNOSUPPORT)),
}
"""The calls whose answer depends on the value of an argument: their numbers, where that argument
is, the answers, and the answer for all other values."""

_BY_BITS = {
    # New namespaces.
    "clone": ((56, 220), _FIRST, 0x7E020000, (), _ABSENT),
    # Large pages, of which the machine has a few (MAP_HUGETLB, MFD_HUGETLB, SHM_HUGETLB).
    "mmap": ((9, 222), _FOURTH, 0x40000, (), _error(errno.ENOMEM)),
    "memfd_create": ((319, 279), _SECOND, 4, (), _INVALID),
    "shmget": ((29, 194), _THIRD, 0o4000, (), _INVALID),
    # Questions about the file system's own memory of a file, of type "f" and "X".
    "ioctl": ((16, 29), _SECOND, 0xFF00, (0x6600, 0x5800), _error(errno.ENOTTY)),
}
"""The calls that are refused by some bits of an argument: their numbers, where that argument is,
the bits, the values of them that are refused (none: all but zero), and the answer."""

_ARCHITECTURES = (0xC000003E, 0xC00000B7)
"""The kernel's codes for the processors in a filter (linux/audit.h)."""

_X32 = 0x40000000
"""The first number of x86_64's other set of calls."""

_LOAD, _MASK, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
"""The offsets of the call's number and of the architecture."""


class UnknownMachineError(Exception):
    """The system calls of this processor are not known."""


def syscall_filter(machine: str = os.uname().machine) -> bytes:
    """Return the filter as the kernel reads it, classic BPF. Raises UnknownMachineError."""
    if machine not in _MACHINES:
        raise UnknownMachineError(f"no filter of system calls is known for {machine}")
    column = _MACHINES.index(machine)
    lines = [
        _line(_LOAD, _ARCHITECTURE),
        _line(_EQUAL, _ARCHITECTURES[column], 1, 0),
        _line(_RETURN, _ABSENT),
        _line(_LOAD, _NUMBER),
        _line(_AT_LEAST, _X32, 0, 1),
        _line(_RETURN, _ABSENT),
    ]
    for numbers, argument, answers, otherwise in _BY_VALUE.values():
        lines += _on(numbers[column], [_line(_LOAD, argument), *_cases(answers, otherwise)])
    for numbers, argument, bits, values, answer in _BY_BITS.values():
        cases = _cases([(values, answer)], _ALLOW) if values else _cases([((0,), _ALLOW)], answer)
        lines += _on(numbers[column], [_line(_LOAD, argument), _line(_MASK, bits), *cases])
    for calls, answer in ((_PRETENDED, _DONE), (_REFUSED, _ABSENT)):
        known = (numbers[column] for numbers in calls.values())
        lines += _cases([(tuple(number for number in known if number is not None), answer)])
    lines += [*_cases([(_NEW_ALLOWED, _ALLOW)]), _line(_AT_LEAST, _NEW, 0, 1)]
    return b"".join([*lines, _line(_RETURN, _ABSENT), _line(_RETURN, _ALLOW)])


def _line(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    """Return one instruction; after a comparison it skips `if_so` or `if_not` instructions."""
    return struct.pack("=HBBI", code, if_so, if_not, value)


def _on(number: int, lines: list[bytes]) -> list[bytes]:
    """Return instructions that run only for one call."""
    return [_line(_EQUAL, number, 0, len(lines)), *lines]


def _cases(answers: list[tuple[tuple[int, ...], int]], otherwise: int | None = None) -> list[bytes]:
    """Return instructions that answer by what is loaded; without `otherwise` others go on."""
    lines: list[bytes] = []
    for values, answer in answers:
        for value in values:
            lines += [_line(_EQUAL, value, 0, 1), _line(_RETURN, answer)]
    return lines if otherwise is None else [*lines, _line(_RETURN, otherwise)]

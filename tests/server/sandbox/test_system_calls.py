"""The filter of system calls, run by a reader of its own as the kernel would."""

from __future__ import annotations

import errno
import struct

import pytest

from bridge_arena.server.sandbox.system_calls import UnknownMachineError, syscall_filter

X86_64, AARCH64, I386 = 0xC000003E, 0xC00000B7, 0x40000003

ALLOWED, DONE = 0x7FFF0000, 0x00050000
ABSENT, INVALID = DONE | errno.ENOSYS, DONE | errno.EINVAL
NO_FAMILY, AGAIN = DONE | errno.EAFNOSUPPORT, DONE | errno.EAGAIN


def verdict(code: bytes, architecture: int, number: int, *arguments: int) -> int:
    """Return what a program of classic BPF answers to a call."""
    words = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("=IIQ6Q", number, architecture, 0, *words)
    accumulator, at = 0, 0
    lines = list(struct.iter_unpack("=HBBI", code))
    while True:
        kind, if_so, if_not, value = lines[at]
        at += 1
        if kind == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, value)
        elif kind == 0x54:
            accumulator &= value
        elif kind == 0x15:
            at += if_so if accumulator == value else if_not
        elif kind == 0x35:
            at += if_so if accumulator >= value else if_not
        else:
            assert kind == 0x06
            return int(value)


@pytest.mark.parametrize(
    ("number", "arguments", "expected"),
    [
        (0, (), ALLOWED),  # read
        (334, (), ALLOWED),  # rseq
        (73, (3, 2), DONE),  # flock
        (72, (3, 1), ALLOWED),  # fcntl, F_GETFD
        (72, (3, 1030), ALLOWED),  # F_DUPFD_CLOEXEC
        (72, (3, 6), DONE),  # F_SETLK
        (72, (3, 38), DONE),  # F_OFD_SETLKW
        (72, (3, 1024), INVALID),  # F_SETLEASE
        (72, (3, 1031), INVALID),  # F_SETPIPE_SZ
        (72, (3, 1032), INVALID),  # F_GETPIPE_SZ
        (72, (3, 1036), INVALID),  # F_SET_RW_HINT
        (72, (3, 1040), INVALID),  # F_SETDELEG, which came later
        (202, (0, 128), ALLOWED),  # futex, FUTEX_WAIT_PRIVATE
        (202, (0, 0), AGAIN),  # FUTEX_WAIT
        (202, (0, 9 | 256), AGAIN),  # FUTEX_WAIT_BITSET, as a thread's end is waited for
        (202, (0, 1), ALLOWED),  # FUTEX_WAKE
        (449, (), ABSENT),  # futex_waitv
        (455, (), ABSENT),  # futex_wait
        (206, (), ABSENT),  # io_setup
        (41, (1, 1), ALLOWED),  # socket, AF_UNIX
        (41, (2, 1), NO_FAMILY),  # AF_INET
        (41, (40, 1), NO_FAMILY),  # AF_VSOCK
        (41, (38, 5), NO_FAMILY),  # AF_ALG
        (53, (1, 1), ALLOWED),  # socketpair, AF_UNIX
        (53, (30, 1), NO_FAMILY),  # AF_TIPC
        (294, (), ABSENT),  # inotify_init1
        (221, (3, 0, 0, 4), DONE),  # fadvise64, POSIX_FADV_DONTNEED
        (280, (), DONE),  # utimensat
        (28, (0, 0, 4), ALLOWED),  # madvise, MADV_DONTNEED
        (28, (0, 0, 21), DONE),  # MADV_PAGEOUT
        (28, (0, 0, 25), DONE),  # MADV_COLLAPSE
        (28, (0, 0, 200), INVALID),
        (327, (), ABSENT),  # preadv2
        (27, (), ABSENT),  # mincore
        (279, (), ABSENT),  # move_pages
        (451, (), ABSENT),  # cachestat
        (250, (), ABSENT),  # keyctl
        (99, (), ABSENT),  # sysinfo
        (138, (), ABSENT),  # fstatfs
        (425, (), ABSENT),  # io_uring_setup
        (436, (), ALLOWED),  # close_range
        (600, (), ABSENT),  # one that does not exist yet
        (56, (0x3D0F00,), ALLOWED),  # clone, for a thread
        (56, (0x10000000,), ABSENT),  # CLONE_NEWUSER
        (9, (0, 4096, 1, 2), ALLOWED),  # mmap, MAP_PRIVATE
        (9, (0, 4096, 1, 0x40022), DONE | errno.ENOMEM),  # MAP_HUGETLB
        (16, (0, 0x5401), ALLOWED),  # ioctl, TCGETS
        (16, (0, 0xC020662A), DONE | errno.ENOTTY),  # FS_IOC_GET_ES_CACHE
        (157, (67, 1), INVALID),  # prctl, PR_SET_MEMORY_MERGE
        (157, (1, 9), ALLOWED),  # PR_SET_PDEATHSIG
        (0x40000000, (), ABSENT),  # read, by the other set of numbers
        (0x40000000 + 73, (), ABSENT),
    ],
)
def test_the_filter_allows_and_refuses_these_system_calls(
    number: int, arguments: tuple[int, ...], expected: int
) -> None:
    assert verdict(syscall_filter("x86_64"), X86_64, number, *arguments) == expected


def test_a_call_of_another_architecture_is_refused() -> None:
    assert verdict(syscall_filter("x86_64"), I386, 3) == ABSENT
    assert verdict(syscall_filter("aarch64"), X86_64, 0) == ABSENT


def test_another_processor_has_other_numbers() -> None:
    code = syscall_filter("aarch64")
    assert verdict(code, AARCH64, 32) == DONE  # flock
    assert verdict(code, AARCH64, 73) == ALLOWED  # ppoll
    assert verdict(code, AARCH64, 198, 40) == NO_FAMILY  # socket, AF_VSOCK
    assert verdict(code, AARCH64, 286) == ABSENT  # preadv2
    assert verdict(code, AARCH64, 223) == DONE  # fadvise64


def test_a_processor_that_is_not_known_has_no_filter() -> None:
    with pytest.raises(UnknownMachineError, match="riscv64"):
        syscall_filter("riscv64")

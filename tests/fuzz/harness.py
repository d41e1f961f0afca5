"""Runs a target under Atheris: libFuzzer, guided by what the code does with each input.

The options are libFuzzer's; CORPUS is a folder where inputs that found something new are
kept. What fails is written to a file `crash-…`, `timeout-…` or `oom-…`, and is run again
by naming it in place of CORPUS.
"""

from __future__ import annotations

import importlib
import os
import resource
import signal
import sys
import tempfile
from pathlib import Path

import atheris

_PACKAGES = [
    f"bridge_arena.{room}" for room in ("board_files", "bridge", "lin", "pbn", "protocol", "server")
]
"""The packages whose branches tell the fuzzer where an input leads."""

_LIMITS = ("-timeout=10", "-rss_limit_mb=1024", "-malloc_limit_mb=256", "-max_len=4096")
"""For each input: seconds, mebibytes in all and at once, and bytes. Options given count more."""

_MEMORY = 2 << 30
"""Bytes of address space. libFuzzer looks at the memory only now and then, and sees what is asked
for at once only where C asks: here who asks for more gets a MemoryError, which is a crash."""


def fuzz(target: str) -> None:
    """Run `tests.fuzz.targets.TARGET` with the process's arguments; does not return."""
    with atheris.instrument_imports(include=_PACKAGES, enable_loader_override=False):
        module = importlib.import_module(f"tests.fuzz.targets.{target}")
    options = [each for each in sys.argv[1:] if each.startswith("-")]
    inputs = [each for each in sys.argv[1:] if not each.startswith("-")]
    if any(Path(each).is_file() for each in inputs):
        _run([*_LIMITS, *options, *inputs], module.check)
    # libFuzzer leaves the process without any clearing up, so it has one of its own.
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        for number, seed in enumerate(module.seeds()):
            Path(folder, f"seed-{number:03}").write_bytes(seed)
        child = os.fork()
        if child == 0:
            _run([*_LIMITS, *options, *inputs, folder], module.check)
        # An interrupt is the child's to take: it says how far it came.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _, status = os.waitpid(child, 0)
    sys.exit(os.waitstatus_to_exitcode(status))


def _run(arguments: list[str], check: object) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    atheris.Setup([sys.argv[0], *arguments], check)
    atheris.Fuzz()

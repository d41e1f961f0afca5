"""Measure which small mistakes in core modules the tests notice.

    python -m research.mutation [MODULE...] [--most 40] [--seed 1]

A module is a path in `TESTS`, such as `bridge/auction.py`; the default is all of them. A mutant is
a module with one mistake: a changed comparison, operator, number, truth value or condition, None
returned, or a statement left out. The seed draws a sample of the mutants of each module. Each is
tested in a copy of the working tree, two at a time, by the tests that `TESTS` names for its module.
It is killed if a test fails, or if the tests take far longer than without it. The survivors are
printed: either a test is missing, or the mutant does the same as the module.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.figures import table

ROOT = Path(__file__).parents[1]

TESTS = {
    "server/table.py": (
        "server/test_table.py",
        "server/test_claims.py",
        "server/test_policies.py",
        "server/test_questions.py",
        "server/test_given_calls.py",
        "server/test_bidding_only.py",
        "server/test_any_board.py",
        "server/test_privacy.py",
        "server/test_thoughts.py",
    ),
    "server/clock.py": ("server/test_clock.py", "server/test_policies.py"),
    "bridge/auction.py": ("bridge/test_auction.py", "bridge/test_against_openspiel.py"),
    "bridge/scoring.py": ("bridge/test_scoring.py",),
    "oracle/ledger.py": ("oracle/test_ledger.py",),
    "protocol/visibility.py": (
        "protocol/test_visibility.py",
        "server/test_privacy.py",
        "server/test_thoughts.py",
    ),
    "pbn/values.py": ("pbn/test_values.py", "pbn/read/test_reader.py"),
    "tournaments/schedule/plan.py": ("tournaments/schedule/test_plan.py",),
    "tournaments/schedule/standings.py": ("tournaments/schedule/test_standings.py",),
    "tournaments/statistics/sequential.py": ("tournaments/statistics/test_sequential.py",),
}
"""The modules, each with the files of `tests` that should notice: the likeliest first."""

PROCESSES = 2

_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
"""The operator that replaces each operator."""


@dataclass(frozen=True)
class Mutant:
    """A module's text with one mistake."""

    line: int
    change: str
    text: str


def mutants(text: str) -> Iterator[Mutant]:
    """Yield every mutant of a module's text."""
    lines = text.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    whole = text.encode()
    for node in _nodes(ast.parse(text)):
        for wrong in _mistakes(node):
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            new = ast.unparse(wrong)
            # It stays one expression, whatever surrounds it.
            inserted = f"({new})" if isinstance(node, ast.expr) else new
            changed = whole[:start] + inserted.encode() + whole[end:]
            change = f"{ast.unparse(node)} -> {new}".replace("\n", " ")
            yield Mutant(node.lineno, change, changed.decode())


def _nodes(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Yield the nodes that are run.

    Annotations are left out as mere text, decorators as they say only how a class is stored (slots,
    frozen), and f-strings as their parts have no positions.
    """
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                if isinstance(child, ast.expr | ast.stmt):
                    yield child
                yield from _nodes(child)


def _mistakes(node: ast.expr | ast.stmt) -> Iterator[ast.AST]:
    """Yield the mistakes that can replace a node."""
    match node:
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                wrong = copy(node)
                wrong.ops = [*ops[:at], _swapped(op), *ops[at + 1 :]]
                yield wrong
        case ast.BoolOp(op=op) | ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in _SWAPPED:
            swapped = copy(node)
            swapped.op = _swapped(op)
            yield swapped
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Continue():
            yield ast.Pass()
    if isinstance(node, ast.AugAssign):
        yield ast.Pass()


def _swapped(op: ast.AST) -> Any:
    return _SWAPPED[type(op)]()


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


class Copy:
    """A copy of the working tree, in which mutants replace modules."""

    def __init__(self, folder: Path) -> None:
        self._root = folder
        listed = subprocess.run(
            ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"),
            cwd=ROOT,
            capture_output=True,
            check=True,
            text=True,
        )
        for name in filter(None, listed.stdout.split("\0")):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target, follow_symlinks=False)

    def passes(self, module: str, text: str, seconds: float, seed: int) -> bool:
        """Return whether the module's tests pass in time with this text in its place."""
        path = self._root / module
        original = path.read_text()
        path.write_text(text)
        try:
            return self._tested(module, seconds, seed)
        finally:
            path.write_text(original)

    def _tested(self, module: str, seconds: float, seed: int) -> bool:
        data = os.environ.get("ARENA_DATA") or ROOT / ".." / "shared" / "data"
        # Two mutants of one length within a second would share their bytecode.
        environment = {
            **os.environ,
            "ARENA_DATA": str(Path(data).resolve()),
            "PYTHONPATH": str(self._root),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        words = ["-x", "-q", "-p", "no:cacheprovider", f"--hypothesis-seed={seed}"]
        files = [f"tests/{name}" for name in TESTS[module]]
        try:
            done = subprocess.run(
                (sys.executable, "-m", "pytest", *words, *files),
                cwd=self._root,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def survivors(copies: list[Copy], module: str, sample: list[Mutant], seed: int) -> list[Mutant]:
    """Return the mutants that the module's tests do not notice.

    Raises ValueError where the tests fail without a mutant.
    """
    started = time.monotonic()
    if not copies[0].passes(module, (ROOT / module).read_text(), 600, seed):
        raise ValueError(f"{module}: its tests fail without a mistake")
    seconds = 10 + 5 * (time.monotonic() - started)
    free: SimpleQueue[Copy] = SimpleQueue()
    for each in copies:
        free.put(each)

    def survives(mutant: Mutant) -> bool:
        own = free.get()
        try:
            return own.passes(module, mutant.text, seconds, seed)
        finally:
            free.put(own)

    with ThreadPoolExecutor(len(copies)) as threads:
        found = threads.map(survives, sample)
        return [mutant for mutant, alive in zip(sample, found, strict=True) if alive]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "module",
        nargs="*",
        choices=[[], *TESTS],
        metavar="MODULE",
        help="modules to change; default: all that have tests listed",
    )
    parser.add_argument(
        "--most", type=int, default=40, help="changes of each module, at most; default: %(default)s"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the choice of changes; default: %(default)s"
    )
    arguments = parser.parse_args()
    if arguments.most < 1:
        parser.error(f"--most {arguments.most}: at least one mutant")
    rows = []
    with TemporaryDirectory() as folder:
        copies = [Copy(Path(folder, str(number))) for number in range(PROCESSES)]
        for module in arguments.module or TESTS:
            every = list(mutants((ROOT / module).read_text()))
            most = min(arguments.most, len(every))
            sample = random.Random(arguments.seed).sample(every, most)
            try:
                alive = survivors(copies, module, sample, arguments.seed)
            except ValueError as error:
                print(error, file=sys.stderr)
                return 1
            for mutant in alive:
                print(f"{module}:{mutant.line}: {mutant.change}", flush=True)
            killed = most - len(alive)
            share = f"{killed / most:.0%}"
            rows.append((module, str(len(every)), str(most), str(killed), share))
    print(table(("module", "mutants", "sampled", "killed", "share"), rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())

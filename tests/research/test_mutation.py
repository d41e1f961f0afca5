"""Tests of the mutation benchmark, which makes mistakes in core modules to see if tests notice
them.
"""

from __future__ import annotations

import ast

import pytest

from research.mutation import ROOT, TESTS, mutants


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("a < 1 <= b", ["a <= 1 <= b", "a < 1 < b", "a < (2) <= b"]),
        ("a is b", ["a is not b"]),
        ("not a and b", ["not a or b", "(a) and b"]),
        ("x if a else b", ["b if a else x"]),
        ("a += True", ["a -= True", "pass", "a += (False)"]),
        ("def f(a: 1) -> 2: return a", ["return None"]),
        ("def f(): return None", []),
        ("@dataclass(frozen=True)\nclass C: ...", []),
        ("f(1)", ["pass", "f(2)"]),
        ("raise a", ["pass"]),
        ("f'{a + 1}'", []),
        ("é = -a * b", ["é = (-a + b)", "é = (a) * b"]),
    ],
)
def test_each_mistake_is_made_once(text: str, changes: list[str]) -> None:
    made = [mutant.text for mutant in mutants(text)]
    assert len(made) == len(changes)
    for changed, whole in zip(changes, made, strict=True):
        assert ast.unparse(ast.parse(changed)) in ast.unparse(ast.parse(whole))


def test_the_line_and_the_change_are_told() -> None:
    (mutant,) = mutants("a\nb is c\n")
    assert (mutant.line, mutant.change) == (2, "b is c -> b is not c")
    assert mutant.text == "a\n(b is not c)\n"


@pytest.mark.slow
@pytest.mark.parametrize("module", TESTS)
def test_every_mutant_of_a_core_module_is_a_program(module: str) -> None:
    text = (ROOT / module).read_text()
    made = list(mutants(text))
    assert len(made) > 20
    for mutant in made:
        assert mutant.text != text
        compile(mutant.text, module, "exec")


def test_the_tests_of_each_module_exist() -> None:
    assert all((ROOT / "tests" / name).is_file() for names in TESTS.values() for name in names)

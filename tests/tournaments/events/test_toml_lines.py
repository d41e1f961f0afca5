"""TOML with the lines of its keys."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.tournaments.events.toml_lines import KeyPath, LinedTomlError, read_lined

TEXT = '''\
# a = 1
top = "# no comment = here"

[table] # a = 1
"quoted key" = 1
dotted.key = [
    1, # one
    { inner = 2 },
]
text = """
fake = 1
[fake]
"""
inline = { x = 1, y = { z = 2 } }
after = \'\'\'
'x' = \'\'\'

[[array]]
key = 1

[array.sub]
key = 2

[[array]]
key = 3
'''


def line_of(words: str) -> int:
    """The line that begins so, of which there is one."""
    (found,) = [number for number, row in enumerate(TEXT.split("\n"), 1) if row.startswith(words)]
    return found


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (("top",), "top"),
        (("table",), "[table]"),
        (("table", "quoted key"), '"quoted'),
        (("table", "dotted", "key"), "dotted"),
        (("table", "dotted", "key", 1, "inner"), "dotted"),
        (("table", "text"), "text"),
        (("table", "inline", "y", "z"), "inline"),
        (("table", "after"), "after"),
        (("array", 0, "sub", "key"), "key = 2"),
        (("array", 1, "key"), "key = 3"),
    ],
)
def test_every_key_has_the_line_where_its_statement_begins(place: KeyPath, words: str) -> None:
    assert read_lined(TEXT).line(place) == line_of(words)


def test_a_missing_key_has_the_line_of_the_table_it_would_stand_in() -> None:
    toml = read_lined(TEXT)
    assert toml.line(("table", "missing")) == line_of("[table]")
    assert toml.line(("array", 0, "missing", "deeper")) == toml.line(("array", 0))
    assert toml.line(("array",)) == toml.line(("array", 0)) < toml.line(("array", 1))
    assert toml.line(("missing",)) == 1


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_values_of_toml_are_those_of_the_library(newline: str) -> None:
    toml = read_lined(TEXT.replace("\n", newline))
    assert toml.values == tomllib.loads(TEXT)
    assert not toml.repeated
    assert toml.line(("array", 1, "key")) == line_of("key = 3")


def test_repeated_keys_and_tables_are_told_and_left_out() -> None:
    text = "[a]\nx = 1\nx = 2\ny = 3\n[b]\nx = 4\n[a]\nz = 5\nz = 6\n[c]\nd.e = 7\nd.e = 8\n"
    toml = read_lined(text)
    assert toml.values == {"a": {"x": 1, "y": 3}, "b": {"x": 4}, "c": {"d": {"e": 7}}}
    assert toml.repeated == ((("a", "x"), 3, 2), (("a",), 7, 1), (("c", "d", "e"), 12, 11))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("[a\nb = 1 2\nc = 3\nd = 'x\n", [1, 2, 4]),
        ("a = 1\nb = [1,\n2\nc = 3\n", [4]),
        ('a = 1\nb = """\nc = 3\n', [2]),
        ("a", [1]),
        ("a = 1\nb =", [2]),
        ("a = 1\n[a.b]\nc = 1\n", [2]),
        ("a = 1\nb = " + "[" * 5000 + "\n", [2]),
        ("a = 1\nb = " + "9" * 5000 + "\n", [2]),
        ("a = 1\n\x00\n", [2]),
    ],
)
def test_text_that_is_no_toml_is_refused_with_its_lines(text: str, lines: list[int]) -> None:
    with pytest.raises(LinedTomlError) as caught:
        read_lined(text)
    assert [line for line, _ in caught.value.mistakes] == lines
    assert all(reason for _, reason in caught.value.mistakes)


KEYS = st.sampled_from(["a", "b", "'c d'", '"e"', "a.b", "b.a.c"])
VALUES = st.sampled_from(
    [
        "1",
        "'#'",
        '"""\n[a]\n#"""',
        "[\n1, # 2\n]",
        "{ a = 1 }",
        "{}",
        "[]",
        "[{ b = 2 }]",
        "''' x'''",
    ]
)
ROWS = st.one_of(
    st.builds("{} = {}".format, KEYS, VALUES),
    st.builds("[{}]".format, KEYS),
    st.builds("[[{}]]".format, KEYS),
    st.sampled_from(["", "# a = 1", "  ", "a = ", "]", "'''"]),
)


def is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


@given(st.lists(ROWS, max_size=8).map("\n".join).filter(is_toml))
def test_toml_is_read_as_the_library_reads_it_and_each_key_stands_in_its_line(text: str) -> None:
    toml = read_lined(text)
    values = tomllib.loads(text)
    assert toml.values == values
    rows = text.split("\n")
    for place, line in toml.lines.items():
        held: Any = values
        for key in place:
            held = held[key]
        assert str(next(key for key in reversed(place) if isinstance(key, str))) in rows[line - 1]


@given(st.lists(ROWS, max_size=8).map("\n".join).filter(lambda text: not is_toml(text)))
def test_what_is_no_toml_is_told_with_lines_that_there_are(text: str) -> None:
    try:
        lines = [line for _, line, _ in read_lined(text).repeated]
    except LinedTomlError as error:
        lines = [line for line, _ in error.mistakes]
    assert lines
    assert {*lines} <= {*range(1, text.count("\n") + 2)}

"""The export form of real files is the standard verifier's, token for token."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import pytest

from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.write.succession import Succession
from bridge_arena.pbn.write.writer import HEADER, format_canonical, format_game
from tests.data import data_path

# The verifier drops what we keep: `+` (to be continued) becomes `*`, and an Auction
# without calls goes, though its comment says what they were.
TO_BE_CONTINUED = "verifier/correct_20.pbn"
AUCTION_IN_A_COMMENT = (
    "cb-pbn-files/1999-European_Team_Championships/A1A10303.PBN",
    "cs221/src/agent/boards/other_dataset/etc99pbn/A1A10303.PBN",
)
COMMENTED = """[Auction "W"]
{ 1D Pass 1H Pass
1NT X Pass 2S
Pass Pass Pass }
*
""".split()


def exported(path: Path) -> str:
    """The export of a file, as `arena convert` writes it."""
    succession = Succession()
    return HEADER + "".join(format_canonical(succession.form(game)) for game in read_games(path))


@pytest.mark.slow
def test_files_that_the_verifier_finds_clean_have_its_export() -> None:
    folder = data_path("pbn", "reference-export")
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    assert len(paths) == 401
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if name == TO_BE_CONTINUED:
            continue
        expected = path.read_bytes().decode("latin-1").split()
        found = exported(data_path("pbn", "corpus", *name.split("/"))).split()
        if name in AUCTION_IN_A_COMMENT:
            at = next(
                at for at in range(len(found)) if found[at : at + len(COMMENTED)] == COMMENTED
            )
            del found[at : at + len(COMMENTED)]
        assert found == expected, name


def test_games_to_be_continued_differ_in_their_plus_signs_alone() -> None:
    """`+` is left where the verifier has `*` at the end, or `-` in a row."""
    found = exported(data_path("pbn", "corpus", *TO_BE_CONTINUED.split("/"))).split("\r\n\r\n")
    path = data_path("pbn", "reference-export", *TO_BE_CONTINUED.split("/"))
    expected = path.read_bytes().decode("latin-1").split("\r\n\r\n")
    assert len(found) == len(expected)
    for mine, theirs in zip(found, expected, strict=True):
        if "+" in mine.split():
            # The verifier leaves out a section in which nothing happened yet.
            begun = re.sub(r'\[(Play|Auction) "."\]\r\n\+', "", mine)
            words = [word for word in begun.split() if word not in ("+", "-", "*")]
            assert words == [word for word in theirs.split() if word not in ("+", "-", "*")]
        else:
            assert mine.split() == theirs.split()


@pytest.mark.parametrize("folder", ["smoke", "probes"])
def test_an_export_is_its_own_export(folder: str, tmp_path: Path) -> None:
    for path in sorted(data_path("pbn", folder).glob("*.pbn")):
        for game in islice(read_games(path), 15):
            try:
                text = format_game(game)
            except ValueError:
                continue
            copy = tmp_path / "copy.pbn"
            copy.write_bytes(text.encode("latin-1"))
            (again,) = read_games(copy)
            again.values.update({name: game.get(name) for name in game.values})
            assert format_game(again) == text, path

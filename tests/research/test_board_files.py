"""Tests of the report on folders of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.board_files import Corpus
from tests.board_files.packing import as_lin, as_pbn, some_records, written

pytestmark = pytest.mark.slow


def test_files_are_counted_by_what_became_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = Corpus()
    records = some_records()
    for name, data in (("a.pbn", as_pbn(records)), ("b.lin", as_lin(records)), ("c.pbn", b"hi")):
        corpus.add(written(tmp_path, name, data))
    assert (corpus.survey.files, corpus.refused, corpus.raised) == (2, 1, 0)
    assert (corpus.survey.records, corpus.same) == (6, 6)

    def fail(*_: object) -> None:
        raise RuntimeError("oh")

    monkeypatch.setattr("research.board_files.Survey.add_file", fail)
    corpus.add(tmp_path / "a.pbn")
    assert corpus.raised == 1
    assert "a.pbn: RuntimeError('oh')" in capsys.readouterr().err

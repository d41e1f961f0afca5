"""The key of a service is told to nobody, whatever it is or stands for."""

from __future__ import annotations

import pytest

from bridge_arena.bots.library.http_service import check_variable, key_in


def test_the_key_is_read_from_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "sk-1")
    assert key_in(check_variable("key", "KEY")) == "sk-1"


@pytest.mark.parametrize("name", ["sk-1", "", "1KEY", "KEY\n"])
def test_what_may_be_the_key_itself_is_not_repeated(name: str) -> None:
    with pytest.raises(ValueError, match=r"^key is not the name of an environment variable$"):
        check_variable("key", name)


@pytest.mark.parametrize("key", ["two words", "line\nend", "ключ"])
def test_what_can_be_no_key_is_not_shown(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", key)
    with pytest.raises(ValueError, match=r"^what KEY holds is no key$"):
        key_in("KEY")


def test_a_missing_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KEY", raising=False)
    with pytest.raises(ValueError, match=r"^the environment has no key: set KEY$"):
        key_in("KEY")

"""Tests of the lines that the SDK prints for the user."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from bridge_arena.bots.sdk.tables import LOG_LEVEL, LogLevelError, show_log


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[logging.Logger]:
    """The SDK's logger in a program that has not set up logging."""
    logger = logging.getLogger("bridge_arena.bots.sdk")
    monkeypatch.delenv(LOG_LEVEL, raising=False)
    # The handlers of pytest do not count.
    monkeypatch.setattr(logger, "hasHandlers", lambda: False)
    level, handlers = logger.level, list(logger.handlers)
    yield logger
    logger.setLevel(level)
    logger.handlers[:] = handlers


def test_the_log_is_shown_on_standard_error(
    log: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    show_log()
    log.getChild("client").info("%s is here", "N")
    log.getChild("client").debug("board 1 begins")
    assert capsys.readouterr().err == "N is here\n"


@pytest.mark.parametrize(("level", "shown"), [("warning", "w\n"), ("DEBUG", "d\ni\nw\n")])
def test_the_environment_names_the_least_level(
    log: logging.Logger,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    level: str,
    shown: str,
) -> None:
    monkeypatch.setenv(LOG_LEVEL, level)
    show_log()
    log.debug("d")
    log.info("i")
    log.warning("w")
    assert capsys.readouterr().err == shown


def test_a_program_that_set_up_logging_itself_keeps_it(
    log: logging.Logger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "hasHandlers", lambda: True)
    before = list(log.handlers)
    show_log()
    assert log.handlers == before


@pytest.mark.usefixtures("log")
def test_a_level_that_is_none_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LOG_LEVEL, "loud")
    with pytest.raises(LogLevelError, match="'loud', expected debug, info, warning or error"):
        show_log()


def test_a_server_cannot_write_to_the_terminal_what_it_likes(
    log: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    show_log()
    log.info("seat N of %s", "\x1b[2Jthe\nevent\u202e\x9b")
    assert capsys.readouterr().err == "seat N of  [2Jthe event  \n"

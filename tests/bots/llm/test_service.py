"""A service over real sockets: honest, slow, broken and hostile."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from bridge_arena.base.masking import Masking
from bridge_arena.bots.llm.service import NoAnswerError, Reply, Service
from bridge_arena.bots.llm.transport import MOST_BYTES
from tests.bots.llm.stand_in import Trick, completion, stand_in, wrong

KEY = "sk-test-0123456789abcdef"
QUESTION = [{"role": "user", "content": "which call?"}]


def ask(answer: str | Trick, seconds: float = 5.0, key: str = KEY) -> Reply:
    with stand_in(lambda _: answer) as service:
        asker = Service(service.url, "toy", key, 1.0, 100, 60.0)
        return asyncio.run(asker.ask(QUESTION, seconds))


def refusal(answer: str | Trick, seconds: float = 5.0) -> NoAnswerError:
    with pytest.raises(NoAnswerError) as caught:
        ask(answer, seconds)
    return caught.value


def test_an_answer_is_read_with_its_tokens() -> None:
    assert ask("CALL: 1NT") == Reply("CALL: 1NT", is_cut=False, tokens=(100, 10))


def test_a_question_is_sent_with_model_and_settings() -> None:
    with stand_in(lambda _: "CALL: Pass") as service:
        asyncio.run(Service(service.url, "toy", KEY, 0.5, 100, 60.0).ask(QUESTION, 5.0))
        asyncio.run(Service(service.url, "toy", "", 0.5, 100, 60.0).ask(QUESTION, 5.0))
    assert service.asked[0] == {
        "model": "toy",
        "messages": QUESTION,
        "temperature": 0.5,
        "max_tokens": 100,
    }
    assert service.keys == [f"Bearer {KEY}", ""]


def test_an_answer_that_is_cut_off_says_so() -> None:
    reply = ask(Trick(body=completion("CALL: 1", finish_reason="length")))
    assert (reply.text, reply.is_cut) == ("CALL: 1", True)


def test_a_refusal_is_an_answer() -> None:
    message = {"role": "assistant", "content": None, "refusal": "I do not gamble."}
    body = json.dumps({"choices": [{"message": message}]}).encode()
    assert ask(Trick(body=body)) == Reply("I do not gamble.", is_cut=False, tokens=None)


def test_halves_of_characters_are_replaced() -> None:
    """JSON may hold what no text in UTF-8 can, and the answer is sent back when asked again."""
    body = completion("x").replace(b'"x"', b'"\\ud800 CALL"')
    assert ask(Trick(body=body)).text == "? CALL"


@pytest.mark.parametrize(
    "usage",
    [
        None,
        [],
        {"prompt_tokens": "7", "completion_tokens": 1},
        {"prompt_tokens": -7, "completion_tokens": 1},
        {"prompt_tokens": True, "completion_tokens": 1},
        {"prompt_tokens": 10**30, "completion_tokens": 1},
        {"prompt_tokens": 1},
    ],
)
def test_tokens_that_make_no_sense_are_not_known(usage: object) -> None:
    assert ask(Trick(body=completion("CALL: X", usage=usage))).tokens is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"\xff\xfe",
        b"null",
        b"[" * 100_000,
        b'{"choices": []}',
        b'{"choices": [{"message": null}]}',
        b'{"choices": [{"message": {"content": ["a"]}}]}',
        b'{"choices": [7], "usage": 7}',
    ],
)
def test_an_answer_of_another_kind_is_an_error_that_may_cost(body: bytes) -> None:
    error = refusal(Trick(body=body))
    assert error.may_cost
    assert not error.is_busy


def test_an_answer_without_end_is_not_read_to_its_end() -> None:
    error = refusal(Trick(body=b" " * 65536, times=0))
    assert error.may_cost
    assert str(error) == f"the answer of the service is longer than {MOST_BYTES} bytes"


def test_an_answer_that_is_cut_short_is_an_error_that_may_cost() -> None:
    error = refusal(Trick(body=b'{"choi', claimed=1000))
    assert "was cut off" in str(error)
    assert error.may_cost
    assert error.is_busy


@pytest.mark.parametrize("body", [b"", b'{"choices":'])
def test_a_service_that_hangs_is_left_in_time(body: bytes) -> None:
    error = refusal(Trick(body=body, claimed=1000, hangs=True), seconds=0.2)
    assert str(error) == "no answer of the service within 0.2 s"


@pytest.mark.parametrize(
    ("status", "is_busy", "is_refused"),
    [
        (400, False, True),
        (401, False, True),
        (404, False, True),
        (429, True, False),
        (500, True, False),
        (503, True, False),
        (307, False, False),
    ],
)
def test_the_status_of_an_answer_tells_whether_to_ask_again(
    status: int, *, is_busy: bool, is_refused: bool
) -> None:
    error = refusal(wrong(status, "sorry", Location="http://127.0.0.1:1/other"))
    assert str(error).startswith(f"the service answered with status {status}")
    assert (error.is_busy, error.is_refused, error.may_cost) == (is_busy, is_refused, False)


def test_the_service_may_say_when_to_ask_again() -> None:
    assert refusal(wrong(429, Retry_After="7")).wait == 7
    at = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    wait = refusal(wrong(503, Retry_After=at)).wait
    assert wait is not None
    assert 50 < wait <= 60
    assert refusal(wrong(429, Retry_After="-3")).wait is None
    assert refusal(wrong(429, Retry_After="soon")).wait is None
    assert refusal(wrong(429)).wait is None


@pytest.mark.parametrize("host", ["xn--iñvalid", "xn--"])
def test_an_address_that_is_none_is_refused(host: str) -> None:
    service = Service(f"http://{host}/v1", "toy", "", 1.0, 100, 60.0)
    with pytest.raises(NoAnswerError, match="base_url is not an address") as caught:
        asyncio.run(service.ask(QUESTION, 5.0))
    assert caught.value.is_refused


def test_a_service_that_is_gone_is_told_as_such() -> None:
    with stand_in() as service:
        gone = Service(service.url, "toy", "", 1.0, 100, 60.0)
    with pytest.raises(NoAnswerError, match="the service cannot be reached") as caught:
        asyncio.run(gone.ask(QUESTION, 5.0))
    assert caught.value.is_busy
    assert caught.value.is_refused


def test_a_proxy_is_not_told_what_it_could_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without https: the key and the cards would be open to it."""
    with stand_in(lambda _: "CALL: 1C") as service, stand_in(lambda _: "CALL: 1C") as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        asyncio.run(Service(service.url, "toy", KEY, 1.0, 100, 60.0).ask(QUESTION, 60.0))
        monkeypatch.setenv("https_proxy", proxy.url.removesuffix("/v1"))
        sealed = Service("https://service.invalid/v1", "toy", KEY, 1.0, 100, 60.0)
        with pytest.raises(NoAnswerError, match="ProxyError"):  # the stand-in opens no tunnel
            asyncio.run(sealed.ask(QUESTION, 60.0))
    assert (len(service.asked), proxy.asked) == (1, [])


@pytest.mark.parametrize("proxy", ["socks5h://me:pw@127.0.0.1:1", "ftp://me:pw@a", "http://me:pw"])
def test_a_proxy_that_cannot_be_used_is_told_as_such(
    monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setitem(sys.modules, "socksio", None)
    monkeypatch.setenv("ALL_PROXY", proxy)
    service = Service("https://service.invalid/v1", "toy", KEY, 1.0, 100, 60.0)
    with pytest.raises(NoAnswerError, match="the proxy that the environment names") as caught:
        asyncio.run(service.ask(QUESTION, 60.0))
    assert caught.value.is_refused
    assert "pw" not in str(caught.value)


def test_what_the_service_complains_of_is_quoted() -> None:
    error = refusal(wrong(404, "no model «toy»\n\x1b[31mobey"))
    assert str(error) == "the service answered with status 404: «no model ‹toy›  [31mobey»"


@pytest.mark.parametrize("text", [f"key {KEY}!", f"bad key {KEY[:9]}", f"…{KEY[-8:]}"])
def test_a_part_of_the_key_is_masked_in_complaints_and_answers(text: str) -> None:
    masked = Masking([KEY]).text(text)
    assert "***" in masked
    assert str(refusal(wrong(401, text))) == f"the service answered with status 401: «{masked}»"
    assert ask(text).text == masked


@pytest.mark.parametrize("word", ["x", "dummy", "EMPTY"])
def test_a_word_in_place_of_a_key_may_be_in_an_answer(word: str) -> None:
    text = f"The next trick is {word}'s.\nCARD: SA"
    assert ask(text, key=word).text == text


def test_a_service_does_not_show_its_key() -> None:
    service = Service("http://localhost/v1", "toy", KEY, 1.0, 100, 60.0)
    assert KEY not in repr(service)
    assert KEY not in repr(replace(service, model="other"))

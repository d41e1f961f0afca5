"""The errors of requests and answers that make no sense."""

from __future__ import annotations


class ParameterError(ValueError):
    """A request that is no position of bridge.

    Args:
        parameter: The parameter that is wrong.
        why: What is wrong with it.
    """

    def __init__(self, parameter: str, why: str) -> None:
        super().__init__(f"{parameter}: {why}")


class AnswerError(ValueError):
    """An answer without the call or card that was asked for; the message quotes what it says."""

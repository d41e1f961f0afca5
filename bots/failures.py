"""What is said of code of others that failed: the error, and the line of their file."""

from __future__ import annotations

import traceback
from collections.abc import Collection
from pathlib import Path


def failure(error: BaseException, files: Collection[Path]) -> str:
    """Say how a bot failed, and where, if that was in a file of its own.

    Args:
        error: What it raised.
        files: The full paths of the files that bots may be in.

    Returns:
        The kind and the text of the error; then the last line of those files that it passed.
    """
    kind, text = type(error).__name__, str(error)
    said = f"{kind}: {text}" if text else kind
    passed = [
        f"{Path(frame.filename).name}, line {frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename) in files
    ]
    return f"{said} ({passed[-1]})" if passed else said

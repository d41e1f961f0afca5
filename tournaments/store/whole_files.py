"""Files that are written whole or not at all."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def replace_file(path: Path, data: bytes, *, is_private: bool = False) -> None:
    """Write `data` beside its place and move it there; `is_private`: for its owner's eyes alone.
    Raises OSError, which names the file."""
    temporary = path.with_name(f".{path.name}.new")
    try:
        if is_private:
            temporary.unlink(missing_ok=True)
            temporary.touch(mode=0o600)
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None

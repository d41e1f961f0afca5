"""The tokens of players and kibitzers who connect by themselves, kept in a file as hashes.

A token has 256 random bits, so that a plain hash does not reveal it.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from filelock import FileLock

_VERSION = 1


class TokensError(Exception):
    """The file of tokens cannot be read or written; the message is one line."""


def tokens_path(event_file: Path) -> Path:
    """Return the default path of the file of an event's tokens."""
    return event_file.with_suffix(".tokens.json")


class Tokens:
    """A file of tokens. A file that does not exist holds no tokens."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # Owners by the hashes of their tokens, as they were when the file was last read.
        self._owners: dict[str, str] = {}
        # Identifies that version of the file; None if there was no file.
        self._version: tuple[int, int] | None = None

    def create(self, owner: str) -> str:
        """Create a token, and cancel the owner's earlier one. Raises TokensError."""
        token = secrets.token_urlsafe(32)
        with self._alone():
            self._refresh()
            kept = {hashed: name for hashed, name in self._owners.items() if name != owner}
            self._write({**kept, hash_of(token): owner})
            self._refresh()
        return token

    def has(self, owner: str) -> bool:
        """Return whether an owner has a token. Raises TokensError."""
        self._refresh()
        return owner in self._owners.values()

    def owner(self, token: str) -> str | None:
        """Return the owner of a token; None if it is not known.

        If the file can no longer be read, its last known content counts.
        """
        return self.owner_of_hash(hash_of(token))

    def owner_of_hash(self, hashed: str) -> str | None:
        """Return the owner of a token by its hash, as `owner` does."""
        with suppress(TokensError):
            self._refresh()
        return self._owners.get(hashed)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock the file against other writers while the block runs; raises TokensError.

        The lock is on an empty file beside it, as the file itself is replaced.
        """
        lock = FileLock(self._path.with_name(f".{self._path.name}.lock"), fallback_to_soft=False)
        try:
            self._path.parent.stat()  # acquire() would create a missing folder
            held = lock.acquire()
        except OSError as error:
            raise TokensError(f"{self._path}: {error.strerror}") from None
        with held:
            yield

    def _refresh(self) -> None:
        """Read the file again if it has changed. Raises TokensError."""
        try:
            status = self._path.stat()
        except FileNotFoundError:
            self._owners, self._version = {}, None
            return
        except OSError as error:
            raise TokensError(f"{self._path}: {error.strerror}") from None
        version = status.st_mtime_ns, status.st_ino
        if version == self._version:
            return
        self._owners, self._version = self._read(), version

    def _read(self) -> dict[str, str]:
        try:
            facts = json.loads(self._path.read_text(encoding="utf-8"))
            if facts["version"] != _VERSION:
                raise TokensError(f"{self._path}: version {facts['version']} is not known")
            return {str(hashed): str(owner) for hashed, owner in facts["tokens"].items()}
        except OSError as error:
            raise TokensError(f"{self._path}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise TokensError(f"{self._path}: this is no file of tokens") from None

    def _write(self, owners: dict[str, str]) -> None:
        """Replace the file in one step, so that nobody reads half of it."""
        text = json.dumps({"version": _VERSION, "tokens": owners}, indent=2) + "\n"
        new = self._path.with_name(f"{self._path.name}.{secrets.token_hex(4)}")
        try:
            new.touch(mode=0o600, exist_ok=False)
            new.write_text(text, encoding="utf-8")
            new.replace(self._path)
        except OSError as error:
            new.unlink(missing_ok=True)
            raise TokensError(f"{self._path}: {error.strerror}") from None


def hash_of(secret: str) -> str:
    """Return the hash by which a secret is known."""
    return sha256(secret.encode(errors="replace")).hexdigest()

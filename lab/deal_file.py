"""A file of solved deals that an experiment bids."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path


@dataclass(frozen=True, slots=True)
class DealFile:
    """A file of solved deals."""

    path: str  # its full path
    digest: str  # the SHA-256 hash of the file, hexadecimal

    @classmethod
    def of(cls, path: Path) -> DealFile:
        """Return a file as it is now. Raises OSError."""
        return cls(str(path.resolve()), _digest(path))

    @property
    def has_changed(self) -> bool:
        """Whether the file is gone, or is not what it was when the experiment began."""
        path = Path(self.path)
        return not path.is_file() or self.digest != _digest(path)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()

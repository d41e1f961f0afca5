"""The replays of the boards that the report of an experiment shows."""

from __future__ import annotations

from pathlib import Path

from bridge_arena.lab import wording
from bridge_arena.lab.figures import LabFigures
from bridge_arena.lab.report import PAGE
from bridge_arena.reports.common.replay_pages import FOLDER, LIST
from bridge_arena.web.board.document import Link
from bridge_arena.web.replays.folder import ReplayFolder
from bridge_arena.web.replays.listing import rows_of
from bridge_arena.web.replays.of_files import replays_of_records


def write_lab_replays(figures: LabFigures, folder: Path) -> None:
    """Write the replays to the folder `boards` beside the report.

    Args:
        figures: The figures.
        folder: The folder of the report.

    Raises:
        OSError: A file cannot be written.
    """
    index = Link(href=f"../{PAGE}", text="Laboratory")
    replays = list(replays_of_records(figures.records))
    written = ReplayFolder(folder / FOLDER, is_private=False)
    written.write_list(LIST, wording.title(figures), rows_of(replays), index)
    written.write(replays, index)

"""The thoughts of the players, for replays."""

import sqlalchemy as sa

from bridge_arena.tournaments.store.migrations import create_table_of_records

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table."""
    create_table_of_records(
        "thought",
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("thoughts", sa.JSON(), nullable=False),
        own_key=("seat",),
    )

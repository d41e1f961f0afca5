"""The thoughts of the players, for replays."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "thought",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("thoughts", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event", "round", "match", "position", "room"],
            ["record.event", "record.round", "record.match", "record.position", "record.room"],
        ),
        sa.PrimaryKeyConstraint("event", "round", "match", "position", "room", "seat"),
    )

"""The schema of the first release."""

import sqlalchemy as sa
from alembic import op

from bridge_arena.tournaments.store.migrations import create_table_of_records

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("definition", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "board",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("supply", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("dealer", sa.String(), nullable=False),
        sa.Column("vulnerability", sa.String(), nullable=False),
        sa.Column("deal", sa.String(), nullable=False),
        sa.Column("auction", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["event"], ["event.id"]),
        sa.PrimaryKeyConstraint("event", "supply"),
    )
    op.create_table(
        "entry",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("bot", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["event.id"]),
        sa.PrimaryKeyConstraint("event", "number"),
    )
    op.create_table(
        "match",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("entries", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["event.id"]),
        sa.PrimaryKeyConstraint("event", "round", "number"),
    )
    op.create_table(
        "record",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("contract", sa.String(), nullable=True),
        sa.Column("declarer", sa.String(), nullable=True),
        sa.Column("tricks", sa.Integer(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("adjusted", sa.String(), nullable=True),
        sa.Column("pbn", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["event", "board"], ["board.event", "board.supply"]),
        sa.ForeignKeyConstraint(
            ["event", "round", "match"], ["match.event", "match.round", "match.number"]
        ),
        sa.PrimaryKeyConstraint("event", "round", "match", "position", "room"),
    )
    create_table_of_records(
        "analysis",
        sa.Column("values", sa.JSON(none_as_null=True), nullable=True),
    )
    create_table_of_records(
        "ledger",
        sa.Column("card", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("tricks", sa.Integer(), nullable=False),
        own_key=("card",),
    )
    create_table_of_records(
        "timing",
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("milliseconds", sa.JSON(), nullable=False),
        own_key=("seat",),
    )

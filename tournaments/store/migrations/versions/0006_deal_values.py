"""What stand-ins made of an event's deals and of others, to tell the luck of the deals."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the column and create the table."""
    op.add_column("event", sa.Column("control", sa.String(), nullable=True))
    op.create_table(
        "deal_value",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("second", sa.Integer(), nullable=False),
        sa.Column("series", sa.Integer(), nullable=False),
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["event.id"]),
        sa.PrimaryKeyConstraint("event", "first", "second", "series", "board"),
    )

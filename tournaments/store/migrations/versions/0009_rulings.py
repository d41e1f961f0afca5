"""The rulings of directors."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "ruling",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("ruling", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["event"], ["event.id"]),
        sa.PrimaryKeyConstraint("event", "number"),
    )

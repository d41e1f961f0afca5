"""The program that played each seat of a board, with its version, for leaderboards over events."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the column."""
    op.add_column("timing", sa.Column("program", sa.String(), nullable=True))

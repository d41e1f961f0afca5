"""The seconds that each board took off the match clocks, for events that are resumed."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column."""
    op.add_column("timing", sa.Column("match_seconds", sa.Double(), nullable=True))

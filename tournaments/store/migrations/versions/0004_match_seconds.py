"""What each board took off the match clocks, so that they go on where an event does."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("timing", sa.Column("match_seconds", sa.Double(), nullable=True))

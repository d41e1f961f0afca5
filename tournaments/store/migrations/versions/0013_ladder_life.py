"""What ladders need that live for weeks: when they were backed up last."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create the columns and tables."""
    op.add_column("ladder", sa.Column("backed_up", sa.String(), nullable=True))

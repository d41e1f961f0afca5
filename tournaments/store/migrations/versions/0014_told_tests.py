"""When the end of a ladder's test was told."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Create the column: what has ended was told."""
    op.add_column("ladder_test", sa.Column("told", sa.String(), nullable=True))
    op.execute("UPDATE ladder_test SET told = ended")

"""When the end of a ladder's test was announced."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Create the column: what has ended was announced."""
    op.add_column("ladder_test", sa.Column("announced", sa.String(), nullable=True))
    op.execute("UPDATE ladder_test SET announced = ended")

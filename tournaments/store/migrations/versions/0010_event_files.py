"""Whether an event file defines an event: its programs are found from the folder of the file."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column."""
    op.add_column(
        "event", sa.Column("of_file", sa.Boolean(), nullable=False, server_default=sa.false())
    )

"""The commitment to an event's deals, and the key that they come from."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("event", sa.Column("commitment", sa.String(), nullable=True))
    op.add_column("event", sa.Column("key", sa.String(), nullable=True))
    op.add_column("event", sa.Column("public_value", sa.String(), nullable=True))
    op.add_column(
        "event", sa.Column("revealed", sa.Boolean(), nullable=False, server_default=sa.false())
    )

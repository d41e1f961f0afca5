"""What came of the last alert that was posted to an author."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Create the columns: nothing is known of what was posted before."""
    for name in ("posted", "post_trouble"):
        op.add_column("ladder_author", sa.Column(name, sa.String(), nullable=True))

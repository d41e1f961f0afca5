"""How many matches at once a ladder can play; indexes for what has happened lately."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Create the columns: nothing is known of ladders that were played before."""
    for name in ("tables", "threads"):
        op.add_column("ladder", sa.Column(name, sa.Integer(), nullable=True))
    ended = ["ladder", "is_over", "ended", "boards"]
    op.create_index("ladder_match_ended", "ladder_match", ended)
    op.create_index("ladder_order_match", "ladder_order", ["ladder", "match"])

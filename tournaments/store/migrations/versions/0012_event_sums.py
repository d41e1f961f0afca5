"""What a leaderboard needs of an event, so that it need not be worked out again."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "event_sums",
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("event", "deletions", "records", "rulings", "form")
        ),
        sa.Column("summary", sa.JSON(), nullable=False),
        *(
            sa.Column(name, sa.LargeBinary(), nullable=False)
            for name in ("tables", "boards", "scores", "deals")
        ),
        sa.ForeignKeyConstraint(["event"], ["event.id"]),
        sa.PrimaryKeyConstraint("event"),
    )

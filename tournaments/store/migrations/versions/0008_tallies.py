"""What figures need of tables, so that leaderboards need not read all records again."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column and create the table."""
    deletions = sa.Column("tally_deletions", sa.Integer(), nullable=False, server_default="0")
    op.add_column("event", deletions)
    op.create_table(
        "tally",
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("lineups", sa.JSON(), nullable=False),
        *(
            sa.Column(name, sa.LargeBinary(), nullable=False)
            for name in ("tables", "faults", "times", "model_uses")
        ),
        sa.ForeignKeyConstraint(["event"], ["event.id"]),
        sa.PrimaryKeyConstraint("event", "number"),
    )

"""People at a ladder: the boards that they play, and the boards of days."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "ladder_people_board",
        sa.Column("ladder", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("deal", "person", "name", "seat", "began")
        ),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("record", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"]),
        sa.PrimaryKeyConstraint("ladder", "deal", "person"),
    )
    for column in ("person", "began"):
        name = f"ladder_people_board_{column}"
        op.create_index(name, "ladder_people_board", ["ladder", column])
    op.create_table(
        "ladder_day",
        sa.Column("ladder", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("day", "definition", "deal_key", "fixed")
        ),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"]),
        sa.PrimaryKeyConstraint("ladder", "day"),
    )

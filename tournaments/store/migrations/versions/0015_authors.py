"""The authors of a ladder: how they come, and what they say of their players."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Create the columns and tables."""
    for table, name in (
        ("ladder_player", "system"),
        ("ladder_player", "home"),
        ("ladder_version", "news"),
        ("ladder_test", "author"),
    ):
        text = sa.Column(name, sa.String(), nullable=False, server_default="")
        op.add_column(table, text)
    op.create_table(
        "ladder_author",
        sa.Column("ladder", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("name", "since", "webhook")),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"]),
        sa.PrimaryKeyConstraint("ladder", "name"),
    )
    op.create_table(
        "ladder_invitation",
        sa.Column("ladder", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("secret", "author", "expires")),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"]),
        sa.PrimaryKeyConstraint("ladder", "secret"),
    )
    op.create_table(
        "ladder_request",
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("ladder", "number")),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("author", "program", "home", "words", "came", "secret", "state")
        ),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"]),
        sa.PrimaryKeyConstraint("ladder", "number"),
    )

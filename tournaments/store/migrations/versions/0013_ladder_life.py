"""What ladders need that live for weeks."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create the columns and tables."""
    op.add_column("ladder", sa.Column("backed_up", sa.String(), nullable=True))
    op.create_table(
        "ladder_pbn",
        sa.Column("ladder", sa.Integer(), nullable=False),
        sa.Column("week", sa.String(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"]),
        sa.PrimaryKeyConstraint("ladder", "week"),
    )
    op.create_table(
        "ladder_alert",
        sa.Column("ladder", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("kind", "subject", "text", "since")
        ),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"]),
        sa.PrimaryKeyConstraint("ladder", "kind", "subject"),
    )
    op.create_table(
        "ladder_test",
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("ladder", "number", "new", "base")
        ),
        sa.Column("sprt", sa.String(), nullable=False),
        sa.Column("last_match", sa.Integer(), nullable=False),
        sa.Column("began", sa.String(), nullable=False),
        sa.Column("swings", sa.LargeBinary(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("ended", sa.String(), nullable=True),
        *(
            sa.ForeignKeyConstraint(
                ["ladder", side], ["ladder_version.ladder", "ladder_version.number"]
            )
            for side in ("new", "base")
        ),
        sa.PrimaryKeyConstraint("ladder", "number"),
    )
    op.create_table(
        "ladder_week",
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("ladder", "version")),
        sa.Column("week", sa.String(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("boards", "imps", "squares")),
        sa.Column("expected", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ladder", "version"], ["ladder_version.ladder", "ladder_version.number"]
        ),
        sa.PrimaryKeyConstraint("ladder", "week", "version"),
    )
    op.create_table(
        "ladder_consistency",
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("ladder", "version", "number")
        ),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("deal_key", "conditions", "plays", "played")
        ),
        sa.Column("has_changed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ladder", "version"], ["ladder_version.ladder", "ladder_version.number"]
        ),
        sa.PrimaryKeyConstraint("ladder", "version", "number"),
    )
    split_boards = sa.Column("split_boards", sa.Integer(), nullable=False, server_default="0")
    op.add_column("ladder_pair", split_boards)
    for name in ("auction", "opening_lead", "declarer_play", "defence"):
        imps: sa.Column[float] = sa.Column(name, sa.Double(), nullable=False, server_default="0")
        op.add_column("ladder_version", imps)
    op.add_column("ladder_version", sa.Column("accused", sa.String(), nullable=True))
    op.add_column("ladder_match", sa.Column("audited", sa.String(), nullable=True))
    op.create_table(
        "ladder_audit",
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("ladder", "version")),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("deals", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ladder", "version"], ["ladder_version.ladder", "ladder_version.number"]
        ),
        sa.PrimaryKeyConstraint("ladder", "version", "kind"),
    )

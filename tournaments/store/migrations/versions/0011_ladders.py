"""Ladders: their players, versions and matches, sums of pairs, and who is surely ahead."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "ladder",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(), nullable=False, unique=True),
        sa.Column("definition", sa.String(), nullable=False),
    )
    op.create_table(
        "ladder_player",
        *_key("number"),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("name", "author", "definition")
        ),
        sa.Column("folder", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("is_there", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["ladder"], ["ladder.id"]),
        sa.PrimaryKeyConstraint("ladder", "number"),
        sa.UniqueConstraint("ladder", "name"),
    )
    op.create_table(
        "ladder_version",
        *_key("number", "player"),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("identity", "since")),
        sa.ForeignKeyConstraint(
            ["ladder", "player"], ["ladder_player.ladder", "ladder_player.number"]
        ),
        sa.PrimaryKeyConstraint("ladder", "number"),
        sa.UniqueConstraint("ladder", "player", "identity"),
    )
    op.create_table(
        "ladder_match",
        *_key("number", "home", "visitors"),
        sa.Column("is_over", sa.Boolean(), nullable=False),
        sa.Column("began", sa.String(), nullable=False),
        sa.Column("ended", sa.String(), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        *(sa.Column(name, sa.Integer(), nullable=True) for name in ("boards", "imps")),
        *_of_versions("home", "visitors"),
        sa.PrimaryKeyConstraint("ladder", "number"),
    )
    op.create_index("ladder_match_open", "ladder_match", ["ladder", "is_over"])
    op.create_table(
        "ladder_pair",
        *_key("first", "second"),
        sa.Column("swings", sa.LargeBinary(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("matches", "first_home")),
        sa.Column("seconds", sa.Double(), nullable=False),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("left_first", "left_second", "faults_first", "faults_second")
        ),
        *_of_versions("first", "second"),
        sa.PrimaryKeyConstraint("ladder", "first", "second"),
    )
    op.create_table(
        "ladder_order",
        *_key("ahead", "behind", "match"),
        *_of_versions("ahead", "behind"),
        sa.PrimaryKeyConstraint("ladder", "ahead", "behind"),
    )


def _key(*columns: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer(), nullable=False) for name in ("ladder", *columns)]


def _of_versions(*sides: str) -> list[sa.ForeignKeyConstraint]:
    """Return what has two columns name versions."""
    return [
        sa.ForeignKeyConstraint(
            ["ladder", side], ["ladder_version.ladder", "ladder_version.number"]
        )
        for side in sides
    ]

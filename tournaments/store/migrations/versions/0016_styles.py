"""How versions of ladders bid and play, their faults by kind, and the swings of each match."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

_NUMBERS = (
    "auctions",
    "calls",
    "first_chances",
    "second_chances",
    "third_chances",
    "fourth_chances",
    "first_openings",
    "second_openings",
    "third_openings",
    "fourth_openings",
    "openings",
    "notrump_openings",
    "weak_twos",
    "preempts",
    "overcall_chances",
    "overcalls",
    "takeout_doubles",
    "results",
    "contracts",
    "levels",
    "games",
    "games_made",
    "slams",
    "slams_made",
    "contracts_doubled",
    "claims",
    "defences",
    "doubles",
    "doubles_set",
    "timed_calls",
    "timed_cards",
    "illegal",
    "malformed",
    "timeout",
    "stall",
    "disconnect",
    "crash",
    "refused",
    "undo",
)


def upgrade() -> None:
    """Create the table, the column and the indexes."""
    op.create_table(
        "ladder_style",
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("ladder", "version")),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in _NUMBERS),
        *(
            sa.Column(name, sa.Double(), nullable=False)
            for name in ("call_seconds", "card_seconds")
        ),
        sa.ForeignKeyConstraint(
            ["ladder", "version"], ["ladder_version.ladder", "ladder_version.number"]
        ),
        sa.PrimaryKeyConstraint("ladder", "version"),
    )
    op.add_column("ladder_match", sa.Column("swings", sa.LargeBinary(), nullable=True))
    for own, other in (("home", "visitors"), ("visitors", "home")):
        columns = ["ladder", "is_over", own, "number", other]
        op.create_index(f"ladder_match_{own}", "ladder_match", columns)

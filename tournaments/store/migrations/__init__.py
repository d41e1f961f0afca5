"""The migrations of the store's schema, by Alembic."""

from typing import Any

import sqlalchemy as sa
from alembic import op

_KEY = ("event", "round", "match", "position", "room")


def create_table_of_records(
    name: str, *columns: sa.Column[Any], own_key: tuple[str, ...] = ()
) -> None:
    """Create a table whose rows belong to records; `own_key` ends its primary key."""
    op.create_table(
        name,
        *(sa.Column(column, sa.Integer(), nullable=False) for column in _KEY[:-1]),
        sa.Column("room", sa.String(), nullable=False),
        *columns,
        sa.ForeignKeyConstraint(_KEY, [f"record.{column}" for column in _KEY]),
        sa.PrimaryKeyConstraint(*_KEY, *own_key),
    )

"""The removal of what was never read: entries, ledgers, and values that a record's PBN has too.

Entries are in the event's definition, and a ledger follows from a record and its values.
"""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Drop the tables and columns."""
    op.drop_table("ledger")
    op.drop_table("entry")
    for column in ("contract", "declarer", "tricks", "score", "adjusted"):
        op.drop_column("record", column)

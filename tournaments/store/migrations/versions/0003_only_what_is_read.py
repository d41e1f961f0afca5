"""Without what was written and never read: entries, ledgers, and what a record's PBN says too.

Entries are those of the event's definition, and a ledger follows from a record and its values.
"""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.drop_table("ledger")
    op.drop_table("entry")
    for column in ("contract", "declarer", "tricks", "score", "adjusted"):
        op.drop_column("record", column)

"""Reading of LIN text: tables, boards and records."""

"""LIN text to tables, boards and records."""

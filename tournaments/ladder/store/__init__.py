"""What a ladder keeps: its tables, its PBN files, and their backups."""

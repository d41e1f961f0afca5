"""From PBN text to records."""

"""From records to PBN text."""

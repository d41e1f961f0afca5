"""The letter of PBN 2.1 import format: what `pbn.strict.verdict` reports."""

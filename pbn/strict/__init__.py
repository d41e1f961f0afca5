"""The letter of PBN 2.1 import format: what `pbn.verdict` reports."""

"""How results are told: to terminals, in pages, as CSV and JSON."""

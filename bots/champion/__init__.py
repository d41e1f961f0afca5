"""`champion`: learned bidding, and cards by layouts that are weighed by what the others did."""

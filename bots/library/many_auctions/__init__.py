"""Thousands of auctions at once, as arrays: the boards, the calls, the contracts."""

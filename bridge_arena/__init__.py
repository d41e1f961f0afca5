"""Bridge Arena: a tournament server and bot protocol framework for contract bridge."""

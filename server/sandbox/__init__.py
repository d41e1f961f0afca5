"""A sandbox for programs that are not trusted."""

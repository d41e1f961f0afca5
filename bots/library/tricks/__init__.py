"""Estimated double-dummy tricks of two partners whose hands are known, the others' not."""

"""Estimated double-dummy tricks of two partners whose hands are known, without the others'."""

"""Programs of strangers, shut in."""

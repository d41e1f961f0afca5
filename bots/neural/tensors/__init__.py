"""Self-play wholly on one device: auctions, boards and lessons as tensors, for a GPU."""

"""`random`: every legal action equally likely."""

"""HTTP robots: a position as the query of a request, and the call or card as its answer in JSON."""

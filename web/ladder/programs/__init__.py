"""What programs read of a ladder: the API, its document, the stream, the feed and badges."""

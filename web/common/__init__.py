"""What all pages and servers of the arena share."""

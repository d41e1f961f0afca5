"""The parts that all pages and servers of the arena share."""

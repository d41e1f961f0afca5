"""The board component: one JSON document of a board, and the page that shows it."""

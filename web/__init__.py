"""The arena in the browser: pages that show boards, and the servers that serve them."""

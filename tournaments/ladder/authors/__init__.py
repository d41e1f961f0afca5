"""The authors of a ladder: who they are, what they may order, and what is posted to them."""

"""The openings that players choose with a hand, as likely as they are, learned from their games."""

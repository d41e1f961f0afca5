"""`arena ladder`: a place where programs live, and meet when they are there."""

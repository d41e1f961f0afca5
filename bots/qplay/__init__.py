"""`qplay`: declarer play at notrump, learned as a table of values (Hadjur's Q-learning)."""

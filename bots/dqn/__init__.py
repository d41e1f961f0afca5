"""`dqn`: declarer play at notrump by a deep Q-network (after Hadjur's outlook)."""

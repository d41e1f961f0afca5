"""`dqn`: declarer play at notrump by a deep Q-network (Hadjur's outlook)."""

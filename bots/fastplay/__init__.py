"""Card play by a network that has learned what every card costs, double dummy."""

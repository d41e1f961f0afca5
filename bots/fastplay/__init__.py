"""Card play by a net that has learned what every card costs, double dummy."""

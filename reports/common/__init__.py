"""What match reports and leaderboards share: the one model of figures, its words and looks."""

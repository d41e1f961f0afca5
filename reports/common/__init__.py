"""What the reports of matches and leaderboards share."""

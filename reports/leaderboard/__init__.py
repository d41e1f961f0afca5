"""The leaderboard: figures of entries across events, with links to the replays of every board."""

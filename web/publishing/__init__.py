"""A site of plain files from runs: events, reports, leaderboards, replays, downloads."""

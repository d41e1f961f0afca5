"""The parts that match reports and leaderboards share: figures, wording and appearance."""

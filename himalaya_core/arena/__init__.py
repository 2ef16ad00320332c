"""Matches between players: one at a time, or tournaments in parallel; of statistics only when to stop."""

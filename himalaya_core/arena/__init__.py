"""Matches between players: one at a time, or tournaments in parallel; nothing about statistics."""

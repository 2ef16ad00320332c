"""Tournaments: their schedules, running and resuming them, and the sequential test that decides when to stop."""

"""Matches between players: one at a time or whole tournaments, and the test that says when to stop one."""

"""The replay of a match: what the browser draws, and the routes that serve it."""

from dashboards.replay.routes import register

__all__ = ["register"]

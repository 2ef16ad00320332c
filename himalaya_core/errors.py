"""Errors of requests that cannot be met: a command reports them in one line, and a caller can catch them.

HimalayaError
├── BoardError, OptionsError: a match that cannot be set up as requested
├── RegistryError: a game, a player or a command whose package does not work
├── LogFileError: a log file that cannot be read or written
├── TournamentError (`arena.plan`), UnknownPlayer (`players.named`)
└── CommandError (`cli.command`), and the errors of ingest and dashboards

An action that the rules forbid is no such error: see `himalaya_core.game.IllegalAction`.
"""

__all__ = ["BoardError", "HimalayaError", "LogFileError", "OptionsError", "RegistryError"]


class HimalayaError(Exception):
    """A request that cannot be met; the message gives the caller the reason, in one line."""


class BoardError(HimalayaError, ValueError):
    """Board data that breaks a check; the message names the place in the data and what was expected."""


class OptionsError(HimalayaError, ValueError):
    """Options that no match can be played with; the message names the option."""


class LogFileError(HimalayaError, OSError):
    """A log file that cannot be read or written; the message names it and says why."""


class RegistryError(HimalayaError):
    """A registered name whose value is not available; the message names the package."""

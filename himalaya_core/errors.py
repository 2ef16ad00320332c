"""Errors for requests that cannot be met. Commands print them as one line; Python callers can catch them.

HimalayaError
├── BoardError, OptionsError: a match that cannot be set up as requested
├── RegistryError: a game, a player or a command that cannot be loaded
├── LogFileError: a log file that cannot be read or written
├── TournamentError (`tournament.plan`), UnknownPlayer (`players.named`)
└── CommandError (`cli.command`), and the errors of ingest and dashboards

An action that the rules forbid raises a different error: `himalaya_core.game.IllegalAction`.
"""

__all__ = ["BoardError", "HimalayaError", "LogFileError", "OptionsError", "RegistryError"]


class HimalayaError(Exception):
    """A request that cannot be met; the message gives the reason in one line."""


class BoardError(HimalayaError, ValueError):
    """Invalid board data; the message names the place in the data and the expected value."""


class OptionsError(HimalayaError, ValueError):
    """Options that make a match impossible; the message names the option."""


class LogFileError(HimalayaError, OSError):
    """A log file that cannot be read or written; the message names the file and the reason."""


class RegistryError(HimalayaError):
    """A registered game, player or command that cannot be loaded; the message names its package."""

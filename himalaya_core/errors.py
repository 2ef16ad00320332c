"""Errors for requests that cannot be met. Commands print them as one line; Python callers can catch them.

HimalayaError
├── BoardError, OptionsError: a match that cannot be set up as requested
├── RegistryError: a game, a player or a command that cannot be loaded
├── LogFileError: a log file that cannot be read or written
├── PlayerFailure (`match`): a player that raises an error or chooses an illegal action
├── TournamentError (`tournament.plan`), UnknownPlayer (`players.named`)
└── CommandError (`cli.command`), and the errors of ingest and dashboards

An action that the rules forbid raises a different error: `himalaya_core.game.IllegalAction`.
"""

from traceback import extract_tb

__all__ = ["BoardError", "HimalayaError", "LogFileError", "OptionsError", "RegistryError", "in_one_line"]


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


def in_one_line(error: BaseException, file: str = "", given: str = "") -> str:
    """Return an error of external code as one line, with the place where it was raised.

    The place is in `file` if possible, and is then shown as `given`, the file's name as the user wrote it.
    """
    where = ""
    if isinstance(error, SyntaxError):
        where = f"{given or error.filename}:{error.lineno}: "
    else:
        frames = [frame for frame in extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
        inside = [frame for frame in frames if frame.filename == file] or frames[1:]
        if inside:
            where = f"{given or inside[-1].filename}:{inside[-1].lineno}: "
    said = " ".join((error.msg if isinstance(error, SyntaxError) else str(error)).split())
    return f"{where}{type(error).__name__}{': ' if said else ''}{said}"

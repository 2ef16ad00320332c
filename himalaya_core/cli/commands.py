"""The commands of `himalaya_core`, in the order of `himalaya --help`."""

from typing import Final

from himalaya_core.cli.command import Command

__all__ = ["COMMANDS"]

COMMANDS: Final = (
    Command(
        "play",
        "play one match and print the result; --out writes its log",
        "himalaya_core.cli.play:add_play",
        10,
        group="Play",
    ),
    Command(
        "tournament",
        "play a schedule of matches into log files; run again to resume",
        "himalaya_core.cli.tournament:add_tournament",
        20,
        group="Play",
    ),
    Command(
        "players",
        "list the players of a game, with their settings",
        "himalaya_core.cli.players:add_players",
        30,
        group="Play",
    ),
    Command(
        "branch",
        "continue a match differently from a position, once or many times",
        "himalaya_core.cli.branch:add_branch",
        40,
        group="Play",
    ),
    Command(
        "train",
        "fit a model of the chances of winning to logs, and check it",
        "himalaya_core.cli.train:add_train",
        50,
        group="Play",
        extra="train",
    ),
    Command(
        "perft",
        "count sequences of decisions from a position, chance rolled once",
        "himalaya_core.cli.logs:add_perft",
        60,
        group="Play",
    ),
    Command(
        "record",
        "make a log of a match that was written down at a table",
        "himalaya_core.cli.record:add_record",
        10,
        group="Logs",
    ),
    Command(
        "verify",
        "check that every action of a log follows from the rules",
        "himalaya_core.cli.verify:add_verify",
        20,
        group="Logs",
    ),
    Command("show", "print a position of a log as text", "himalaya_core.cli.logs:add_show", 30, group="Logs"),
    Command(
        "review",
        "print who was winning a match, after each decision",
        "himalaya_core.cli.review:add_review",
        40,
        group="Logs",
    ),
    Command(
        "schema",
        "print the JSON Schema of a log line, for all games or one",
        "himalaya_core.cli.logs:add_schema",
        70,
        group="Logs",
    ),
)

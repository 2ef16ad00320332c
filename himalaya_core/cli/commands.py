"""The commands of the core, as `himalaya --help` lists them."""

from typing import Final

from himalaya_core.cli.command import Command

__all__ = ["COMMANDS"]

COMMANDS: Final = (
    Command("play", "play one match, write its log and print the result", "himalaya_core.cli.play:add_play", 10),
    Command(
        "tournament",
        "play a schedule of matches into log files; run again to resume after a stop",
        "himalaya_core.cli.tournament:add_tournament",
        20,
    ),
    Command(
        "verify",
        "check that every action of a log follows from the rules",
        "himalaya_core.cli.verify:add_verify",
        30,
    ),
    Command("show", "print a position of a log as text", "himalaya_core.cli.logs:add_show", 40),
    Command(
        "review",
        "print who was winning a match, after each decision",
        "himalaya_core.cli.review:add_review",
        50,
    ),
    Command(
        "branch",
        "let a match go on otherwise from one of its positions, once or many times",
        "himalaya_core.cli.branch:add_branch",
        55,
    ),
    Command(
        "schema",
        "print the JSON Schema of a log line, for all games or one",
        "himalaya_core.cli.logs:add_schema",
        60,
    ),
    Command(
        "perft",
        "count the sequences of decisions from a position, with one roll of chance each",
        "himalaya_core.cli.logs:add_perft",
        70,
    ),
    Command(
        "train",
        "fit a model of the chances of winning to logs, and check it on a tournament",
        "himalaya_core.cli.train:add_train",
        80,
        extra="train",
    ),
)

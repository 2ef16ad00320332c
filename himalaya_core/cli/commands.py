"""The commands of the core, as `himalaya --help` lists them."""

from typing import Final

from himalaya_core.cli.command import Command

__all__ = ["COMMANDS"]

COMMANDS: Final = (
    Command("play", "play one match, write its log, print how it ended", "himalaya_core.cli.play:add_play", 10),
    Command(
        "tournament",
        "play many matches by a schedule into shards of logs, and go on with what is missing if it was stopped",
        "himalaya_core.cli.tournament:add_tournament",
        20,
    ),
    Command(
        "verify",
        "decide every action of a log anew and name what does not follow",
        "himalaya_core.cli.verify:add_verify",
        30,
    ),
    Command("show", "print a position of a log as text", "himalaya_core.cli.logs:add_show", 40),
    Command(
        "schema",
        "print the JSON Schema of a line of a log, of any game or of one",
        "himalaya_core.cli.logs:add_schema",
        60,
    ),
    Command(
        "perft",
        "count the sequences of decisions that lead on from a position, chance rolling once",
        "himalaya_core.cli.logs:add_perft",
        70,
    ),
)

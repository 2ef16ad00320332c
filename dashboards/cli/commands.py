"""The commands of dashboards, as `himalaya --help` lists them."""

from typing import Final

from himalaya_core.cli.command import Command

__all__ = ["COMMANDS"]

COMMANDS: Final = (
    Command(
        "replay",
        "write a match as one HTML file that plays from disk, or one position as a picture",
        "dashboards.cli.replay:add_replay",
        50,
        "serve",
    ),
    Command(
        "serve", "serve the pages: matches, replay, traffic, outcomes", "dashboards.cli.serve:add_serve", 110, "serve"
    ),
    Command(
        "report",
        "write a report as a web page, PDF or workbook, or check one against the data (exit 1 if it differs)",
        "dashboards.cli.report:add_report",
        120,
        "report",
    ),
    Command(
        "export",
        "write a table, a figure or your own query to a file, with the meaning of its columns",
        "dashboards.cli.export:add_export",
        130,
        "report",
    ),
    Command(
        "demo",
        "play 200 matches of three games, load them, serve the pages",
        "dashboards.cli.demo:add_demo",
        220,
        "serve",
    ),
)

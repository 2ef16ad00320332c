"""The commands of dashboards, as `himalaya --help` lists them."""

from typing import Final

from himalaya_core.cli.command import Command

__all__ = ["COMMANDS"]

COMMANDS: Final = (
    Command(
        "replay",
        "write a match as a playable HTML file, or a position as a picture",
        "dashboards.cli.replay:add_replay",
        50,
        group="Logs",
        extra="serve",
    ),
    Command(
        "report",
        "write a report, or check one: exit 1 if it differs from the data",
        "dashboards.cli.report:add_report",
        30,
        group="Data",
        extra="report",
    ),
    Command(
        "export",
        "write a table, figure or query, with the meaning of its columns",
        "dashboards.cli.export:add_export",
        40,
        group="Data",
        extra="report",
    ),
    Command(
        "serve",
        "serve the pages: matches, replay, tournaments, analysis",
        "dashboards.cli.serve:add_serve",
        10,
        group="Serve",
        extra="serve",
    ),
    Command(
        "demo",
        "play 200 matches, load them and the samples, serve the pages",
        "dashboards.cli.demo:add_demo",
        20,
        group="Serve",
        extra="serve",
    ),
)

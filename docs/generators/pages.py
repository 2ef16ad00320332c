"""Writes the generated documentation pages below `docs/` for Sphinx. Git ignores these files."""

from pathlib import Path

from docs.generators import commands, figures, http_api, python_api, roles, tables

__all__ = ["generated", "write"]


def generated() -> dict[str, str]:
    """Return the text of each generated page by its path below `docs/`."""
    return {
        "reference/commands.md": commands.page(),
        "reference/python.md": python_api.page(),
        "reference/http.md": http_api.page(),
        "reference/figures.md": figures.page(),
        "operate/roles.md": roles.page(),
        **{f"reference/{name}": text for name, text in tables.pages().items()},
    }


def write(folder: Path) -> None:
    """Write the pages. Unchanged pages are not rewritten, so Sphinx does not read them again."""
    for name, text in generated().items():
        path = folder / name
        if not path.is_file() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")

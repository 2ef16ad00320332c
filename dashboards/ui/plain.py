"""Text that no callback changes, as one Dash component in place of thousands that would each add overhead."""

from collections.abc import Sequence
from typing import Any

from dash.development.base_component import Component

__all__ = ["plain"]


class Plain(Component):
    """Elements as assets/plain.js makes them."""

    _namespace = "himalaya"
    _type = "Plain"
    _prop_names = ["id", "tree"]  # noqa: RUF012  a list of the class, as every component of Dash has it
    _valid_wildcard_attributes = []  # noqa: RUF012
    available_properties = _prop_names
    available_wildcard_properties = []  # noqa: RUF012


def plain(*parts: Any) -> Component:
    """Return elements of `dash.html` and texts as one component; no callback can reach its content."""
    return Plain(tree=[_tree(part) for part in parts])


def _tree(part: Any) -> Any:
    """Return a part as `[tag, properties, *children]`, a text as it is."""
    if not isinstance(part, Component):
        return part
    assert part._namespace == "dash_html_components", part  # noqa: SLF001  a custom component does more than display
    given = dict(part.to_plotly_json()["props"])
    children = given.pop("children", None)
    inside = children if isinstance(children, Sequence) and not isinstance(children, str) else [children]
    return [part._type.lower(), given, *(_tree(child) for child in inside if child is not None)]  # noqa: SLF001

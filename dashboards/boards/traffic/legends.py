"""Legend of a map's sizes and colours, in markup next to its drawing."""

from html import escape

from dashboards.boards.traffic.board import step_bounds
from dashboards.boards.traffic.layers import Layer, difference_label

__all__ = ["legend"]


def legend(layer: Layer, first: str = "", second: str = "") -> str:
    """Return the legend of a layer; in a difference, the names of the two selections say which has more."""
    parts = _difference(layer, first, second) if layer.is_difference else _counts(layer)
    return f'<div class="legend">{"".join(parts)}</div>'


def _counts(layer: Layer) -> list[str]:
    parts = []
    if layer.villages:
        counts = [round(count) for count in layer.villages.values()]
        parts.append(f"<span>{escape(layer.villages_unit.capitalize())}</span>")
        parts += [
            _item(f'<span class="swatch heat-{step}"></span>', f"{low:,}\N{EN DASH}{high:,}")
            for step, (low, high) in enumerate(step_bounds(min(counts), max(counts)))
            if low <= high
        ]
    if layer.roads:
        parts.append(_item('<span class="swatch-road"></span>', f"wider road: more {layer.roads_unit}"))
    if layer.regions:
        parts.append(_item('<span class="swatch heat-2 square"></span>', f"stronger tint: more {layer.regions_unit}"))
    return parts


def _difference(layer: Layer, first: str, second: str) -> list[str]:
    values = [*layer.villages.values(), *layer.roads.values(), *layer.regions.values()]
    most, least = difference_label(max(values, default=0)), difference_label(min(values, default=0))
    unit = layer.villages_unit or layer.regions_unit
    parts = [
        f"<span>{escape(unit.capitalize())}</span>",
        _item('<span class="swatch more-2"></span>', f"+ more by {escape(first)}, up to {most}"),
        _item('<span class="swatch same"></span>', "little difference"),
        _item('<span class="swatch unsure"></span>', "no significant difference (Holm, 5%)"),
        _item('<span class="swatch fewer-2"></span>', f"\N{MINUS SIGN} more by {escape(second)}, up to {least}"),
    ]
    if layer.roads:
        parts.append("<span>roads: solid + and dashed \N{MINUS SIGN}</span>")
    return parts


def _item(swatch: str, text: str) -> str:
    return f'<span class="legend-item">{swatch}{text}</span>'

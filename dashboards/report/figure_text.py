"""Names in figures on paper: those that WeasyPrint cannot set inside an SVG are set over it.

It sets the text of an SVG letter by letter. In HTML, Pango shapes the text: Arabic letters join and run from right to
left.
"""

import re
from typing import Final

from dashboards.charts.canvas import FONT_SIZE, MIDDLE

__all__ = ["set_over"]

TEXT: Final = re.compile(r"<text ([^>]*)>([^<]*[^\x00-\u024f\u2000-\u22ff][^<]*)</text>")
"""A text with a letter that is neither Latin nor a mathematical sign."""
ATTRIBUTE: Final = re.compile(r'([\w-]+)="([^"]*)"')
VIEW: Final = re.compile(r'<svg [^>]*viewBox="0 0 ([\d.]+) ')
SHIFTS: Final = {"middle": "-50%", "end": "-100%"}


def set_over(svg: str) -> str:
    """Return a drawing with names beyond Latin in a layer over it; one em of it is one unit of the drawing.

    A drawing with groups that are moved, as maps are, stays as it is.
    """
    texts, view = TEXT.findall(svg), VIEW.match(svg)
    if not texts or view is None or "<g transform" in svg:
        return svg
    layer = "".join(_placed(dict(ATTRIBUTE.findall(attributes)), text) for attributes, text in texts)
    return f'{TEXT.sub("", svg)}<div class="names" style="font-size:calc(var(--wide) / {view[1]})">{layer}</div>'


def _placed(at: dict[str, str], text: str) -> str:
    style = (
        f"font-size:{at.get('font-size', FONT_SIZE)}em;font-weight:{at.get('font-weight', 400)};color:{at['fill']};"
        f"transform:translate({SHIFTS.get(at.get('text-anchor', ''), '0')},-{MIDDLE}em)"
    )
    return f'<p style="left:{at["x"]}em;top:{at["y"]}em"><bdi style="{style}">{text}</bdi></p>'

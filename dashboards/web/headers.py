"""The inline scripts of pages: the one of ours, and the hashes by which a browser lets them run."""

import base64
import hashlib
from typing import Final

from dash import Dash

__all__ = ["SCHEME_SCRIPT", "hashes_of_scripts"]

# Sets the colour scheme before anything is drawn. Mantine keeps the choice under this key and takes over later; a link
# that names a theme is a choice too.
SCHEME_SCRIPT: Final = (
    "var k='mantine-color-scheme-value',t=new URLSearchParams(location.search).get('theme'),s='auto';"
    "try{if(t==='light'||t==='dark')localStorage.setItem(k,t);s=localStorage.getItem(k)||s}catch(e){}"
    "if(s!=='light'&&s!=='dark')s=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';"
    "document.documentElement.setAttribute('data-mantine-color-scheme',s)"
)


def hashes_of_scripts(app: Dash) -> list[str]:
    """Return the hashes of the inline scripts of pages, as they are now: Dash adds one with the first request."""
    scheme = base64.b64encode(hashlib.sha256(SCHEME_SCRIPT.encode()).digest()).decode()
    return [f"'sha256-{scheme}'", *app.csp_hashes()]

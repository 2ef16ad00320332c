"""Our inline script of pages, and the hashes of inline scripts for the Content-Security-Policy."""

import base64
import hashlib
from typing import Final

from dash import Dash

__all__ = ["SCHEME_SCRIPT", "hashes_of_scripts"]

# Sets the colour scheme before the page is drawn. Mantine stores the choice under this key and takes over later; a link
# that names a theme is a choice too.
SCHEME_SCRIPT: Final = (
    "var k='mantine-color-scheme-value',t=new URLSearchParams(location.search).get('theme'),s='auto';"
    "try{if(t==='light'||t==='dark')localStorage.setItem(k,t);s=localStorage.getItem(k)||s}catch(e){}"
    "if(s!=='light'&&s!=='dark')s=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';"
    "document.documentElement.setAttribute('data-mantine-color-scheme',s)"
)


def hashes_of_scripts(app: Dash) -> list[str]:
    """Return the current hashes of the pages' inline scripts; Dash adds one with the first request."""
    scheme = base64.b64encode(hashlib.sha256(SCHEME_SCRIPT.encode()).digest()).decode()
    return [f"'sha256-{scheme}'", *app.csp_hashes()]

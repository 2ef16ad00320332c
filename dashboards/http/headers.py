"""The headers of every answer: what a page may load and run. Nothing comes from another host, nothing is evaluated."""

import base64
import hashlib
from typing import Final

from dash import Dash
from flask import Response

__all__ = ["SCHEME_SCRIPT", "protect"]

# Sets the colour scheme before anything is drawn. Mantine keeps the choice under this key and takes over later; a link
# that names a theme is a choice too.
SCHEME_SCRIPT: Final = (
    "var k='mantine-color-scheme-value',t=new URLSearchParams(location.search).get('theme'),s='auto';"
    "try{if(t==='light'||t==='dark')localStorage.setItem(k,t);s=localStorage.getItem(k)||s}catch(e){}"
    "if(s!=='light'&&s!=='dark')s=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';"
    "document.documentElement.setAttribute('data-mantine-color-scheme',s)"
)

POLICY: Final = (
    "default-src 'none'",
    "connect-src 'self'",
    "font-src 'self' data:",  # the grid's icons are a font inside its script
    "img-src 'self' data: blob:",  # Plotly draws its picture for download from a blob
    "style-src 'self' 'unsafe-inline'",  # Mantine and the grid write style elements
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
)


def protect(app: Dash) -> None:
    """Put the security headers on every answer of the app."""
    scheme = base64.b64encode(hashlib.sha256(SCHEME_SCRIPT.encode()).digest()).decode()

    @app.server.after_request
    def add_headers(answer: Response) -> Response:
        # Dash adds an inline script with the first request, so the hashes are those of now.
        scripts = " ".join(("script-src 'self'", f"'sha256-{scheme}'", *app.csp_hashes()))
        answer.headers["Content-Security-Policy"] = "; ".join((*POLICY, scripts))
        answer.headers["X-Content-Type-Options"] = "nosniff"
        answer.headers["Referrer-Policy"] = "same-origin"
        return answer

"""Sign-in to the pages with a token, and sign-out: plain HTML that needs no script.

The browser sends the token once, and then has a session cookie. Scripts cannot read the cookie, and forms on other
sites cannot send it. A cookie that was set over TLS is sent over TLS only.
"""

from collections.abc import Mapping
from html import escape
from http import HTTPStatus
from typing import Annotated, Final
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from dashboards.queries.addresses import url
from dashboards.replay.offline import STYLES
from dashboards.web.access import DOCUMENTATION, Scope, caller, connection, needs, note
from dashboards.web.limiter import Rate
from dashboards.web.middleware import SCHEME_SCRIPT
from dashboards.web.policy import SIGN_IN, Authenticator, Credential, cookie_name
from dashboards.web.refusals import Refused
from ingest.people import audit
from ingest.people.audit import REFUSED, Entry
from ingest.people.tokens import LASTS, Token, begin_session, end_session

__all__ = ["SIGN_OUT", "routes", "same_site_path"]

SIGN_OUT: Final = "/sign-out"
TRIES: Final = 20
"""Maximum number of sign-in attempts per address and minute."""
MOST_BYTES: Final = 8 << 10
"""Maximum size of the submitted form, in bytes."""
UNKNOWN: Final = "This server does not know that token: it may be mistyped, expired or revoked."
FOR_NO_READING: Final = (
    "That token does not allow reading. Ask the operator of this server for one with the role viewer."
)
PAGE: Final = """<!DOCTYPE html>
<html lang="en">
    <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <script>{scheme}</script>
        <title>Sign in · Himalaya</title>
        <link rel="icon" type="image/svg+xml" href="{icon}">
        <link rel="stylesheet" href="{styles}">
    </head>
    <body class="sign-in-body">
        <main class="card sign-in">
            <p class="brand"><span class="brand-mark"></span><span>Himalaya</span></p>
            <h1>Sign in</h1>
            {body}
        </main>
    </body>
</html>
"""
FORM: Final = """{problem}<form method="post" action="{action}">
                <input type="hidden" name="next" value="{next}">
                <label for="token">Token</label>
                <input id="token" name="token" type="password" autocomplete="current-password" spellcheck="false"
                    autocapitalize="none" required autofocus aria-describedby="about{described}"{invalid}>
                <button class="button sign-in-button" type="submit">Sign in</button>
            </form>
            <p id="about" class="meta">A token is a text that begins with <code>himalaya_</code>. The operator
            of this server makes one for you, with <code>himalaya token create NAME</code>. You stay signed in for
            {days} days, in this browser alone. <a href="{documentation}">Documentation</a></p>"""
SIGNED_IN: Final = """<p>You are signed in as <strong>{name}</strong>.</p>
            <p class="actions"><a class="button" href="{next}">Go on</a></p>{out}"""
OUT: Final = """
            <form method="post" action="{action}"><button class="button" type="submit">Sign out</button></form>"""
PROBLEM: Final = '<p id="problem" role="alert">{text}</p>\n            '


def routes(authenticator: Authenticator) -> APIRouter:
    """Return the routes of the page and of its forms."""
    api, tries = APIRouter(include_in_schema=False), Rate(TRIES)

    @api.get(SIGN_IN)
    @needs()
    def sign_in(request: Request) -> HTMLResponse:
        return _page(_form_or_name(same_site_path(request.query_params.get("next", ""))))

    @api.post(SIGN_IN)
    @needs()
    def try_to_sign_in(form: Form) -> Response:
        target = same_site_path(form.get("next", ""))
        try:
            tries.count(caller().address)
        except Refused as error:
            return _page(_form(target, f"{str(error).capitalize()}."), error.status, error.headers)
        token = authenticator.token_of(form.get("token", "").strip())
        if token is None or Scope.READ not in token.scopes:
            note("sign in", token.name if token else "", REFUSED)
            return _page(_form(target, UNKNOWN if token is None else FOR_NO_READING), HTTPStatus.UNAUTHORIZED)
        return _signed_in(authenticator, token, target)

    @api.post(SIGN_OUT)
    @needs()
    def sign_out() -> Response:
        current = connection()
        if cookie := current.cookies.get(cookie_name(current)):
            end_session(authenticator.sessions, cookie)
            note("sign out")
        answer = RedirectResponse(url(SIGN_IN), HTTPStatus.SEE_OTHER)
        secure = current.url.is_secure
        answer.delete_cookie(cookie_name(current), url("/"), secure=secure, httponly=True, samesite="lax")
        return answer

    return api


async def _fields(request: Request) -> dict[str, str]:
    """Return the fields of the submitted form; none if the request body is too large."""
    body = await request.body()
    return dict(parse_qsl(body.decode("utf-8", "replace"))) if len(body) <= MOST_BYTES else {}


Form = Annotated[dict[str, str], Depends(_fields)]


def _signed_in(authenticator: Authenticator, token: Token, target: str) -> Response:
    """Begin a session, end the browser's previous one, and redirect to the requested page."""
    current = connection()
    if before := current.cookies.get(cookie_name(current)):
        end_session(authenticator.sessions, before)
    audit.note(authenticator.store, Entry(token.name, Credential.TOKEN, caller().address, "sign in"))
    answer = RedirectResponse(url(target), HTTPStatus.SEE_OTHER, {"Cache-Control": "no-store"})
    answer.set_cookie(
        cookie_name(current),
        begin_session(authenticator.sessions, token.sha256),
        max_age=int(LASTS.total_seconds()),
        path=url("/"),
        secure=current.url.is_secure,
        httponly=True,
        samesite="lax",
    )
    return answer


def same_site_path(text: str) -> str:
    """Return `text` if it is a path on this server, else the home page."""
    is_path = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable() and "\\" not in text
    return text if is_path else "/"


def _form_or_name(target: str) -> str:
    """Return the content of the page: the form, or the name of the caller who is signed in already."""
    who = caller()
    if not who.has_name:
        return _form(target)
    out = OUT.format(action=url(SIGN_OUT)) if who.credential is Credential.COOKIE else ""
    return SIGNED_IN.format(name=escape(who.name), next=escape(url(target)), out=out)


def _form(target: str, problem: str = "") -> str:
    return FORM.format(
        action=url(SIGN_IN),
        next=escape(target),
        days=LASTS.days,
        documentation=url(f"{DOCUMENTATION}/"),
        problem=PROBLEM.format(text=escape(problem)) if problem else "",
        described=" problem" if problem else "",
        invalid=' aria-invalid="true"' if problem else "",
    )


def _page(body: str, status: HTTPStatus = HTTPStatus.OK, headers: Mapping[str, str] | None = None) -> HTMLResponse:
    page = PAGE.format(scheme=SCHEME_SCRIPT, icon=url("/assets/favicon.svg"), styles=url(STYLES), body=body)
    return HTMLResponse(page, status, {"Cache-Control": "no-store", **(headers or {})})

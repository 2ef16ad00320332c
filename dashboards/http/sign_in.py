"""Signing in on the pages with a token, and out: plain HTML that needs no script.

The token goes to the server once. What the browser keeps is a cookie of a session, which no script can read and no
other site can have sent with a form; over TLS it is sent over TLS only.
"""

from html import escape
from http import HTTPStatus
from typing import Final

from flask import Flask, Response, make_response, redirect, request
from flask.typing import ResponseReturnValue

from dashboards.http.access import SIGN_IN, Door, Scope, Shown, caller, cookie_name, needs, note
from dashboards.http.headers import SCHEME_SCRIPT
from dashboards.http.rates import Rate, Refused
from dashboards.replay.bundle import STYLES
from ingest.people import audit
from ingest.people.audit import REFUSED, Entry
from ingest.people.sessions import LASTS, begin_session, end_session
from ingest.people.tokens import Token

__all__ = ["SIGN_OUT", "register_sign_in", "same_site_path"]

SIGN_OUT: Final = "/sign-out"
TRIES: Final = 20
"""Tries to sign in from one address in a minute."""
MOST_BYTES: Final = 8 << 10
"""Of what the form sends."""
UNKNOWN: Final = "This server does not know that token: it may be mistyped, expired or revoked."
FOR_NO_READING: Final = "That token is not for reading. Ask for one with the role viewer."
PAGE: Final = """<!DOCTYPE html>
<html lang="en">
    <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <script>{scheme}</script>
        <title>Sign in · Himalaya</title>
        <link rel="icon" type="image/svg+xml" href="/assets/favicon.svg">
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
            <p id="about" class="meta">A token is a text that begins with <code>himalaya_</code>. Whoever runs this
            server makes one for you, with <code>himalaya token create NAME</code>. You stay signed in for {days} days,
            in this browser alone.</p>"""
SIGNED_IN: Final = """<p>You are signed in as <strong>{name}</strong>.</p>
            <p class="actions"><a class="button" href="{next}">Go on</a></p>{out}"""
OUT: Final = """
            <form method="post" action="{action}"><button class="button" type="submit">Sign out</button></form>"""
PROBLEM: Final = '<p id="problem" role="alert">{text}</p>\n            '


def register_sign_in(server: Flask, door: Door) -> None:
    """Add the page, and what its form and that for signing out are sent to."""
    tries = Rate(TRIES)

    @server.get(SIGN_IN)
    @needs()
    def sign_in() -> Response:
        return _page(_asked(same_site_path(request.args.get("next", ""))))

    @server.post(SIGN_IN)
    @needs()
    def try_to_sign_in() -> ResponseReturnValue:
        goes_on = same_site_path(_field("next"))
        try:
            tries.count(caller().address)
        except Refused as error:
            answer = _page(_form(goes_on, f"{str(error).capitalize()}."), error.status)
            answer.headers.update(error.headers)
            return answer
        token = door.token_of(_field("token").strip())
        if token is None or Scope.READ not in token.scopes:
            note("sign in", token.name if token else "", REFUSED)
            return _page(_form(goes_on, UNKNOWN if token is None else FOR_NO_READING), HTTPStatus.UNAUTHORIZED)
        return _signed_in(door, token, goes_on)

    @server.post(SIGN_OUT)
    @needs()
    def sign_out() -> ResponseReturnValue:
        if cookie := request.cookies.get(cookie_name()):
            end_session(door.sessions, cookie)
            note("sign out")
        answer = make_response(redirect(SIGN_IN, HTTPStatus.SEE_OTHER))
        answer.delete_cookie(cookie_name(), secure=request.is_secure, httponly=True, samesite="Lax")
        return answer


def _signed_in(door: Door, token: Token, goes_on: str) -> Response:
    """Begin a session, and go on to the page that was asked for; a session there was ends."""
    if before := request.cookies.get(cookie_name()):
        end_session(door.sessions, before)
    audit.note(door.store, Entry(token.name, Shown.TOKEN, caller().address, "sign in"))
    answer = make_response(redirect(goes_on, HTTPStatus.SEE_OTHER))
    answer.set_cookie(
        cookie_name(),
        begin_session(door.sessions, token.sha256),
        max_age=LASTS,
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def same_site_path(text: str) -> str:
    """Return an address to go on to, if it is a path on this server; the home page otherwise."""
    is_path = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable() and "\\" not in text
    return text if is_path else "/"


def _field(name: str) -> str:
    """Return a field of the form, nothing if the form is larger than ours."""
    request.max_content_length = MOST_BYTES
    return request.form.get(name, "")


def _asked(goes_on: str) -> str:
    """Return what the page says: a form, or who is signed in already."""
    who = caller()
    if not who.has_name:
        return _form(goes_on)
    out = OUT.format(action=SIGN_OUT) if who.shown is Shown.COOKIE else ""
    return SIGNED_IN.format(name=escape(who.name), next=escape(goes_on), out=out)


def _form(goes_on: str, problem: str = "") -> str:
    return FORM.format(
        action=SIGN_IN,
        next=escape(goes_on),
        days=LASTS.days,
        problem=PROBLEM.format(text=escape(problem)) if problem else "",
        described=" problem" if problem else "",
        invalid=' aria-invalid="true"' if problem else "",
    )


def _page(body: str, status: HTTPStatus = HTTPStatus.OK) -> Response:
    answer = Response(PAGE.format(scheme=SCHEME_SCRIPT, styles=STYLES, body=body), status, mimetype="text/html")
    answer.headers["Cache-Control"] = "no-store"
    return answer

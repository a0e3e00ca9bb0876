"""The token of a server that other machines can reach: anyone who has its link can use it.

The link, ``http://host:8000/?token=...``, is opened once. The server answers with a cookie and sends the
browser on to the page, so that the token stands neither in the address nor in links that are copied from
it; what stands behind # in the link, as a match, is kept by the browser. Cookies come with WebSockets too.
Programs send ``Authorization: Bearer ...`` instead.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.types import Scope

from glaux.errors import InvalidParameter

LEAST = 16
"""characters of a token that somebody has chosen"""


class Token:
    """A token, and the ways in which clients bring it."""

    def __init__(self, text: str) -> None:
        if not re.fullmatch(rf"[A-Za-z0-9_-]{{{LEAST},200}}", text):
            raise InvalidParameter(f"A token needs at least {LEAST} characters: letters, digits, - and _.")
        self.text = text
        # A name for each token: cookies do not tell the ports of a machine apart.
        self.name = f"glaux_{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    @classmethod
    def random(cls) -> Token:
        """One that nobody can guess."""
        return cls(secrets.token_urlsafe(24))

    def is_link(self, scope: Scope) -> bool:
        """Whether this is the link of the server."""
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] != "/":
            return False
        return self._is_in(scope["query_string"].decode("latin-1").split("&"), "token")

    def is_brought(self, headers: Headers) -> bool:
        """Whether a client has brought the token."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self._is(given.strip()):
            return True
        return self._is_in("; ".join(headers.getlist("cookie")).split(";"), self.name)

    def cookie(self, scope: Scope) -> str:
        """The cookie by which a browser brings it. Lax: a link to the page in a mail or chat opens it."""
        secure = "; Secure" if scope.get("scheme") == "https" else ""
        return f"{self.name}={self.text}; Path=/; HttpOnly; SameSite=Lax{secure}"

    def _is_in(self, pairs: Iterable[str], name: str) -> bool:
        split = (pair.strip().partition("=") for pair in pairs)
        return any(key == name and self._is(value) for key, _, value in split)

    def _is(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self.text.encode())

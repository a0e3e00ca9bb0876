"""The files of the page, read once into memory: no request ever reaches the file system."""

from __future__ import annotations

import gzip
import hashlib
from importlib.resources import files
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

KINDS = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
}
INDEX = "index.html"


class Page(NamedTuple):
    """A file as it is sent."""

    kind: str
    plain: bytes
    packed: bytes
    tag: str

    def response(self, request: Request) -> Response:
        """The file, or the word that the browser has it already."""
        headers = {"etag": self.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, media_type=self.kind, headers=headers | {"content-encoding": "gzip"})
        return Response(self.plain, media_type=self.kind, headers=headers)


def read_pages() -> dict[str, Page]:
    """The files by their names."""
    pages = {}
    for file in files("glaux.web").joinpath("static").iterdir():
        kind = KINDS.get(file.name.rpartition(".")[2])
        if kind is not None:
            plain = file.read_bytes()
            tag = f'"{hashlib.sha256(plain).hexdigest()[:16]}"'
            pages[file.name] = Page(kind, plain, gzip.compress(plain, mtime=0), tag)
    return pages

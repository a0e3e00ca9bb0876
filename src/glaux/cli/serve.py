"""``glaux serve``: the page to play in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from glaux.cli.output import make_console
from glaux.errors import InvalidParameter, MissingExtra
from glaux.fields import read_size
from glaux.search.options import MOST_THREADS
from glaux.search.search import check_memory

LEAST_MEMORY = 1 << 20
RANDOM, NONE = "random", "none"

Port = Annotated[
    int, typer.Option("--port", "-p", metavar="P", min=0, max=65535, help="The port; 0 picks a free one.")
]
Host = Annotated[
    str,
    typer.Option(
        "--host",
        metavar="H",
        help="The address to listen on; 0.0.0.0 lets other machines in.",
    ),
]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")]
RunsFolder = Annotated[
    Path, typer.Option("--runs", metavar="DIR", help="The directory of your training runs.")
]
TournamentsFolder = Annotated[
    Path, typer.Option("--tournaments", metavar="DIR", help="The directory of your tournaments.")
]
ExtraGames = Annotated[
    list[str] | None,
    typer.Option(
        "--game",
        metavar="GAME",
        help="Add a game, such as [bold]my_game.py:MyGame[/]. Can be repeated.",
        show_default=False,
    ),
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        metavar="NAME",
        help="A host name that browsers may use for this server, for example behind a proxy. Can be "
        "repeated.",
        show_default=False,
    ),
]
TokenText = Annotated[
    str | None,
    typer.Option(
        "--token",
        metavar="WORD",
        envvar="GLAUX_TOKEN",
        help="The access token: your own word, [bold]random[/] or [bold]none[/]. By default random if "
        "other machines can reach the server, otherwise none.",
        show_default=False,
    ),
]
Pages = Annotated[
    int, typer.Option("--sessions", metavar="N", min=1, help="The most pages that can play at once.")
]
Memory = Annotated[str, typer.Option("--memory", metavar="SIZE", help="Memory for each page's search.")]
Threads = Annotated[
    int,
    typer.Option("--threads", metavar="N", min=1, max=MOST_THREADS, help="Threads for each page's search."),
]


def serve(
    port: Port = 8000,
    host: Host = "127.0.0.1",
    browser: Browser = True,
    runs: RunsFolder = Path("runs"),
    tournaments: TournamentsFolder = Path("tournaments"),
    game: ExtraGames = None,
    allow_host: Names = None,
    token: TokenText = None,
    sessions: Pages = 512,
    memory: Memory = "128M",
    threads: Threads = 1,
) -> None:
    """Play in the browser, see what the opponent thinks, and follow your training runs.

    Only this machine can reach the page, unless you set --host; then visitors need the token that is part of
    the printed link. Stop it with Ctrl-C.

    \b
    Examples:
      glaux serve
      glaux serve --port 8080 --no-browser --runs experiments/runs
      glaux serve --host 0.0.0.0
      glaux serve --game docs/examples/tic_tac_toe.py:TicTacToe
    """
    try:
        from glaux.web.app import Options  # noqa: PLC0415 (an optional dependency)
        from glaux.web.server import is_loopback  # noqa: PLC0415
        from glaux.web.server import serve as serve_page  # noqa: PLC0415
        from glaux.web.token import Token  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra(
            f"'glaux serve' needs extra packages ({error}): pip install 'glaux[web]'."
        ) from None
    if runs != Path("runs") and not runs.is_dir():
        raise InvalidParameter(f"There is no directory '{runs}'.")
    alone = is_loopback(host)
    text = token or (NONE if alone else RANDOM)
    options = Options(
        runs=runs,
        tournaments=tournaments,
        games=tuple(game or ()),
        names=(host, *(allow_host or ())),
        token=None if text == NONE else Token.random() if text == RANDOM else Token(text),
        sessions=sessions,
        memory=_memory(memory),
        threads=threads,
        # Behind a proxy (--allow-host) this machine is not alone with its page: then the token decides.
        train=text != NONE or (alone and not allow_host),
    )
    console = make_console()

    def ready(here: str, elsewhere: str) -> None:
        console.print(
            Text.assemble("Glaux is at ", (here, "bold"), "  Press Ctrl-C to stop."), soft_wrap=True
        )
        if alone:
            return
        console.print(Text.assemble("From other machines: ", (elsewhere, "bold")), soft_wrap=True)
        who = "Anyone who can reach this machine" if options.token is None else "Anyone who has this link"
        warning = f"{who} can play here, and traffic is not encrypted: see docs/security.md."
        console.print(Text(warning, style="yellow"), soft_wrap=True)

    serve_page(options, host, port, browser=browser, ready=ready)


def _memory(text: str) -> int:
    size = check_memory(read_size("memory", text))
    if size < LEAST_MEMORY:
        raise InvalidParameter(f"A search needs at least 1M of memory, not {text}.")
    return size

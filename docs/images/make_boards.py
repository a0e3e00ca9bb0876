"""Makes the pictures of the README (needs Chromium): ``python docs/images/make_boards.py runs/hex7``.

``board-NAME.png`` are positions from matches of MCTS against itself. ``match.gif`` is a whole match of Hex
between the run that is given and MCTS, move by move. The boards are those of the page of ``glaux serve``.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from make_page import chromium, serving
from PIL import Image
from playwright.sync_api import Page

import glaux

FOLDER = Path(__file__).parent
BOARDS = {"hex:size=7": 14, "santorini": 44, "arimaa": 72, "othello": 28, "quoridor": 24}
"""the games, and how many actions have been played in the picture"""
SIDE = 320
"""pixels of a picture"""
MATCH, OPPONENT = "hex:size=7,swap=false", "mcts:iterations=10000"
FRAME_MS, LAST_MS = 700, 3500


def actions_of(game: glaux.Game, players: list[str], most: int = 1000) -> list[str]:
    """The actions of a match, or its first ones."""
    sides = [glaux.player(text, game, seed) for seed, text in enumerate(players)]
    state, texts = game.initial(), []
    while not game.terminal(state) and len(texts) < most:
        action = sides[0 if game.first_player(state) else 1].choose(state)
        texts.append(game.action_text(state, action))
        state = game.apply(state, action)
    return texts


def photo(page: Page, address: str, game: str, actions: list[str]) -> Image.Image:
    """The board after these actions."""
    moves = f"&moves={'_'.join(actions)}" if actions else ""
    page.goto("about:blank")
    page.goto(f"{address}#game={game}{moves}")
    page.wait_for_selector("html[data-ready=true]")
    page.wait_for_timeout(400)
    return Image.open(io.BytesIO(page.locator("#board svg.board").screenshot())).convert("RGB")


def small(picture: Image.Image) -> Image.Image:
    """In the middle of a white square."""
    picture.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
    square = Image.new("RGB", (SIDE, SIDE), "white")
    square.paste(picture, ((SIDE - picture.width) // 2, (SIDE - picture.height) // 2))
    return square


def main() -> None:
    """Play, photograph and write beside this file."""
    [run] = sys.argv[1:]
    with serving() as address, chromium() as browser:
        size = {"width": 1240, "height": 830}
        page = browser.new_context(viewport=size, device_scale_factor=1.5).new_page()
        for text, plies in BOARDS.items():
            game = glaux.make(text)
            actions = actions_of(game, ["mcts:iterations=3000"] * 2, plies)
            file = FOLDER / f"board-{game.name}.png"
            small(photo(page, address, text, actions)).quantize(128).save(file, optimize=True)
            print(f"{file.name}: {file.stat().st_size // 1000} kB")
        game = glaux.make(MATCH)
        actions = actions_of(game, [f"{run},seconds=1", OPPONENT])
        print(f"{MATCH}: {' '.join(actions)}, outcome {game.outcome(game.play(actions))}")
        frames = [photo(page, address, MATCH, actions[:n]) for n in range(len(actions) + 1)]
        for frame in frames:
            frame.thumbnail((640, 640), Image.Resampling.LANCZOS)
        moving = [frame.quantize(64) for frame in frames]
        times = [FRAME_MS] * (len(frames) - 1) + [LAST_MS]
        file = FOLDER / "match.gif"
        moving[0].save(file, save_all=True, append_images=moving[1:], duration=times, loop=0, optimize=True)
        print(f"{file.name}: {file.stat().st_size // 1000} kB, {len(frames)} frames")


if __name__ == "__main__":
    main()

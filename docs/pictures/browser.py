"""Photographs the table in the browser anew: `python -m docs.pictures.browser`; takes Chromium."""

import argparse
import io
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import TimeoutError, sync_playwright

from rummy_env.core.naming import SIGNS

SIZE: Any = {"width": 1120, "height": 700}
TABLE = ("gin", "--seats", "you", "trained", "--pace", "0")
SEEDS = range(1, 40)
MOVES = 9
"""Actions of the seat before the picture: it draws from the stock and discards as it is told."""
SURE = 80
"""Play goes on while the model would discard one card with a higher probability, in per cent."""
LEFT = 12
"""Cards in the stock, at least, so that the discard still matters; other seeds are passed over."""
PATIENCE = 6_000
"""Milliseconds to wait for one's turn."""
COLOURS = 128


def main() -> None:
    """Sit at a table, play on for some moves, ask the opponent what it would do, and take it."""
    argparse.ArgumentParser(
        prog="python -m docs.pictures.browser", description=__doc__
    ).parse_args()
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce", device_scale_factor=1)
        page.set_default_timeout(PATIENCE)
        taken = next(filter(None, (_taken(page, seed) for seed in SEEDS)))
    small = taken.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    small.save(Path(__file__).parent / "play.png", optimize=True)


def _taken(page: Any, seed: int) -> Image.Image | None:
    """Return the picture of a game; None if it is nearly over before the model hesitates."""
    with tempfile.TemporaryDirectory() as folder:
        told = ("--seed", str(seed), "--no-browser", "--port", "0", "--folder", folder)
        server = subprocess.Popen(
            [sys.executable, "-m", "rummy_env.play", *TABLE, *told],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            page.goto(_link(server))
            _play_on(page, MOVES)
            while _told(page)[1] > SURE:
                if _left(page) < LEFT:
                    return None
                _play_on(page, 2)
            page.click("[data-key=melds]")
            page.wait_for_timeout(500)
            return Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        except TimeoutError:
            return None  # the hand is over
        finally:
            server.terminate()


def _link(server: "subprocess.Popen[str]") -> str:
    """Return the link to the seat, which the server prints."""
    assert server.stdout is not None
    for line in server.stdout:
        if found := re.search(r"http://\S+#seat=\S+", line):
            return found[0]
    raise RuntimeError("the server ended without a table")


def _play_on(page: Any, moves: int) -> None:
    """Play some moves."""
    for _ in range(moves):
        page.wait_for_selector(".status.mine")
        before = page.get_attribute(".felt", "data-version")
        pile = page.query_selector("button.pile.lit[data-zone=stock]")
        if (there := pile or page.query_selector(".move")) is not None:
            there.click()
        else:
            page.click(f".in-hand[data-card^='{_told(page)[0]}']")
            page.wait_for_selector(".in-hand.chosen")
            page.click(".move:has-text('Discard')")  # the card may be one to knock with, too
        page.wait_for_function(
            "before => document.querySelector('.felt').dataset.version !== before", arg=before
        )
    page.wait_for_selector(".status.mine")


def _left(page: Any) -> int:
    """Return the cards in the stock, as the page counts them."""
    stock = page.get_attribute("[data-zone=stock]", "aria-label")
    return int(re.search(r"Stock: (\d+)", stock)[1])


def _told(page: Any) -> tuple[str, float]:
    """Show what the opponent would discard; return the card and its probability in per cent."""
    page.click("#tab-mind")
    page.select_option("#panel-mind select", "trained")
    page.click("[data-key=think]")
    page.wait_for_selector(".thought tr.best")
    best = page.inner_text(".thought tr.best")
    rank, suit, share = re.search(r"discard (\w+)(.)\s+([\d.]+)", best).groups()
    letter = next(letter for letter, sign in SIGNS.items() if sign == suit)
    return rank.replace("10", "T") + letter, float(share)


if __name__ == "__main__":
    main()

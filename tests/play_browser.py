"""A real browser at a real server, for the tests of play."""

import contextlib
import os
import shutil
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from rummy_env.play.house import House

SIZES = {"phone": (390, 844), "desk": (1280, 800)}
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
WITHOUT = "tests in a browser need Chromium: apt-get install chromium (CONTRIBUTING.md)"


@contextlib.contextmanager
def serving(house: House, **more: Any) -> Iterator[str]:
    """The address of a server that runs in a thread; `more` is for its application."""
    uvicorn = pytest.importorskip("uvicorn", reason="play needs the extra 'play'")
    from rummy_env.play.addresses import bound
    from rummy_env.play.server import app_of

    listening = bound("127.0.0.1", 0)
    config = uvicorn.Config(app_of(house, **more), log_level="error", ws="websockets-sansio")
    config.timeout_graceful_shutdown = 1
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server has not started"
            time.sleep(0.02)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join(10)


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    """The system's Chromium; the test is skipped where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="tests in a browser need playwright")
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.skip(WITHOUT)
    with api.sync_playwright() as playwright:
        flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        yield browser
        browser.close()


def is_error(told: Any) -> bool:
    """True if the browser tells of an error; it also tells of answers that say what is wrong."""
    return told.type == "error" and "status of 400" not in told.text


@contextlib.contextmanager
def page_of(browser: Any, size: str, **more: Any) -> Iterator[Any]:
    """A page of a size; errors of its scripts fail the test, refusals of the server do not."""
    width, height = SIZES[size]
    viewport = {"width": width, "height": height}
    context = browser.new_context(viewport=viewport, reduced_motion="reduce", **more)
    page, errors = context.new_page(), []
    page.set_default_timeout(60_000)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda told: errors.extend([told.text] * is_error(told)))
    page.on("request", lambda asked: errors.extend([asked.url] * ("127.0.0.1" not in asked.url)))
    yield page
    context.close()
    assert errors == []


def order(page: Any, address: str, variant: str, *, seats: int = 2, **options: Any) -> None:
    """Orders a table on the page, as a person does."""
    page.goto(address)
    page.click(f'[data-key="variant-{variant}"]')
    for _ in range(seats - 2):
        page.click('[data-key="add"]')
    if options:
        page.click(".options summary")
        for name, value in options.items():
            page.locator(".options .field", has_text=name.replace("_", " ")).first.locator(
                "input"
            ).fill(value)
        page.keyboard.press("Tab")
    page.click("button.main")
    page.wait_for_selector(".in-hand")


def until_mine(page: Any) -> bool:
    """Waits for the own turn; False at the end of the game."""
    page.wait_for_selector(".status.mine, [data-key=again]")
    return page.query_selector("[data-key=again]") is None


def version(page: Any) -> str:
    """What changes with every change of the table."""
    told: str = page.get_attribute(".felt", "data-version")
    return told


def changed(page: Any, before: str) -> None:
    """Waits until the table has changed."""
    page.wait_for_function(
        "before => document.querySelector('.felt').dataset.version !== before", arg=before
    )

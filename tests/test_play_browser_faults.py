"""The page in a real browser where something goes wrong, or is made difficult."""

from collections.abc import Iterator
from typing import Any

import pytest

from rummy_env.play.house import House
from rummy_env.play.offer import Offer
from tests.play_browser import changed, order, page_of, serving, until_mine, version
from tests.policies import Slow

GONE = """() => {
  window.asked = 0;
  window.fetch = () => { window.asked += 1; return Promise.reject(new Error()); };
}"""
"""A server that is gone, and how often it is asked."""
TOASTS = """
  window.toasts = [];
  const told = (node) => node.className === "toast" && window.toasts.push(node.textContent);
  const changed = (changes) => changes.forEach((change) => change.addedNodes.forEach(told));
  new MutationObserver(changed).observe(document.body, { childList: true });
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(House(Offer({"slow": Slow()}), pace=0)) as found:
        yield found


def begun(page: Any, address: str) -> str:
    """Begins a game; the version of the table in one's first turn."""
    order(page, address, "basic", seed="3")
    until_mine(page)
    return version(page)


def watch_slow(page: Any, address: str) -> None:
    """Watches a match of agents who wait for a sign."""
    page.goto(address)
    page.click("[data-key=variant-gin]")
    for seat in range(2):
        page.select_option(f"[data-key=seat-{seat}]", "slow")
    page.click("text=Watch agents play this")
    page.wait_for_selector(".controls output:has-text('…')")
    page.evaluate(TOASTS)


def test_a_server_that_is_gone_is_told_once_and_asked_less_and_less(
    browser: Any, address: str
) -> None:
    with page_of(browser, "desk") as page:
        watch_slow(page, address)
        page.evaluate(GONE)
        page.wait_for_timeout(4000)
        assert page.evaluate("toasts") == ["The server does not answer: is it still running?"]
        assert 2 <= page.evaluate("asked") <= 4


def test_a_match_that_is_gone_is_told_once_and_asked_for_no_more(
    browser: Any, address: str
) -> None:
    with page_of(browser, "desk") as page:
        watch_slow(page, address)
        page.route(
            "**/api/records/**", lambda route: route.fulfill(status=400, json={"error": "x"})
        )
        page.wait_for_selector(".toast")
        page.wait_for_timeout(1500)
        assert page.evaluate("toasts") == ["X"]
        assert "…" not in page.inner_text(".controls output")


def test_a_key_that_is_held_down_plays_once(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as page:
        before = int(begun(page, address))
        for _ in range(10):
            page.keyboard.down("1")
            page.wait_for_timeout(60)
        page.keyboard.up("1")
        assert int(version(page)) == before + 1
        assert page.locator(".toast").count() == 0


@pytest.mark.parametrize("place", [".felt button.pile", ".own [data-key=melds]"])
def test_the_focus_is_seen_on_the_felt(place: str, browser: Any, address: str) -> None:
    with page_of(browser, "desk", color_scheme="light") as page:
        begun(page, address)
        page.keyboard.press("Tab")
        page.focus(place)
        shown = f"getComputedStyle(document.querySelector('{place}')).outlineColor"
        assert page.evaluate(shown) == "rgb(255, 214, 90)"


def test_in_a_low_window_the_hand_covers_no_pile(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as page:
        page.set_viewport_size({"width": 640, "height": 400})
        order(page, address, "basic", seats=6, seed="3")
        until_mine(page)
        piles = [each.bounding_box() for each in page.query_selector_all(".pile")]
        below = page.query_selector(".below").bounding_box()["y"]
        assert max(box["y"] + box["height"] for box in piles) <= below


def test_beside_the_table_the_keyboard_stays_where_it_was(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as page:
        before = begun(page, address)
        page.click("#tab-mind")
        page.focus("#panel-mind select")
        page.evaluate("document.querySelector('button.pile.lit, .move').click()")
        changed(page, before)
        assert page.evaluate("document.activeElement.dataset.key") == "agent-mind"


def test_the_coach_who_said_it_stays_named(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as page:
        before = begun(page, address)
        page.click("button.pile.lit >> nth=0")
        changed(page, before)
        page.click("#tab-coach")
        page.select_option("#panel-coach select", "greedy")
        page.click("[data-key=coach]")
        page.wait_for_selector("#panel-coach p:has-text('as greedy would')")
        page.select_option("#panel-coach select", "random")
        assert "as greedy would" in page.inner_text("#panel-coach p")


def test_a_long_log_has_every_line_once(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as page:
        page.goto(address)
        shown = page.evaluate(
            """async () => {
              const { Side } = await import("/page/side.js");
              const side = new Side({});
              const told = (from, to) => side.log({
                from, lines: Array.from({ length: to - from }, (_, i) => [0, String(from + i)]),
              }, ["Ann"]);
              told(500, 2500);
              told(2489, 2501);
              told(2490, 2502);
              const long = side.lines.map((line) => Number(line[1]));
              told(0, 1);
              return [long, side.lines.length];
            }"""
        )
        assert shown == [[*range(500, 2502)], 1]


DENIED = """
  Object.defineProperty(window, "localStorage", { get() { throw new DOMException("denied"); } });
"""


def test_a_browser_that_keeps_nothing_plays(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as page:
        page.add_init_script(DENIED)
        page.goto(address)
        page.click("[data-key=variant-gin]")
        page.select_option("[data-key=seat-1]", "friend")
        page.click("button.main")
        page.wait_for_selector(".in-hand")
        assert page.locator(".links input").count() == 1
        page.reload()
        page.wait_for_selector(".in-hand")


def test_other_seats_are_dealt_as_many_cards_as_is_usual_for_them(
    browser: Any, address: str
) -> None:
    with page_of(browser, "desk") as page:
        page.goto(f"{address}#ask")
        page.wait_for_selector(".loose")
        dealt = """([seats, size]) => {
          const { hands } = JSON.parse(document.querySelector("#snapshot").value).table;
          return hands.length === seats && hands[0].length === size;
        }"""
        for seats, size in ((3, 7), (6, 6), (2, 10)):
            page.select_option('[data-key="seats"]', str(seats))
            page.wait_for_function(dealt, arg=[seats, size])
        assert page.text_content(".error") == ""

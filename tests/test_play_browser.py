"""The page in a real browser: games by clicks and by keys, watching, the coach, coming back."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import rummy_env
from rummy_env.play.agents import Offer
from rummy_env.play.house import House
from tests.conftest import few_or_all, side_by_side
from tests.play_browser import (
    SIZES,
    changed,
    chromium,
    order,
    page_of,
    serving,
    until_mine,
    version,
)
from tests.test_play_watch import Slow, line

MOST = 400
SHORT: dict[str, Any] = {"max_turns": "24"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(House(Offer(), pace=0)) as found:
        yield found


def act_by_clicks(page: Any) -> None:
    """One action: a pile that is alight, a move by its name, or a card onto the discards."""
    if (pile := page.query_selector("button.pile.lit, button.open.lit")) is not None:
        pile.click()
    elif (move := page.query_selector(".move")) is not None:
        move.click()
    else:
        page.locator(".in-hand:not(.idle)").last.click()
        page.wait_for_selector(".in-hand.chosen")
        pile = page.query_selector(".pile.lit[data-zone=discards]")
        (pile or page.wait_for_selector(".move")).click()
    if (which := page.query_selector("dialog .move")) is not None:
        which.click()


def act_by_keys(page: Any) -> None:
    """One action, without the mouse."""
    if page.query_selector(".move") is not None:
        page.keyboard.press("1")
        return
    index = page.locator(".in-hand:not(.idle)").last.get_attribute("data-index")
    page.keyboard.press("ArrowRight")
    while page.evaluate("document.activeElement.dataset.index") != index:
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    page.wait_for_selector(".in-hand.chosen")
    page.keyboard.press("Enter")


HANDS = [("phone", act_by_clicks), ("desk", act_by_clicks), ("desk", act_by_keys)]
"""What is played on, and how."""


@few_or_all(
    "variant, hands",
    few=side_by_side(rummy_env.VARIANTS, HANDS),
    every=product(rummy_env.VARIANTS, HANDS),
)
def test_a_whole_game_is_played(
    variant: str, hands: tuple[str, Any], browser: Any, address: str
) -> None:
    size, act = hands
    with page_of(browser, size) as page:
        order(page, address, variant, **SHORT)
        for _ in range(MOST):
            if not until_mine(page):
                break
            before = version(page)
            act(page)
            changed(page, before)
        assert "won" in page.inner_text(".status")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.click("[data-key=again]")
        page.wait_for_selector(".log .event:has-text('Game 2 is dealt')")


@pytest.mark.parametrize("size", SIZES)
def test_six_seats_fit_on_the_page(size: str, browser: Any, address: str) -> None:
    with page_of(browser, size) as page:
        order(page, address, "basic", seats=6)
        assert page.locator(".others .seat").count() == 5
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_card_is_dragged_onto_the_discards(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as page:
        order(page, address, "basic", seed="3")
        until_mine(page)
        before = version(page)
        page.click("[data-zone=stock]")
        changed(page, before)
        card = page.locator(".in-hand").last
        name = card.get_attribute("aria-label")
        before = version(page)
        card.drag_to(page.locator("[data-zone=discards]"))
        changed(page, before)
        assert name in [
            each.get_attribute("aria-label") for each in page.query_selector_all(".lying")
        ] or "discard" in page.inner_text(".log")


def test_a_card_is_dragged_within_the_hand(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as page:
        order(page, address, "gin", seed="3")
        names = [each.get_attribute("aria-label") for each in page.query_selector_all(".in-hand")]
        page.locator(".in-hand").first.drag_to(
            page.locator(".in-hand").nth(4), target_position={"x": 60, "y": 40}
        )
        moved = [each.get_attribute("aria-label") for each in page.query_selector_all(".in-hand")]
        assert moved == [*names[1:5], names[0], *names[5:]]


def test_a_slip_is_undone(browser: Any) -> None:
    with serving(House(Offer(), pace=5)) as slow, page_of(browser, "desk") as page:
        order(page, slow, "basic", seed="4")
        page.wait_for_selector(".status.mine", timeout=30_000)
        before = version(page)
        page.click("[data-zone=stock]")
        changed(page, before)
        cards = page.locator(".in-hand").count()
        assert page.is_disabled("[data-key=undo]")
        before = version(page)
        page.locator(".in-hand").last.click()
        page.click("[data-zone=discards]")
        changed(page, before)
        page.keyboard.press("u")
        page.wait_for_selector(".status.mine")
        assert page.locator(".in-hand").count() == cards


def test_melds_are_shown_on_request(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as page:
        order(page, address, "gin", seed="3")
        page.click("[data-key=melds]")
        page.wait_for_selector("[data-meld], .toast")
        assert page.locator("[data-meld], .toast").count() >= 1


def test_a_closed_page_comes_back_to_its_seat(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as page:
        order(page, address, "gin", seed="3")
        until_mine(page)
        before, link = version(page), page.url
        hand = [each.get_attribute("aria-label") for each in page.query_selector_all(".in-hand")]
        page.goto("about:blank")
        page.goto(link)
        page.wait_for_selector(".in-hand")
        assert version(page) == before
        again = [each.get_attribute("aria-label") for each in page.query_selector_all(".in-hand")]
        assert again == hand


def test_mind_and_coach_beside_the_table(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as page:
        order(page, address, "gin", **SHORT)
        until_mine(page)
        page.click("#tab-mind")
        page.select_option("#panel-mind select", "trained")
        page.click("[data-key=think]")
        page.wait_for_selector(".thought tr.best")
        assert page.locator(".thought meter").count() >= 1
        for _ in range(8):
            if not until_mine(page):
                break
            before = version(page)
            act_by_clicks(page)
            changed(page, before)
        page.click("#tab-coach")
        page.select_option("#panel-coach select", "strong")
        page.click("[data-key=coach]")
        page.wait_for_selector(
            "#panel-coach [data-done=true], #panel-coach p[data-done]:not([data-done=false])"
        )
        assert page.locator("#panel-coach tbody tr").count() >= 2


@pytest.mark.parametrize("size", SIZES)
def test_agents_are_watched_forwards_and_backwards(size: str, browser: Any, address: str) -> None:
    with page_of(browser, size) as page:
        page.goto(address)
        page.click("[data-key=variant-basic]")
        page.click("text=Watch agents play this")
        page.wait_for_selector(".controls output:has-text('1 /')")
        page.click("[data-key=play]")
        page.click("[data-key=first]")
        page.wait_for_selector(".controls output:has-text('0 /')")
        steps = "document.querySelector('.controls output').textContent.split('/')[1]"
        page.wait_for_function(f"() => parseInt({steps}) > 2")  # the agents are still playing
        page.click("[data-key=next]")
        page.wait_for_selector(".controls output:has-text('1 /')")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(".controls output:has-text('2 /')")
        page.click("[data-key=back]")
        page.wait_for_selector(".controls output:has-text('1 /')")
        link = page.url
        page.click("[data-key=play]")
        page.wait_for_function(
            "() => parseInt(document.querySelector('.controls output').textContent) >= 3"
        )
        page.click("[data-key=play]")
        page.goto("about:blank")
        page.goto(link)
        page.wait_for_selector(".controls output:has-text('1 /')")
        assert page.locator(".backs").count() == 0
        page.select_option(".controls select >> nth=1", "0")
        page.wait_for_selector(".backs")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_slow_match_is_followed_live(browser: Any) -> None:
    slow = Slow()
    with (
        serving(House(Offer({"slow": slow}), pace=0)) as address,
        page_of(browser, "phone") as page,
    ):
        page.goto(address)
        page.click("[data-key=variant-gin]")
        for seat in range(2):
            page.select_option(f"[data-key=seat-{seat}]", "slow")
        page.click("text=Watch agents play this")
        page.click(".thinking summary")
        page.wait_for_selector(".thinking :has-text('1 worlds')")
        page.click("[data-key=live]")
        for step in range(1, 4):
            slow.go.release()
            page.wait_for_selector(f".controls output:has-text('{step} / {step} …')")
        page.click("[data-key=back]")
        page.wait_for_selector(".controls output:has-text('2 / 3 …')")
        page.wait_for_selector(".thinking :has-text('2 worlds')")
        slow.go.release()
        page.wait_for_selector(".controls output:has-text('2 / 4 …')")
        assert page.get_attribute("[data-key=live]", "aria-pressed") == "false"
        page.keyboard.press("l")
        page.wait_for_selector(".controls output:has-text('4 / 4 …')")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        slow.go.release(10_000)
        page.wait_for_selector("[data-key=live]", state="hidden")


def test_a_record_file_is_shown(browser: Any, address: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join([line(), line("gin", 4), "{damaged"]))
    with page_of(browser, "desk") as page:
        page.goto(f"{address}#games=here")
        page.set_input_files("#file", path)
        page.wait_for_selector("h1:has-text('Games of the file')")
        page.wait_for_selector("tbody tr")
        assert page.locator("tbody tr").count() == 3
        page.select_option(".filters select >> nth=0", "gin")
        assert page.locator("tbody tr").count() == 1
        page.click("tbody a")
        page.wait_for_selector(".controls")
        page.click("text=Ask an agent")
        page.wait_for_function("() => document.querySelector('#snapshot')?.value.includes('gin')")
        page.fill("input[aria-label=Agent]", "strong")
        page.click("button.main")
        page.wait_for_selector(".thought")
        assert page.locator(".place").count() == 4


def test_a_dropped_record_is_shown(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as page:
        page.goto(f"{address}#games=here")
        page.wait_for_selector(".drop")
        page.evaluate(
            """content => {
              const data = new DataTransfer();
              data.items.add(new File([content], "game.jsonl"));
              const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true });
              document.querySelector("main").dispatchEvent(drop);
            }""",
            line(),
        )
        page.wait_for_selector(".controls output")
        assert "basic" in page.inner_text(".caption")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_serious(size: str, scheme: str, browser: Any, address: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not there")
    with page_of(browser, size, color_scheme=scheme, bypass_csp=True) as page:

        def check() -> None:
            found = axe.Axe().run(page).response["violations"]
            serious = [each for each in found if each["impact"] in ("serious", "critical")]
            told = [
                (each["id"], [node["html"][:160] for node in each["nodes"]]) for each in serious
            ]
            assert told == []

        page.goto(address)
        page.wait_for_selector(".tile")
        check()
        order(page, address, "rummy500")
        until_mine(page)
        check()
        for tab in ("mind", "coach", "help"):
            page.click(f"#tab-{tab}")
            check()
        page.goto(f"{address}#games=here")
        page.wait_for_selector(".drop")
        check()
        page.goto(f"{address}#ask")
        page.click(".loose >> nth=0")
        page.wait_for_selector(".loose.chosen")
        check()
        page.goto(address)
        page.click("text=Watch agents play this")
        page.click(".thinking summary")
        page.wait_for_selector(".thinking table, .thinking .words")
        check()

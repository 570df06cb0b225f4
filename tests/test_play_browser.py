"""The page in a real browser: games by clicks and by keys, watching, the coach, coming back."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import rummy_env
from rummy_env.play.house import House
from rummy_env.play.offer import Offer
from rummy_env.search import Search
from tests.conftest import few_or_all, side_by_side
from tests.play_browser import (
    SIZES,
    changed,
    order,
    page_of,
    serving,
    until_mine,
    version,
)
from tests.play_tables import record_line
from tests.policies import Slow

MOST = 400
SHORT: dict[str, Any] = {"max_turns": "24"}


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
        assert "won" in page.inner_text(".result")
        assert page.locator(".status").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.click("[data-key=again]")
        page.wait_for_selector(".log .event:has-text('Game 2 is dealt')")


FULL = {"basic": 6, "going_out": 10, "rummy_cards": 6, "rummy500": 5}
"""Variants, and the most seats that they have."""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("variant", FULL)
def test_at_a_full_table_hand_and_moves_are_reached_without_scrolling(
    variant: str, size: str, browser: Any, address: str
) -> None:
    with page_of(browser, size) as page:
        page.goto(address)
        page.evaluate("localStorage.setItem('name', 'Wolfeschlegelsteinhausen')")
        order(page, address, variant, seats=FULL[variant], seed="4")
        assert page.locator(".others .seat").count() == FULL[variant] - 1
        assert until_mine(page)
        for each in page.query_selector_all(".in-hand, .pile, .moves button"):
            box = each.bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= SIZES[size][1]
        piles = [each.bounding_box() for each in page.query_selector_all(".pile")]
        below = page.query_selector(".below").bounding_box()["y"]
        assert max(box["y"] + box["height"] for box in piles) <= below
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_form_keeps_the_place_of_the_keyboard_and_what_is_usual(
    browser: Any, address: str
) -> None:
    focus = "document.activeElement.dataset.key"
    with page_of(browser, "desk") as page:
        page.goto(address)
        page.click("[data-key=variant-basic]")
        page.focus("[data-key=seat-1]")
        page.select_option("[data-key=seat-1]", "greedy")
        assert page.evaluate(focus) == "seat-1"
        page.click(".options summary")
        page.fill("[data-key=option-max_turns]", "7")
        page.fill("[data-key=option-max_turns]", "")
        assert page.get_attribute("[data-key=option-max_turns]", "placeholder") == "200"
        page.click("button.main")
        page.wait_for_selector(".in-hand")


def test_seats_are_offered_as_far_as_the_variant_allows(browser: Any, address: str) -> None:
    seats, more = "ol.seats li", "[data-key=add]"
    with page_of(browser, "desk") as page:
        page.goto(address)
        page.click("[data-key=variant-gin]")
        assert page.query_selector(more) is None
        page.click("[data-key=variant-rummy_cards]")
        while page.query_selector(more) is not None:
            page.click(more)
        assert page.locator(seats).count() == 6
        page.click(".options summary")
        page.select_option("[data-key=option-going_out_variation]", "yes")
        page.click(more)
        assert page.locator(seats).count() == 7
        page.select_option("[data-key=option-going_out_variation]", "no")
        assert page.locator(seats).count() == 6


def test_an_option_that_cannot_be_is_told_once_as_the_form_names_it(
    browser: Any, address: str
) -> None:
    with page_of(browser, "desk") as page:
        page.goto(address)
        page.click("[data-key=variant-basic]")
        page.click(".options summary")
        page.locator(".options .field", has_text="hand size").locator("input").fill("60")
        page.click("button.main")
        page.wait_for_selector("#order-error:has-text('Hand size 60')")
        assert page.locator(".toast").count() == 0


def test_a_used_link_says_so_and_leads_to_a_new_table(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as host, page_of(browser, "phone") as late:
        order(host, address, "gin")
        link = host.evaluate("Object.keys(localStorage).find(key => key.startsWith('seat-'))")
        late.goto(f"{address}#seat={link.removeprefix('seat-')}")
        late.wait_for_selector(".gone:has-text('it was used before')")
        assert not late.is_visible(".banner")
        late.click(".gone a")
        late.wait_for_selector(".tile")


def test_links_are_shown_until_they_are_used_and_lead_to_the_server_from_elsewhere(
    browser: Any,
) -> None:
    outside = "http://192.168.0.7:8470/"
    with (
        serving(House(Offer(), pace=0), outside=outside) as open_server,
        page_of(browser, "phone") as host,
        page_of(browser, "phone") as friend,
    ):
        host.goto(open_server)
        host.click("[data-key=variant-basic]")
        host.click("[data-key=add]")
        for seat in (1, 2):
            host.select_option(f"[data-key=seat-{seat}]", "friend")
        host.click("button.main")
        host.wait_for_selector(".links input")
        host.reload()
        host.wait_for_selector(".links input")
        links = [each.input_value() for each in host.query_selector_all(".links input")]
        names = [each.inner_text() for each in host.query_selector_all(".links span")]
        assert names == ["Friend 1", "Friend 2"]
        assert all(link.startswith(outside) for link in links)
        friend.goto(links[1].replace(outside, open_server))
        friend.wait_for_selector(".in-hand")
        host.wait_for_function("document.querySelectorAll('.links input').length === 1")
        friend.goto("about:blank")
        host.reload()
        host.wait_for_selector(".links input")
        assert [each.input_value() for each in host.query_selector_all(".links input")] == links[:1]


NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
NO_COPYING = "document.execCommand = () => false;"


@pytest.mark.parametrize(
    ("lacking", "said"), [("", "Copied."), (NO_COPYING, "copy it from the field")]
)
def test_a_link_is_copied_where_the_browser_has_no_clipboard(
    lacking: str, said: str, browser: Any, address: str
) -> None:
    with page_of(browser, "desk") as page:
        page.add_init_script(NO_CLIPBOARD + lacking)
        page.goto(address)
        page.click("[data-key=variant-gin]")
        page.select_option("[data-key=seat-1]", "friend")
        page.click("button.main")
        page.click(".links button:has-text('Copy')")
        page.wait_for_selector(f".toast:has-text('{said}')")
        assert page.inner_text(".links span") == "Friend"
        assert page.evaluate("getSelection().toString()").startswith(address)


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
        page.click("#tab-log")
        page.click("#tab-mind")
        assert page.locator(".thought tr.best").count() == 1
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


def test_a_search_shows_how_far_moves_are_ahead_of_the_one_to_beat(browser: Any) -> None:
    searching = {"searching": Search("greedy", worlds=8)}
    with (
        serving(House(Offer(searching), pace=0)) as address,
        page_of(browser, "desk") as page,
    ):
        order(page, address, "gin", seed="3")
        until_mine(page)
        page.click("#tab-mind")
        page.select_option("#panel-mind select", "searching")
        page.click("[data-key=think]")
        page.wait_for_selector(".thought th:has-text('Ahead of')")
        over = page.inner_text(".thought th:last-child").removeprefix("Ahead of ")
        leads = dict(
            zip(
                page.locator(".thought td:first-child").all_inner_texts(),
                page.locator(".thought .ahead").all_inner_texts(),
                strict=True,
            )
        )
        assert leads.pop(over) == ""
        assert all("±" in lead for lead in leads.values())


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
    path.write_text("\n".join([record_line(), record_line("gin", 4), "{damaged"]))
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
            record_line(),
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

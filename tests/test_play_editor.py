"""The position editor in a real browser: cards and text in step, by mouse and by keyboard."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import rummy_env
from rummy_env.play.house import House
from rummy_env.play.offer import Offer
from rummy_env.play.positions import dealt
from tests.play_browser import page_of, serving

OFFER = Offer()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(House(OFFER, pace=0)) as found:
        yield found


def table(page: Any) -> dict[str, Any]:
    """The table that the text tells."""
    told: dict[str, Any] = json.loads(page.input_value("#snapshot"))["table"]
    return told


def cards(told: dict[str, Any]) -> Counter[str]:
    """All cards of a snapshot."""
    places = [*told["hands"], told["stock"], told["discard"], *told["melds"]]
    return Counter(card for place in places for card in place)


def shown(page: Any, place: str) -> Counter[str]:
    """The cards of a place as the page draws them."""
    found = page.locator(f'[data-zone="{place}"] .loose')
    return Counter(found.evaluate_all("all => all.map(each => each.dataset.card.split('#')[0])"))


def lay(page: Any, variant: str, **options: Any) -> dict[str, Any]:
    """Types a dealt position into the text, and waits for its cards."""
    told = dealt({"variant": variant, "options": options}, OFFER)
    page.wait_for_selector(".loose")
    page.fill("#snapshot", json.dumps(told))
    page.wait_for_selector(".editor:not([inert])")
    assert shown(page, "hand-0") == Counter(told["table"]["hands"][0])
    table: dict[str, Any] = told["table"]
    return table


@pytest.mark.parametrize(
    ("size", "variant", "options"),
    [("desk", "gin", {}), ("phone", "rummy_cards", {"num_players": 4, "decks": 2})],
)
def test_cards_are_moved_by_clicks_drags_and_keys(
    size: str, variant: str, options: Any, browser: Any, address: str
) -> None:
    with page_of(browser, size) as page:
        page.goto(f"{address}#ask")
        before = lay(page, variant, **options)
        page.locator('[data-zone="hand-0"] .loose').first.click()
        page.click("[data-put=D]")
        one = table(page)
        (moved,) = (Counter(before["hands"][0]) - Counter(one["hands"][0])).elements()
        assert one["discard"] == [*before["discard"], moved]
        page.keyboard.press("ArrowDown")
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Space")
        page.keyboard.press("1")
        two = table(page)
        assert Counter(two["hands"][0]) - Counter(one["hands"][0]) == Counter([one["stock"][-2]])
        assert two["stock"] == [*one["stock"][:-2], one["stock"][-1]]
        page.keyboard.press("u")
        assert table(page) == one
        page.locator('[data-zone="hand-1"] .loose').first.drag_to(
            page.locator('[data-zone="discards"] .plate')
        )
        three = table(page)
        assert len(three["discard"]) == len(one["discard"]) + 1
        assert cards(three) == cards(before)
        assert shown(page, "discards") == Counter(three["discard"])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_changes_are_taken_back_one_by_one_though_the_server_has_not_seen_them(
    browser: Any, address: str
) -> None:
    with page_of(browser, "desk") as page:
        page.goto(f"{address}#ask")
        stood = [lay(page, "gin")]
        page.route("**/api/positions", lambda route: None)  # which is never answered
        for _ in range(2):
            page.locator('[data-zone="hand-0"] .loose').first.click()
            page.keyboard.press("d")
            stood.append(table(page))
        assert [len(each["discard"]) for each in stood] == [1, 2, 3]
        for each in (stood[1], stood[0]):
            page.click("[data-key=undo]")
            assert table(page) == each


def test_every_variant_is_laid_and_asked_about(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as page:
        page.goto(f"{address}#ask")
        page.wait_for_selector("[data-key=variant] option >> nth=6", state="attached")
        page.fill("input[aria-label=Agent]", "greedy")
        # The page begins with the first variant, whose new deal could not be told from the old one.
        for variant in reversed(list(rummy_env.VARIANTS)):
            page.select_option("[data-key=variant]", variant)
            page.wait_for_function(
                "name => JSON.parse(document.querySelector('#snapshot').value).variant === name",
                arg=variant,
            )
            page.wait_for_selector(".editor:not([inert])")
            page.select_option("[data-key=phase]", "play")
            page.select_option("[data-key=turn]", "0")
            page.locator('[data-zone="stock"] .loose').first.click()
            page.keyboard.press("1")
            page.click("button.main")
            page.wait_for_selector(".thought tr.best")
            told = table(page)
            assert (told["phase"], told["to_move"]) == ("play", 0)
            assert len(told["hands"][0]) == len(told["hands"][1]) + 1


def test_what_is_wrong_with_a_position_is_said_in_the_engines_words(
    browser: Any, address: str
) -> None:
    with page_of(browser, "phone") as page:
        page.goto(f"{address}#ask")
        told = lay(page, "basic")
        page.fill("#snapshot", "{")
        page.wait_for_selector(".error:has-text('This is no JSON')")
        missing = {**told, "stock": told["stock"][1:]}
        page.fill("#snapshot", json.dumps({"variant": "basic", "table": missing}))
        page.wait_for_selector(".error:has-text('missing')")
        assert told["stock"][0] in page.inner_text(".error")
        assert page.locator(".editor[inert]").count() == 1
        page.fill("#snapshot", json.dumps({"variant": "basic", "table": told}))
        page.wait_for_selector(".editor:not([inert])")
        assert page.inner_text(".error") == ""
        for _ in told["hands"][told["to_move"]]:
            page.locator(f'[data-zone="hand-{told["to_move"]}"] .loose').first.click()
            page.keyboard.press("d")
        page.select_option("[data-key=phase]", "play")
        page.wait_for_selector(".error:has-text('could do nothing in this phase')")
        page.click("[data-key=undo]")
        page.wait_for_function("() => document.querySelector('[data-key=phase]').value === 'draw'")
        assert page.inner_text(".error") == ""


def test_what_is_known_of_a_hand_leaves_with_its_card(browser: Any, address: str) -> None:
    with page_of(browser, "desk") as page:
        page.goto(f"{address}#ask")
        told = lay(page, "basic")
        first = told["hands"][0][0]
        told["known"] = [[first], []]
        page.fill("#snapshot", json.dumps({"variant": "basic", "options": {}, "table": told}))
        page.wait_for_selector(".editor:not([inert])")
        page.click(f'[data-zone="hand-0"] [data-card^="{first}#"]')
        page.keyboard.press("2")
        assert table(page)["known"] == [[], []]
        assert page.inner_text(".error") == ""

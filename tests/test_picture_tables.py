"""Tables in pictures: cards as large as they can be, and those of equals equally large."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, combinations, pairwise
from typing import NamedTuple

import pytest

import rummy_env

pytestmark = pytest.mark.adapter

pytest.importorskip("pygame")

from rummy_env.core.display import Hand  # noqa: E402
from rummy_env.views.painting import cards as painted  # noqa: E402
from rummy_env.views.painting.layout import Box, around, card_width  # noqa: E402
from rummy_env.views.picture import scene_picture  # noqa: E402
from rummy_env.views.scene import Scene  # noqa: E402
from tests.boxes import TABLE, overlap  # noqa: E402
from tests.rollout import dealt  # noqa: E402
from tests.scenes import scene  # noqa: E402

WITH_MELDS = [("basic", 2), ("basic", 4), ("basic", 6), *(("rummy500", n) for n in range(2, 6))]
ALL = [*WITH_MELDS, ("gin", 2), *(("going_out", n) for n in range(2, 11)), ("rummy_cards", 4)]
HAND = Hand(("2c", "3d", "4h"))
LEAST_MELD = 56
"""Pixels that cards on a table of the usual size are high at least, however many lie there."""


class Lying(NamedTuple):
    """A card in a picture: its height, and its left upper corner."""

    height: int
    x: float
    y: float


@pytest.fixture
def lying(monkeypatch: pytest.MonkeyPatch) -> list[Lying]:
    """The cards of hands, then of discards that are spread out, then of melds, as painted."""
    found: list[Lying] = []

    def put_card(ground: object, card: str, height: int, x: float, y: float, look: object) -> None:
        found.append(Lying(height, x, y))

    monkeypatch.setattr(painted, "put_card", put_card)
    return found


def late(name: str, players: int) -> Iterator[Scene]:
    """Tables of a variant in the course of some games."""
    rules = rummy_env.rules(name, num_players=players)
    for seed in range(10):
        for steps in (20, 60, 100):
            yield scene(dealt(rules, num_envs=1, seed=seed, steps=steps))


def outline(cards: Sequence[Lying]) -> Box:
    """The least box around some cards, all in one line."""
    first, last = cards[0], cards[-1]
    assert {(first.height, first.y)} == {(card.height, card.y) for card in cards}
    return Box(first.x, first.y, last.x - first.x + card_width(first.height), first.height)


def outlines(lying: Sequence[Lying], lengths: Sequence[int]) -> list[Box]:
    """The outlines of the last cards painted, by the lengths of what they lie in."""
    ends = [*accumulate(lengths, initial=len(lying) - sum(lengths))]
    return [outline(lying[start:end]) for start, end in pairwise(ends)]


@pytest.mark.parametrize(("name", "players"), ALL)
def test_seats_with_as_much_room_have_cards_as_large(
    name: str, players: int, lying: list[Lying]
) -> None:
    places, _ = around(TABLE, players)
    for told in late(name, players):
        scene_picture(told)
        heights: dict[object, set[int]] = {}
        for place in places:
            inside = {card.height for card in lying if holds(place, card)}
            heights.setdefault((round(place.width), round(place.height)), set()).update(inside)
        assert all(len(found) <= 1 for found in heights.values())
        lying.clear()


def holds(place: Box, card: Lying) -> bool:
    """Whether a place holds a card."""
    return 0 < card.x - place.x < place.width and 0 < card.y - place.y < place.height


def test_a_seat_with_more_words_has_its_cards_no_lower(lying: list[Lying]) -> None:
    (told, *_) = late("rummy500", 4)
    wordy = replace(told.seats[1], role="dealer, with a role that takes another line", hand=HAND)
    others = [replace(seat, hand=HAND) for seat in told.seats]
    scene_picture(replace(told, seats=(others[0], wordy, *others[2:])))
    assert len({(card.height, card.y) for card in lying[3:12]}) == 1


@pytest.mark.parametrize(("name", "players"), WITH_MELDS)
def test_melds_are_large_and_cover_neither_each_other_nor_the_discards(
    name: str, players: int, lying: list[Lying]
) -> None:
    seen = 0
    for told in late(name, players):
        scene_picture(told)
        lengths = list(map(len, (*told.groups, *told.sequences)))
        seen += len(lengths)
        if told.discards.spread and told.discards.cards:
            lengths.insert(0, len(told.discards.cards))
        lines = outlines(lying, lengths)
        assert len({line.height for line in lines}) <= 1
        assert all(line.height >= LEAST_MELD for line in lines)
        assert not any(overlap(*pair) for pair in combinations(lines, 2))
        lying.clear()
    assert seen > 10


def test_cards_do_not_shrink_when_a_card_is_drawn(lying: list[Lying]) -> None:
    (told, *_) = late("basic", 4)
    seven = Hand(("2c", "3d", "4h", "5s", "6c", "8d", "Jh"))
    heights = []
    for mover in (seven, replace(seven, cards=(*seven.cards, "Ks"))):
        seats = [replace(seat, hand=seven, to_move=False) for seat in told.seats]
        seats[2] = replace(seats[2], hand=mover, to_move=True)
        scene_picture(replace(told, seats=tuple(seats), groups=(), sequences=()))
        heights.append({card.height for card in lying[7:]})
        lying.clear()
    assert heights[0] == heights[1]
    assert len(heights[0]) == 1


def test_a_note_moves_nothing(lying: list[Lying]) -> None:
    (told, *_) = late("rummy500", 3)
    scene_picture(told)
    before = [*lying]
    lying.clear()
    scene_picture(replace(told, notes=(("to use", "7♣"), ("taken", "7♣ from the discards"))))
    assert lying == before

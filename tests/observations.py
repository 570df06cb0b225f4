"""Observations, taken apart by their layout and compared with the table."""

from collections import Counter
from typing import Any

from rummy_env import Engine, Rules
from rummy_env.core.cards import NUM_REGULAR, regular_text
from rummy_env.core.state import STOCK_STEPS
from rummy_env.views.common import GROWTH_LEVELS, MORE_STOCK_LEVELS, STOCK_LEVELS
from rummy_env.views.features import observer
from tests.rollout import whole_pack
from tests.table import Table


class Told:
    """One observation, taken apart by the layout.

    Attributes:
        entries: For every name of the layout its entries.
    """

    def __init__(self, engine: Engine, seat: int, row: int = 0) -> None:
        self.pack = engine.rules.pack
        told = observer(engine.rules)
        vector = told(engine.look(seat, rows=[row]))[0].tolist()
        self.entries = {
            name: vector[start : start + width] for name, start, width, _ in told.layout()
        }

    def cards(self, plane: str) -> set[str]:
        """The cards of a plane as text."""
        marks = self.entries.get(plane, [0] * NUM_REGULAR)
        return {regular_text(bit) for bit, mark in enumerate(marks) if mark}

    def set_of(self, place: str) -> Counter[str]:
        """The cards of a place: its plane, that of cards held twice, the special cards."""
        special = self.entries.get(f"{place}_special", [])
        names = [name for name, mark in zip(self.pack.specials, special, strict=False) if mark]
        return Counter([*self.cards(place), *self.cards(f"{place}_twice"), *names])

    def card(self, place: str) -> list[str]:
        """The card of a place, or none."""
        special = self.choice(f"{place}_special") if f"{place}_special" in self.entries else None
        names = [] if special is None else [self.pack.distinct_cards[NUM_REGULAR + special]]
        return [*self.cards(place), *names]

    def count(self, gauge: str) -> int:
        """How many thresholds of a gauge are reached."""
        marks = self.entries[gauge]
        assert marks == sorted(marks, reverse=True), "thresholds are reached one after the other"
        return sum(marks)

    def choice(self, gauge: str) -> int | None:
        """Which of its values a gauge has, or None."""
        marks = self.entries[gauge]
        assert sum(marks) <= 1
        return marks.index(1) if 1 in marks else None


def told_of(table: Table, seat: int = 0) -> Told:
    """What a seat is told at a table laid by hand."""
    return Told(table.engine, seat)


def of_rank(meld: list[str]) -> bool:
    """Whether a meld is a group."""
    return len({card[0] for card in meld}) == 1


def laid(table: dict[str, Any], *, groups: bool) -> set[str]:
    """The cards in groups or in sequences; an ace above a king is told apart from the plane."""
    melds = [meld for meld in table["melds"] if of_rank(meld) is groups]
    cards = {card for meld in melds for card in meld}
    return cards - {meld[-1] for meld in melds if not groups and meld[-1][0] == "A"}


def check(told: Told, table: dict[str, Any], seat: int, rules: Rules) -> None:
    """Compares an observation with the snapshot of the same game."""
    players = rules.num_players
    around = [(seat + place) % players for place in range(players)]
    assert told.set_of("hand") == Counter(table["hands"][seat])
    assert told.card("top") == table["discard"][-1:]
    assert told.card("taken") == [table["taken"]] * (table["taken"] is not None)
    assert told.cards("groups") == laid(table, groups=True)
    assert told.cards("sequences") == laid(table, groups=False)
    assert told.cards("next") == set(table["stock"][:1] if table["stock_open"] else [])
    for place, other in enumerate(around):
        if f"known_{place}" in told.entries:
            assert told.set_of(f"known_{place}") == Counter(table["known"][other])
    phases = [phase.name for phase in rules.turn]
    phase = told.choice("phase")
    assert (phases[phase] if phase is not None else "finished") == table["phase"]
    assert told.choice("to_move") == around.index(table["to_move"])
    assert told.choice("dealer") == around.index(table["dealer"])
    check_pile(told, table, seat, rules)
    check_counts(told, table, around, rules)


def check_pile(told: Told, table: dict[str, Any], seat: int, rules: Rules) -> None:
    """What is told of the discard pile and of the cards that were in it."""
    if not rules.sight.pile_known:
        assert not told.entries.keys() & {"pile", "upper_2", "recycled"}
        return
    assert told.set_of("pile") == Counter(table["discard"])
    for name in told.entries:
        if name.startswith("upper_"):
            upper = set(table["discard"][-int(name.removeprefix("upper_")) :])
            assert told.cards(name) == {card for card in upper if card not in told.pack.specials}
    others = [cards for i, cards in enumerate(table["known"]) if i != seat]
    in_sight = [table["hands"][seat], table["discard"], *others, *table["melds"]]
    unseen = whole_pack(rules) - Counter(card for place in in_sight for card in place)
    assert told.set_of("recycled") == Counter(table["recycled"]) & unseen


def check_counts(told: Told, table: dict[str, Any], around: list[int], rules: Rules) -> None:
    """The quantities."""
    for place, other in enumerate(around):
        held, usual = len(table["hands"][other]), rules.hand_size + 1
        several = "taken_count" in told.entries
        more = sum(held - usual >= level for level in GROWTH_LEVELS) if several else 0
        assert told.count(f"size_{place}") == min(held, usual) + more
        if f"out_{place}" in told.entries:
            assert told.entries[f"out_{place}"] == [int(table["sits_out"][other])]
            assert told.count(f"score_{place}") == min(table["scores"][other], 2)
    levels = STOCK_LEVELS + MORE_STOCK_LEVELS if rules.sight.stock_counted else STOCK_STEPS
    reached = sum(len(table["stock"]) >= level for level in levels)
    assert told.count("stock") == min(reached, len(told.entries["stock"]))

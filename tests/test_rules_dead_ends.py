"""No play may leave its maker unable to end the turn legally: every form of it, worked by hand.

The card taken from the discard pile may not be discarded in the same turn, and where the last card
must be discarded no play may empty the hand.
"""

from typing import Any

import pytest

from tests.table import TABLE_VARIANTS, lay


@pytest.fixture(params=TABLE_VARIANTS)
def variant(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_group_that_leaves_only_the_taken_card_is_a_dead_end(variant: str) -> None:
    table = lay(variant, "7c 7d 7h | Kc", discard="2s")
    table.play("draw discard")
    assert table.kinds == {"discard"}
    assert table.legal("discard") == {"7c", "7d", "7h"}


def test_a_group_of_four_that_leaves_only_the_taken_card_is_a_dead_end(variant: str) -> None:
    """A bug of the past: only plays of three cards were struck out."""
    table = lay(variant, "Kc Kd Kh Ks | 2c", discard="6s")
    table.play("draw discard")
    assert "Kc Kd Kh Ks" not in table.legal("meld_group")
    assert len(table.legal("meld_group")) == 4
    table.play("meld Kc Kd Kh")
    assert table.legal("discard") == {"Ks"}


@pytest.mark.parametrize(
    ("melds", "kind"), [("6c 6d 6h", "lay_off_group"), ("3s 4s 5s", "lay_off_sequence")]
)
def test_it_is_none_if_the_taken_card_fits_a_meld_on_the_table(
    variant: str, melds: str, kind: str
) -> None:
    table = lay(variant, "Kc Kd Kh Ks | 2c", discard="6s", melds=melds)
    table.play("draw discard; meld Kc Kd Kh Ks")
    assert table.kinds == {kind}
    table.play(f"lay off 6s on {kind.split('_')[2]}")
    assert table["winners"] == [0]


def test_a_sequence_that_leaves_only_the_taken_card_is_a_dead_end(variant: str) -> None:
    table = lay(variant, "8h 9h Th | Kc", discard="Qh")
    table.play("draw discard")
    assert table.kinds == {"discard"}


@pytest.mark.parametrize("taken", ["7h", "Jh"])
def test_it_is_none_if_the_taken_card_continues_the_sequence_just_melded(
    variant: str, taken: str
) -> None:
    table = lay(variant, "8h 9h Th | Kc", discard=taken)
    table.play("draw discard; meld 8h 9h Th")
    assert table.legal("lay_off_sequence") == {taken}
    assert table.kinds == {"lay_off_sequence"}


def test_it_is_none_if_the_taken_card_completes_the_group_just_melded(variant: str) -> None:
    table = lay(variant, "7c 7d 7h | Kc", discard="7s")
    table.play("draw discard; meld 7c 7d 7h; lay off 7s on group")
    assert table["winners"] == [0]


def test_the_high_ace_continues_the_sequence_just_melded_only_where_aces_are_high(
    variant: str,
) -> None:
    for ace, possible in (("high_or_low", True), ("low", False)):
        table = lay(variant, "Jh Qh Kh | Kc", discard="Ah", ace=ace)
        table.play("draw discard")
        assert table.allows("meld Jh Qh Kh") is possible


def test_a_lay_off_on_a_group_that_leaves_only_the_taken_card_is_a_dead_end(variant: str) -> None:
    table = lay(variant, "7s | Kc", discard="2s", melds="7c 7d 7h")
    table.play("draw discard")
    assert table.kinds == {"discard"}
    assert table.legal("discard") == {"7s"}


def test_a_lay_off_on_a_sequence_that_leaves_only_the_taken_card_is_a_dead_end(
    variant: str,
) -> None:
    table = lay(variant, "8h | Kc", discard="2s", melds="5h 6h 7h")
    table.play("draw discard")
    assert table.kinds == {"discard"}


@pytest.mark.parametrize(
    ("card", "taken", "meld", "ace", "possible"),
    [
        ("8h", "9h", "5h 6h 7h", "low", True),
        ("4h", "3h", "5h 6h 7h", "low", True),
        ("8h", "4h", "5h 6h 7h", "low", True),
        ("8h", "Th", "5h 6h 7h", "low", False),
        ("8h", "9c", "5h 6h 7h", "low", False),
        ("2h", "Ah", "3h 4h 5h", "low", True),
        ("Kh", "Ah", "Th Jh Qh", "high_or_low", True),
        ("Kh", "Ah", "Th Jh Qh", "low", False),
        ("Ah", "2h", "Jh Qh Kh", "high_or_low", False),
    ],
)
def test_laying_off_all_else_needs_a_place_for_the_taken_card(
    variant: str, card: str, taken: str, meld: str, ace: str, possible: bool
) -> None:
    table = lay(variant, f"{card} | Kc", discard=taken, melds=meld, ace=ace)
    table.play("draw discard")
    assert table.allows(f"lay off {card} on sequence") is possible


def test_the_taken_card_itself_may_be_laid_off_or_melded(variant: str) -> None:
    table = lay(variant, "2c | Kc", discard="7s", melds="7c 7d 7h")
    table.play("draw discard; lay off 7s on group")
    assert table.legal("discard") == {"2c"}
    table = lay(variant, "7c 7d 2c | Kc", discard="7s")
    table.play("draw discard; meld 7c 7d 7s")
    assert table["taken"] == "7s"
    assert table.legal("discard") == {"2c"}


def test_a_play_that_leaves_another_card_besides_the_taken_one_is_none(variant: str) -> None:
    table = lay(variant, "7s 7d 7h 3c | Kc", discard="2s")
    table.play("draw discard; meld 7d 7h 7s; discard 3c")
    assert table["hands"][0] == ["2s"]
    assert table["to_move"] == 1


def test_after_a_draw_from_the_stock_every_card_can_be_played(variant: str) -> None:
    table = lay(variant, "7c 7d 7h | Kc", stock="2s")
    table.play("draw stock; meld 7c 7d 7h; discard 2s")
    assert table["winners"] == [0]


def test_without_laying_off_a_fitting_taken_card_is_no_way_out(variant: str) -> None:
    table = lay(variant, "8h 9h Th | Kc", discard="Jh", melds="Jc Jd Js", lay_off=False)
    table.play("draw discard")
    assert table.legal("meld_sequence") == {"9h Th Jh", "8h 9h Th Jh"}


def test_without_laying_off_the_fourth_card_of_a_group_just_melded_is_no_way_out(
    variant: str,
) -> None:
    """A bug of the past: the taken five was thought to fit the group of the other three."""
    table = lay(variant, "5c 5h 5s | Kc", discard="5d", lay_off=False)
    table.play("draw discard")
    assert table.legal("meld_group") == {"5c 5d 5h", "5c 5d 5s", "5d 5h 5s", "5c 5d 5h 5s"}


def test_without_laying_off_a_long_sequence_that_leaves_only_the_taken_card_is_a_dead_end(
    variant: str,
) -> None:
    table = lay(variant, "8h 9h Th Jh | Kc", discard="5c", lay_off=False)
    table.play("draw discard")
    assert table.legal("meld_sequence") == {"8h 9h Th", "9h Th Jh"}


def test_with_a_final_discard_no_play_may_empty_the_hand(variant: str) -> None:
    for draw, stock, pile in (("stock", "7s", "Kd"), ("discard", "Kd", "7s")):
        table = lay(variant, "7c 7d | Kc", stock=stock, discard=pile, final_discard=True)
        table.play(f"draw {draw}")
        assert table.kinds == {"discard"}
    table = lay(variant, "8h | Kc", stock="4h", melds="5h 6h 7h", final_discard=True)
    table.play("draw stock; lay off 8h on sequence")
    assert table.kinds == {"discard"}
    assert table.legal("discard") == {"4h"}


def test_with_a_final_discard_a_long_sequence_may_not_empty_the_hand(variant: str) -> None:
    options: dict[str, Any] = {"final_discard": True, "lay_off": False}
    table = lay(variant, "8h 9h Th | Kc", stock="Jh", **options)
    table.play("draw stock")
    assert table.legal("meld_sequence") == {"8h 9h Th", "9h Th Jh"}


def test_with_a_final_discard_laying_off_the_taken_card_last_is_no_way_out(variant: str) -> None:
    table = lay(variant, "7c 7d 7h | Kc", discard="7s", final_discard=True)
    table.play("draw discard")
    assert table.legal("meld_group") == {"7c 7d 7s", "7c 7h 7s", "7d 7h 7s"}
    table = lay(variant, "8h | Kc", discard="9h", melds="5h 6h 7h", final_discard=True)
    table.play("draw discard")
    assert table.kinds == {"discard"}
    assert table.legal("discard") == {"8h"}


def test_an_open_way_is_not_closed_by_the_limit_of_melds() -> None:
    """The last cards are laid off, not melded, so one meld a turn is enough."""
    table = lay("classic", "7c 7d 7h 8s 9s | Kc", discard="Ts", melds="5s 6s 7s")
    table.play("draw discard; meld 7c 7d 7h; lay off 8s on sequence; lay off 9s on sequence")
    assert table.kinds == {"lay_off_sequence"}
    table.play("lay off Ts on sequence")
    assert table["winners"] == [0]

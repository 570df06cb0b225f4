"""Melds of gin laid down and laid off one by one, and what everybody sees, worked by hand."""

from tests.gin_play import FITTING, LOOSE, MANUAL, MELDED, THREE_MELDS, lay

# What everybody sees


def test_after_a_knock_both_hands_lie_open() -> None:
    table = lay(f"{THREE_MELDS} 5h | {LOOSE}", stock="Ks Kh As Ah")
    table.play("draw stock; knock Ks")
    assert table["known"] == table["hands"]


def test_whoever_has_laid_down_all_melds_shows_the_rest_and_the_defender_does_not_yet() -> None:
    table = lay(f"{THREE_MELDS} 5h | {LOOSE}", stock="Ks Kh As Ah", **MANUAL)
    table.play("draw stock; knock Ks; meld 7c 7d 7h; meld 4s 5s 6s; meld Tc Jc Qc")
    assert table["known"] == [[], []]
    table.play("pass")
    assert table["known"] == [["5h"], []]


def test_who_is_done_laying_down_has_refused_no_card() -> None:
    table = lay(f"{THREE_MELDS} 5h | {LOOSE}", stock="Ks Kh As Ah", **MANUAL)
    table.play("draw stock; knock Ks")
    before = {name: table[name] for name in ("passes", "passed")}
    table.play("meld 7c 7d 7h; meld 4s 5s 6s; meld Tc Jc Qc; pass; pass")
    assert {name: table[name] for name in before} == before


# Laying melds down one by one


def test_a_knocker_cannot_stop_above_the_limit() -> None:
    table = lay(f"{THREE_MELDS} 5h | {LOOSE}", stock="Ks Kh As Ah", **MANUAL)
    table.play("draw stock; knock Ks")
    for meld in ("7c 7d 7h", "4s 5s 6s", "Tc Jc Qc"):
        assert not table.allows("pass")
        table.play(f"meld {meld}")
    assert table["to_move"] == 0
    assert table.kinds == {"pass"}


EIGHTS = "6s 7s 8s 6c 7c 8c 8d Kc Kd Kh"
"""With the eights in a group the sixes and sevens are left."""


def test_a_knocker_may_lay_no_meld_that_makes_coming_down_impossible() -> None:
    table = lay(f"{EIGHTS} | Ac 2d 3h 4d 6d 9d 9h Jd Qh 2c", stock="Ks Qs As Ah", **MANUAL)
    table.play("draw stock; knock Ks")
    assert table.legal("meld_group") == {"Kc Kd Kh"}
    assert table.legal("meld_sequence") == {"6c 7c 8c", "6s 7s 8s"}


def test_the_defender_may_lay_any_meld() -> None:
    knocker = "2s 3s 4s Ts Js Qs 9c 9d 9h 5d"
    table = lay(f"{knocker} | {EIGHTS}", stock="Qh As Ah Ac", **MANUAL)
    table.play("draw stock; knock Qh; meld 2s 3s 4s; meld Ts Js Qs; meld 9c 9d 9h; pass; pass")
    assert table.legal("meld_group") == {"Kc Kd Kh", "8c 8d 8s"}


def test_a_knocker_may_keep_a_meld_back_and_counts_it() -> None:
    hands = "Ac 2c 3c 7d 7h 7s Ts Js Qs 4d | 4c 2d 3h 5c 6c 8d 9h Jd Qh Kd"
    table = lay(hands, stock="Kh Ks As Ah", **MANUAL)
    table.play("draw stock; knock Kh; meld 7d 7h 7s; meld Ts Js Qs")
    assert table.allows("meld Ac 2c 3c")
    table.play("pass; pass")
    assert table["melds"] == [["7d", "7h", "7s"], ["Ts", "Js", "Qs"]]
    assert table.play("meld 4c 5c 6c; pass") == [2 + 3 + 8 + 9 + 10 + 10 + 10 - 10, 0]


def test_the_defender_lays_off_first_and_then_lays_melds() -> None:
    table = lay(f"{THREE_MELDS} 5h | {MELDED} 7s", stock="Ks Kh As Ah", **MANUAL)
    table.play("draw stock; knock Ks; meld 7c 7d 7h; meld 4s 5s 6s; meld Tc Jc Qc; pass")
    assert (table["to_move"], table["phase"]) == (1, "lay_off")
    assert table.kinds == {"lay_off_group", "lay_off_sequence", "pass"}
    table.play("pass")
    assert table["phase"] == "defend"
    assert table.kinds == {"meld_group", "meld_sequence", "pass"}
    assert table.play("meld 8d 8h 8s; meld 2h 3h 4h; meld Jd Qd Kd; pass") == [7 - 5, 0]


def test_a_chain_is_laid_off_card_by_card() -> None:
    hands = f"{THREE_MELDS} 5h | Jd Qd Kd 2h 3h 4h 7s 8s 9s Ts"
    table = lay(hands, stock="Ks Kh As Ah", **MANUAL)
    table.play("draw stock; knock Ks; meld 7c 7d 7h; meld 4s 5s 6s; meld Tc Jc Qc; pass")
    for card, following in (("7s", "8s"), ("8s", "9s"), ("9s", "Ts")):
        table.play(f"lay off {card} on sequence")
        assert table.legal("lay_off_sequence") == {following}
    table.play("lay off Ts on sequence")
    assert table.play("pass; meld Jd Qd Kd; meld 2h 3h 4h; pass") == [0, 5 + 25]


def test_cards_not_laid_down_count_also_for_the_defender() -> None:
    table = lay(f"{THREE_MELDS} 5h | {MELDED} 7s", stock="Ks Kh As Ah", **MANUAL)
    table.play("draw stock; knock Ks; meld 7c 7d 7h; meld 4s 5s 6s; meld Tc Jc Qc; pass; pass")
    assert table.play("pass") == [30 + 24 + 9 + 7 - 5, 0]


def test_who_lays_down_all_has_gin_and_nothing_is_laid_off() -> None:
    table = lay(f"{THREE_MELDS} Kc | {FITTING}", stock="Ks Kh As Ah", **MANUAL)
    table.play("draw stock")
    assert table.legal("knock") == {"Ks", "Kc", "Tc"}
    table.play("knock Ks; meld 7c 7d 7h; meld 4s 5s 6s; meld Tc Jc Qc Kc; pass")
    assert (table["phase"], table.kinds) == ("defend", {"pass"})
    assert table.play("pass") == [60 + 25, 0]


def test_a_long_sequence_is_laid_down_as_two() -> None:
    hand = "2s 3s 4s 5s 6s 7s Tc Jc Qc 5h"
    table = lay(f"{hand} | {LOOSE}", stock="Ks Kh As Ah", **MANUAL)
    table.play("draw stock; knock Ks")
    assert max(len(meld.split()) for meld in table.legal("meld_sequence")) == 5
    table.play("meld 2s 3s 4s; meld 5s 6s 7s; meld Tc Jc Qc; pass")
    assert table["melds"] == [["Tc", "Jc", "Qc"], ["2s", "3s", "4s"], ["5s", "6s", "7s"]]


def test_who_can_come_down_to_the_very_limit_does_not_pass() -> None:
    table = lay(f"{THREE_MELDS} 5h | {LOOSE}", stock="Ks Kh As Ah", knock_card=5, **MANUAL)
    table.play("draw stock; knock Ks")
    assert not table.allows("pass")

"""The stock whose end is the end of the hand: no table is laid on which that would be past."""

import pytest

import rummy_env
from rummy_env import Engine


@pytest.mark.parametrize(("variant", "ends_at"), [("gin", 2), ("rummy500", 0)])
def test_nobody_draws_from_a_stock_that_has_ended_the_hand(variant: str, ends_at: int) -> None:
    engine = Engine(rummy_env.rules(variant), seed=4)
    engine.reset()
    table = {**engine.snapshot(0), "phase": "draw"}
    for count in range(ends_at + 2):
        stock, pile = table["stock"][:count], table["discard"] + table["stock"][count:]
        late = {**table, "stock": stock, "discard": pile}
        if count > ends_at:
            engine.restore(0, late)
            assert engine.legal_mask()[0, engine.space.index("draw_stock")]
            continue
        with pytest.raises(ValueError, match=rf"^stock: {count} cards; the hand ends .* at least"):
            engine.restore(0, late)

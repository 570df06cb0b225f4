"""The arrays with which a model goes on to rules that show more than it has seen."""

from pathlib import Path

import numpy as np
import pytest

import rummy_env
from agents.saved import arrays_for
from rummy_env import Rules
from rummy_env.baselines.layout import Layout, observation_layout
from rummy_env.baselines.networks import wiring
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.views.features import OUTS, Features, observer
from tests.models import SUITS, untrained
from tests.rollout import dealt

TWO = {name: rummy_env.rules(name) for name in ("basic", "classic", "going_out", "rummy_cards")}


def _model(rules: Rules, folder: Path) -> SavedPolicy:
    return SavedPolicy(untrained(rules, folder / "model.npz", network=SUITS, reads=OUTS))


def _in_part(layout: Layout, name: str, number: int) -> int | None:
    """The place of an entry, by its part and its number there; None if there is none."""
    place = 0
    for part, width, _ in layout.parts:
        if part == name:
            return place + number if number < width else None
        place += width
    return None


def _as_seen_by(model: SavedPolicy, rules: Rules, seen: Features) -> Features:
    """Copy an observation of the rules entry by entry into one as the model reads it."""
    whole, place = observation_layout(rules, OUTS), 0
    found = np.zeros((len(seen), model.card.observation.size), seen.dtype)
    for name, width, _ in model.card.observation.parts:
        for number in range(width):
            at = _in_part(whole, name, number)
            if at is not None:
                found[:, place] = seen[:, at]
            place += 1
    return found


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("variant", TWO)
def test_a_model_for_two_begins_at_a_larger_table_as_if_there_were_no_further_seats(
    variant: str, players: int, tmp_path: Path
) -> None:
    model = _model(TWO[variant], tmp_path)
    rules = rummy_env.rules(variant, num_players=players)
    engine = dealt(rules, 24, steps=9)
    rows = engine.running
    seen = observer(rules, OUTS)(engine.look(engine.to_move[rows], rows))
    masks = engine.legal_mask(rows)
    wired = wiring(observation_layout(rules, OUTS), model.card.actions)
    begun = model.card.network.logits(arrays_for(model, rules), wired, seen, masks)
    own = model.card.logits(model.arrays, _as_seen_by(model, rules, seen), masks)
    assert len(rows) > 12
    assert np.allclose(begun[masks], own[masks], rtol=1e-4, atol=1e-4)


def test_a_model_goes_on_to_its_own_rules_unchanged(tmp_path: Path) -> None:
    model = _model(TWO["basic"], tmp_path)
    begun = arrays_for(model, TWO["basic"])
    assert begun.keys() == model.arrays.keys()
    assert all(np.array_equal(begun[name], model.arrays[name]) for name in begun)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (rummy_env.rules("basic"), "num_players=3.*reads 'known_2'.*do not have"),
        (rummy_env.rules("gin"), "trained on basic.*another layout of the actions"),
    ],
)
def test_a_model_that_reads_or_does_something_else_cannot_go_on(
    asked: Rules, message: str, tmp_path: Path
) -> None:
    model = _model(rummy_env.rules("basic", num_players=3), tmp_path)
    with pytest.raises(ValueError, match=message):
        arrays_for(model, asked)

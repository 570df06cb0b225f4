"""The other engines of the field, played at random from Python; each only where it is installed."""

import random
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from types import MappingProxyType

from benchmarks.rates import Play


def open_spiel_gin(*, tensor: bool) -> Play:
    """OpenSpiel's gin rummy; with `tensor`, the mover's observation is asked for too."""
    import pyspiel

    game, rng = pyspiel.load_game("gin_rummy"), random.Random(1)

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if not state.is_chance_node():
                steps += 1
                if tensor:
                    state.observation_tensor(state.current_player())
            state.apply_action(rng.choice(state.legal_actions()))
        return steps

    return play


def rlcard_gin() -> Play:
    """RLCard's gin rummy."""
    import rlcard

    env, rng = rlcard.make("gin-rummy"), random.Random(1)

    def play() -> int:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return play


KNOWN: Mapping[str, tuple[str, Callable[[], Play]]] = MappingProxyType(
    {
        "OpenSpiel gin": ("pyspiel", lambda: open_spiel_gin(tensor=False)),
        "OpenSpiel gin, with tensor": ("pyspiel", lambda: open_spiel_gin(tensor=True)),
        "RLCard gin": ("rlcard", rlcard_gin),
    }
)
"""The other engines: the module that each needs, and what makes its play."""


def installed() -> dict[str, Callable[[], Play]]:
    """Return what can be measured here, by name."""
    return {name: make for name, (module, make) in KNOWN.items() if find_spec(module) is not None}

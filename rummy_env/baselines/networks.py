"""The networks of saved policies, as NumPy computes them.

Another architecture is one more class with the methods of `Mlp`, in `Network` and in `NETWORKS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.core.checks import check_choice, check_range
from rummy_env.views.features import Features

Numbers = npt.NDArray[np.float32]
Arrays = Mapping[str, Numbers]

MAX_LAYERS, MAX_UNITS = 32, 1 << 14


def _relu(numbers: Numbers) -> None:
    np.maximum(numbers, 0, out=numbers)


def _tanh(numbers: Numbers) -> None:
    np.tanh(numbers, out=numbers)


ACTIVATIONS: Mapping[str, Callable[[Numbers], None]] = MappingProxyType(
    {"relu": _relu, "tanh": _tanh}
)
"""What lies between two layers, by name; each works in place."""


@dataclass(frozen=True)
class Mlp:
    """Fully connected layers with an activation between them, and linear logits.

    Attributes:
        hidden: Units of each layer, first to last.
        activation: A name of `ACTIVATIONS`.
    """

    hidden: tuple[int, ...]
    activation: str

    def __post_init__(self) -> None:
        if not isinstance(self.hidden, list | tuple) or len(self.hidden) > MAX_LAYERS:
            raise ValueError(f"hidden={self.hidden!r}: give at most {MAX_LAYERS} whole numbers")
        for units in self.hidden:
            check_range("hidden", units, 1, MAX_UNITS)
        check_choice("activation", self.activation, tuple(ACTIVATIONS))
        object.__setattr__(self, "hidden", tuple(self.hidden))

    def shapes(self, inputs: int, outputs: int) -> dict[str, tuple[int, ...]]:
        """The shape of every array by its name; the one that reads the observation comes first.

        Args:
            inputs: F, entries of an observation.
            outputs: A, actions.
        """
        found: dict[str, tuple[int, ...]] = {}
        for i, (above, below) in enumerate(pairwise((inputs, *self.hidden, outputs))):
            found |= {f"weight_{i}": (above, below), f"bias_{i}": (below,)}
        return found

    def logits(self, arrays: Arrays, observations: Features) -> Numbers:
        """float32[N, A], of int8[N, F]."""
        layer = observations.astype(np.float32)
        for i in range(len(self.hidden) + 1):
            if i:
                ACTIVATIONS[self.activation](layer)
            layer = layer @ arrays[f"weight_{i}"]
            layer += arrays[f"bias_{i}"]
        return layer


Network = Mlp
"""Any of them."""
NETWORKS: Mapping[str, type[Network]] = MappingProxyType({"mlp": Mlp})
"""The architectures, by name."""


def network_of(described: Mapping[str, Any]) -> Network:
    """The network that a card describes.

    Args:
        described: Its `kind`, a name of `NETWORKS`, and the attributes of that.

    Raises:
        ValueError: If there is no such network.
    """
    sizes = dict(described)
    kind = sizes.pop("kind", None)
    check_choice("network kind", kind, tuple(NETWORKS))
    try:
        return NETWORKS[kind](**sizes)
    except TypeError as error:
        raise ValueError(f"network {described!r}: {error}") from error


def description(network: Network) -> dict[str, Any]:
    """A network as a card describes it; `network_of` is the other way round."""
    kinds = {made: kind for kind, made in NETWORKS.items()}
    return {"kind": kinds[type(network)], **asdict(network)}

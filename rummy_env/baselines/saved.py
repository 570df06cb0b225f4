"""Saved policies as baselines: arrays and a card, no code and no pickle.

A model is two files: `NAME.npz`, the arrays of a network, and `NAME.json`, its card. NumPy reads
and evaluates it, and nothing in either file is ever run: a stranger's model can do no harm other
than play badly.
"""

import io
import zipfile
from collections.abc import Callable
from functools import lru_cache, partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rummy_env.baselines.advice import with_advice
from rummy_env.baselines.explanation import Explanation
from rummy_env.baselines.heuristics import HEURISTICS, check_can_play
from rummy_env.baselines.model_card import ModelCard
from rummy_env.baselines.networks import Arrays, Numbers
from rummy_env.core.bits import Bools, Rows
from rummy_env.core.checks import shown
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.views.features import Features, observer

SUFFIX = ".npz"
MODELS = Path(__file__).parent / "models"
"""The models that come with the package."""
MAX_NUMBERS = 1 << 25
_MARGIN = 1 << 16
"""Bytes by which a file may be larger than its numbers."""
_AT_ONCE = 1024
"""Rows that a network computes at a time, so that they stay in the processor's cache."""
_STORED = (np.float32, np.float16)
"""The types in which numbers are stored; computations use the first of them."""


class SavedPolicy:
    """Plays by a saved policy.

    Attributes:
        path: The file of the arrays.
        card: Its training, its network, and what that reads and chooses from.
        arrays: The arrays of the network, by name.
        deterministic: True to play the likeliest action, False to sample one.
    """

    def __init__(self, path: str | Path, *, deterministic: bool = True) -> None:
        """Read the model: a `.npz` file, and its card beside it.

        Raises:
            ValueError: If there is no model, no card beside it, or one of them is damaged.
        """
        self.path = Path(path)
        _check_path(self.path)
        self.card = ModelCard.load(self.path)
        self.arrays: Arrays = _read(self.path, self.card.shapes)
        self.deterministic = deterministic
        adviser = self.card.network.adviser
        self._adviser = HEURISTICS[adviser]() if adviser else None
        self._fitted: tuple[Rules | None, Rows] = (None, np.zeros(0, np.intp))
        """The rules asked about last, and their places; one tuple, for threads share models."""

    @classmethod
    def for_rules(
        cls, rules: Rules, *, deterministic: bool = True, valued: bool = False
    ) -> "SavedPolicy":
        """Return the package's model for these rules: of several, the one sharing the most options.

        If `valued`, models with a critic come before those without.

        Raises:
            ValueError: If there is none, naming the rules, those that have a model, and the remedy.
            TypeError: If the rules are a variant's name, or anything else.
        """
        if not isinstance(rules, Rules):
            raise TypeError(f"{shown(rules)}: give complete rules, as `rummy_env.rules` makes them")
        shipped = [cls(path, deterministic=deterministic) for path in sorted(MODELS.glob("*.npz"))]
        fitting = [model for model in shipped if model.fits(rules)]
        if not fitting:
            has = ", ".join(sorted({model.card.variant for model in shipped}))
            raise ValueError(
                f"no trained model comes with the package for {rules!r}, only for {has} with other "
                f"options; give the path of one that you have trained, or play against 'greedy'"
            )
        asked = rules.options

        def rank(model: SavedPolicy) -> tuple[bool, int]:
            shared = sum(model.card.options.get(name) == value for name, value in asked)
            return valued and model.card.critic is not None, shared

        return max(fitting, key=rank)

    def plays(self, rules: Rules) -> bool:
        """Return True if the observations and actions of the rules are those of the model.

        This includes matches of hands that it knows; see `ModelCard.places`.

        Raises:
            ValueError: If they are not, naming the first entry that differs.
        """
        self._places(rules)
        return True

    def _places(self, rules: Rules) -> Rows:
        """Return intp[F], the entries of the observation by these rules that the network reads."""
        known, places = self._fitted
        if rules is not known:
            try:
                places = self.card.places(rules)
                if self._adviser is not None:
                    named = f"its adviser {self.card.network.adviser!r}"
                    check_can_play(named, self._adviser, rules)
            except ValueError as error:
                raise ValueError(f"{self.path} cannot play {rules!r}: {error}") from None
            self._fitted = rules, places
        return places

    def fits(self, rules: Rules) -> bool:
        """Return True if `plays` is, False if it raises."""
        try:
            return self.plays(rules)
        except ValueError:
            return False

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `rummy_env.baselines.heuristics.Policy`.

        Raises:
            ValueError: If the model is for other rules.
        """
        if self.deterministic:
            return self._logits(view, mask, rng).argmax(axis=1)
        bounds = self.probabilities(view, mask, rng).cumsum(axis=1)
        drawn = rng.random() * bounds[:, -1]
        return (bounds <= drawn[:, None]).sum(axis=1)

    def observe(self, view: SeatView, mask: Bools, rng: GameRandom) -> Features:
        """Return what the network reads: int8[N, F], or with its adviser's actions int8[N, F + A].

        Raises:
            ValueError: If the model is for other rules.
        """
        seen = self._seen(view)
        if self._adviser is None:
            return seen
        return with_advice(seen, self._adviser.act(view, mask, rng), mask.shape[1])

    def _seen(self, view: SeatView) -> Features:
        places = self._places(view.rules)
        seen = observer(view.rules, self.card.reads)(view)
        return seen if seen.shape[1] == len(places) else seen.take(places, axis=1)

    def values(self, view: SeatView) -> Numbers:
        """Return the points by which the viewer will lead the others on average, float32[N].

        They are those of the rest of the hand, where the viewer is to act, as estimated by the
        critic with which the model was trained.

        Raises:
            ValueError: If the model is for other rules, or came without its critic.
        """
        seen = self._seen(view)
        try:
            return _in_parts(partial(self.card.values, self.arrays), seen)
        except ValueError as error:
            raise ValueError(f"{self.path}: {error}") from None

    def probabilities(
        self, view: SeatView, mask: Bools, rng: GameRandom
    ) -> npt.NDArray[np.float64]:
        """Return the probability of each action, float64[N, A]; 0 for illegal ones.

        Raises:
            ValueError: If the model is for other rules.
        """
        logits = self._logits(view, mask, rng).astype(np.float64)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return chances / chances.sum(axis=1, keepdims=True)

    def _logits(self, view: SeatView, mask: Bools, rng: GameRandom) -> Numbers:
        """Return float32[N, A], -inf for illegal actions."""
        seen = self.observe(view, mask, rng)
        with np.errstate(over="ignore", invalid="ignore"):
            found = _in_parts(partial(self.card.logits, self.arrays), seen, mask)
        if not np.isfinite(found).all():
            raise ValueError(
                f"{self.path}: its numbers are so large that they overflow; train anew"
            )
        found[~mask] = -np.inf
        return found

    def explain(self, view: SeatView, mask: Bools, rng: GameRandom) -> Explanation:
        """Return the probability of each action; see `rummy_env.baselines.explanation`.

        Raises:
            ValueError: If the model is for other rules.
        """
        return Explanation(probabilities=self.probabilities(view, mask, rng)[0])


class Trained:
    """Plays by the package's model for the rules; see `SavedPolicy.for_rules`."""

    def __init__(self, *, deterministic: bool = True) -> None:
        self.deterministic = deterministic

    def plays(self, rules: Rules) -> bool:
        """Return True if there is a model.

        Raises:
            ValueError: If there is none.
        """
        return _shipped(rules, self.deterministic).plays(rules)

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `rummy_env.baselines.heuristics.Policy`.

        Raises:
            ValueError: If there is no model for the rules.
        """
        return _shipped(view.rules, self.deterministic).act(view, mask, rng)

    def probabilities(
        self, view: SeatView, mask: Bools, rng: GameRandom
    ) -> npt.NDArray[np.float64]:
        """See `SavedPolicy.probabilities`."""
        return _shipped(view.rules, self.deterministic).probabilities(view, mask, rng)

    def values(self, view: SeatView) -> Numbers:
        """See `SavedPolicy.values`; for a hand, by the model of hands, in matches too."""
        return _shipped(view.rules, self.deterministic, valued=True).values(view)

    def explain(self, view: SeatView, mask: Bools, rng: GameRandom) -> Explanation:
        """See `SavedPolicy.explain`."""
        return _shipped(view.rules, self.deterministic).explain(view, mask, rng)


@lru_cache(maxsize=64)
def _shipped(rules: Rules, deterministic: bool, valued: bool = False) -> SavedPolicy:
    return SavedPolicy.for_rules(rules, deterministic=deterministic, valued=valued)


def _in_parts(compute: Callable[..., Numbers], *arrays: npt.NDArray[Any]) -> Numbers:
    """Return what a row-by-row computation makes of arrays of N rows, done some rows at a time."""
    starts = range(0, max(len(arrays[0]), 1), _AT_ONCE)
    return np.concatenate([compute(*(a[at : at + _AT_ONCE] for a in arrays)) for at in starts])


def _check_path(path: Path) -> None:
    if path.suffix == ".zip":
        raise ValueError(
            f"{path}: a zip of Stable-Baselines3 can run code when it is opened, so it is not; if "
            f"you trust it, make a model of it: see docs/adding_an_agent.md#a-trained-agent"
        )
    if path.suffix != SUFFIX or not path.is_file():
        raise ValueError(f"{path}: there is no such model; give the path of a {SUFFIX}")


def _read(path: Path, shapes: dict[str, tuple[int, ...]]) -> dict[str, Numbers]:
    """Return the arrays of a model, refused if they are not those of its card, or are larger."""
    try:
        size = sum(map(prod, shapes.values()))
        if size > MAX_NUMBERS:
            raise ValueError(f"a network of {size:,} numbers; at most {MAX_NUMBERS:,} are read")
        if path.stat().st_size > 4 * size + _MARGIN:
            raise ValueError(f"it is larger than the {size:,} numbers of its card")
        with zipfile.ZipFile(path) as archive:
            return {name: _array(archive, name, shape) for name, shape in shapes.items()}
    except Exception as error:  # a damaged archive can make zipfile raise almost anything
        raise ValueError(
            f"{path}: is no model of the card beside it: {error}; copy both files again, or write "
            f"them anew by agents.saved.export"
        ) from error


def _array(archive: zipfile.ZipFile, name: str, shape: tuple[int, ...]) -> Numbers:
    """One array, checked against its shape before any of its numbers are read."""
    member = f"{name}.npy"
    if member not in archive.namelist():
        raise ValueError(f"the array {name!r} is missing")
    info = archive.getinfo(member)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"the array {name!r} is compressed in a way that is not read")
    if info.file_size > 4 * prod(shape) + _MARGIN:
        raise ValueError(f"the array {name!r} is larger than {shape} float32")
    with archive.open(info) as file:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError(f"the array {name!r} is of another version of the format npy")
        found, _, dtype = np.lib.format.read_array_header_1_0(file)
        if found != shape or dtype not in _STORED:
            raise ValueError(f"the array {name!r} is {dtype}{found}, not float32{shape}")
        file.seek(0)
        numbers: Numbers = np.lib.format.read_array(file, allow_pickle=False)
    if not np.isfinite(numbers).all():
        raise ValueError(f"the array {name!r} has entries that are not finite")
    return np.ascontiguousarray(numbers, np.float32)


def write_model(path: Path, card: ModelCard, arrays: Arrays, *, half: bool = False) -> None:
    """Write a `.npz` and its card beside it; at every moment the model is old, new, or absent.

    Args:
        path: The `.npz`.
        card: The card.
        arrays: The arrays of its network, float32.
        half: True to round them to half precision: a file of half the size, which chooses
            differently where two actions are as good as equal.

    Raises:
        ValueError: If the arrays are not those of the card or are too large to be rounded, or if
            the path is not that of a `.npz`.
    """
    if path.suffix != SUFFIX:
        raise ValueError(f"{path}: give a path that ends in {SUFFIX}")
    found = {name: numbers.shape for name, numbers in arrays.items()}
    if found != card.shapes:
        raise ValueError(f"{path}: arrays {found}, but the card has {card.shapes}")
    stored, text, beside = io.BytesIO(), card.text().encode(), card.path(path)
    np.savez(stored, **dict[str, Any](_halves(path, arrays) if half else arrays))
    if beside.is_file() and beside.read_bytes() != text:
        beside.unlink()  # between the two replacements, it would belong to other arrays
    replace(path, stored.getvalue())
    replace(beside, text)


def _halves(path: Path, arrays: Arrays) -> dict[str, npt.NDArray[np.float16]]:
    """Return the arrays, rounded to half precision."""
    for name, numbers in arrays.items():
        most = np.abs(numbers).max()
        if most > np.finfo(np.float16).max:
            raise ValueError(
                f"{path}: {name!r} has numbers up to {most:.3g}, and half precision ends at "
                f"{np.finfo(np.float16).max:.0f}; write it without `half`"
            )
    return {name: numbers.astype(np.float16) for name, numbers in arrays.items()}


def replace(path: Path, content: bytes) -> None:
    """Replace a file so that it is, at every moment, the whole old one or the whole new one."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_bytes(content)
    fresh.replace(path)

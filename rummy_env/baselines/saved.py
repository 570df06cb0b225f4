"""Saved policies as baselines: arrays and a card, no code and no pickle.

NumPy reads a model (`model_file`) and evaluates it: a stranger's can do no harm other than play
badly.
"""

import hashlib
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from rummy_env.baselines.advice import with_advice
from rummy_env.baselines.explanation import Explanation
from rummy_env.baselines.heuristics import HEURISTICS
from rummy_env.baselines.model_card import ModelCard
from rummy_env.baselines.model_file import check_path, read_arrays
from rummy_env.baselines.networks import Arrays
from rummy_env.core.actions import as_mask
from rummy_env.core.arrays import Array, Bools, Float32s, Float64s, Rows
from rummy_env.core.checks import check_flag
from rummy_env.core.rules import Rules, check_rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.parts.rewards import counted
from rummy_env.variants import in_short
from rummy_env.views.features import Features, observer

MODELS = Path(__file__).parent / "models"
"""The models that come with the package."""
_TOLD_OF_DIGEST = 16
_AT_ONCE = 1024
"""Rows that a network computes at a time, so that they stay in the processor's cache."""


class SavedPolicy:
    """Plays by a saved policy.

    Attributes:
        path: The file of the arrays.
        card: Its training, its network, and what that reads and chooses from.
        arrays: The arrays of the network, by name.
        digest: The SHA-256 of the file of the arrays.
        deterministic: True to play the likeliest action, False to sample one.
    """

    def __init__(self, path: str | Path, *, deterministic: bool = True) -> None:
        """Read the model: a `.npz` file, and its card beside it.

        Raises:
            ValueError: If there is no model, no card beside it, or one of them is damaged; or if
                `deterministic` is neither True nor False.
        """
        check_flag("deterministic", deterministic)
        self.path = Path(path)
        check_path(self.path)
        self.card = ModelCard.load(self.path)
        self.arrays: Arrays = read_arrays(self.path, self.card.shapes)
        self.digest = hashlib.sha256(self.path.read_bytes()).hexdigest()
        self.deterministic = deterministic
        adviser = self.card.network.adviser
        self._adviser = HEURISTICS[adviser]() if adviser else None
        self._fitted: tuple[Rules | None, Rows] = (None, np.zeros(0, np.intp))
        """The rules asked about last, and their places; one tuple, for threads share models."""

    def __repr__(self) -> str:
        return f"SavedPolicy({str(self.path)!r})"

    @classmethod
    def for_rules(
        cls, rules: Rules, *, deterministic: bool = True, valued: bool = False
    ) -> "SavedPolicy":
        """Return the package's model for these rules.

        Of several it is one that was trained for what counts by these rules, in such episodes, and
        with most of their options. If `valued`, models that can give `values` come before those
        that cannot.

        Raises:
            ValueError: If there is none, naming the rules, those that have a model, and the remedy.
            TypeError: If the rules are a variant's name, or anything else.
        """
        check_rules(rules)
        cards = {path: ModelCard.load(path) for path in sorted(MODELS.glob("*.npz"))}
        fitting = [path for path, card in cards.items() if card.fits(rules)]
        if not fitting:
            raise ValueError(
                f"no trained model comes with the package for these rules, only for "
                f"{_played_by(cards.values())}, mostly with the usual options; give the path of "
                f"one that you have trained, or a heuristic, such as 'greedy', or 'random' (asked "
                f"for was {in_short(rules)})"
            )
        asked = dict(rules.options)

        def rank(path: Path) -> tuple[bool, bool, bool, int]:
            card, learned = cards[path], cards[path].rules
            return (
                valued and card.has_values(rules),
                counted(learned) == counted(rules),
                learned.episode == rules.episode,
                sum(card.options.get(name) == value for name, value in asked.items()),
            )

        return cls(max(fitting, key=rank), deterministic=deterministic)

    def describe(self, rules: Rules) -> str:
        """Return its file, and how it was trained if that was not on these rules."""
        own = self.path.parent == MODELS
        file = f"{self.path.name} of the package" if own else str(self.path)
        sampling = "" if self.deterministic else ", actions drawn by their probabilities"
        otherwise = self.card.otherwise(rules, frozenset()).removesuffix("; ")
        trained = f"; {otherwise}" if otherwise else ""
        return f"{file}, SHA-256 {self.digest[:_TOLD_OF_DIGEST]}{sampling}{trained}"

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
            check_rules(rules)
            try:
                places = self.card.places(rules)
            except ValueError as error:
                raise ValueError(
                    f"{self.path} cannot play {rules.name!r}: {self.card.otherwise(rules)}{error} "
                    f"(asked for was {in_short(rules)})"
                ) from None
            self._fitted = rules, places
        return places

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `rummy_env.baselines.heuristics.Policy`.

        Raises:
            ValueError: If the model is for other rules.
        """
        if self.deterministic:
            return self._logits(self.observe(view, mask, rng), mask).argmax(axis=1)
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
        mask = as_mask(mask, len(view))
        return with_advice(seen, self._adviser.act(view, mask, rng), mask.shape[1])

    def _seen(self, view: SeatView) -> Features:
        places = self._places(view.rules)
        seen = observer(view.rules, self.card.reads)(view)
        return seen if seen.shape[1] == len(places) else seen.take(places, axis=1)

    def values(self, view: SeatView) -> Float32s:
        """Return by how much the viewer will lead the others on average, float32[N].

        It is the lead of the rest of the hand, where the viewer is to act, as estimated by the
        critic with which the model was trained: in points, or in hands won where the rules pay for
        winning alone.

        Raises:
            ValueError: If the model is for other rules, or has no critic of what counts there.
        """
        seen = self._seen(view)
        try:
            return _in_parts(partial(self.card.values, self.arrays, view.rules), seen)
        except ValueError as error:
            raise ValueError(f"{self.path}: {error}") from None

    def probabilities(self, view: SeatView, mask: Bools, rng: GameRandom) -> Float64s:
        """Return the probability of each action, float64[N, A]; 0 for illegal ones.

        Raises:
            ValueError: If the model is for other rules.
        """
        return self.probabilities_by(self.observe(view, mask, rng), mask)

    def probabilities_by(self, seen: Features, mask: Bools) -> Float64s:
        """As `probabilities`, by what `observe` has returned."""
        logits = self._logits(seen, mask).astype(np.float64)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return chances / chances.sum(axis=1, keepdims=True)

    def _logits(self, seen: Features, mask: Bools) -> Float32s:
        """Return float32[N, A], -inf for illegal actions."""
        mask = as_mask(mask, len(seen))
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
        """Make it; a ValueError if `deterministic` is neither True nor False."""
        check_flag("deterministic", deterministic)
        self.deterministic = deterministic

    def describe(self, rules: Rules) -> str:
        """Return which model it plays by; a ValueError if there is none."""
        return _shipped(rules, self.deterministic).describe(rules)

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

    def probabilities(self, view: SeatView, mask: Bools, rng: GameRandom) -> Float64s:
        """See `SavedPolicy.probabilities`."""
        return _shipped(view.rules, self.deterministic).probabilities(view, mask, rng)

    def values(self, view: SeatView) -> Float32s:
        """See `SavedPolicy.values`; for a hand, by the model of hands, in matches too."""
        return _shipped(view.rules, self.deterministic, valued=True).values(view)

    def explain(self, view: SeatView, mask: Bools, rng: GameRandom) -> Explanation:
        """See `SavedPolicy.explain`."""
        return _shipped(view.rules, self.deterministic).explain(view, mask, rng)


@lru_cache(maxsize=64)
def _shipped(rules: Rules, deterministic: bool, valued: bool = False) -> SavedPolicy:
    return SavedPolicy.for_rules(rules, deterministic=deterministic, valued=valued)


def _played_by(cards: Iterable[ModelCard]) -> str:
    """Return which variants some models play, with how many players."""
    seats: dict[str, set[str]] = {}
    for card in cards:
        seats.setdefault(card.variant, set()).add(str(card.options.get("num_players")))
    told = (f"{name} ({' or '.join(sorted(some))} players)" for name, some in seats.items())
    return ", ".join(sorted(told))


def _in_parts(compute: Callable[..., Float32s], *arrays: Array) -> Float32s:
    """Return what a row-by-row computation makes of arrays of N rows, done some rows at a time."""
    starts = range(0, max(len(arrays[0]), 1), _AT_ONCE)
    return np.concatenate([compute(*(a[at : at + _AT_ONCE] for a in arrays)) for at in starts])

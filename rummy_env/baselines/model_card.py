"""The card of a model: its training, its network, and what that network reads and chooses from.

A model plays all rules with the same observations and actions, entry by entry, and matches of
single hands that it knows. Other differences from its training, such as further options or another
version, do not matter.
"""

import json
from collections.abc import Mapping, Set
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rummy_env.baselines.heuristics import HEURISTICS, check_can_play
from rummy_env.baselines.layout import Layout, action_layout, observation_layout
from rummy_env.baselines.networks import Arrays, Network, network_of_dict, wiring
from rummy_env.baselines.value_net import ValueNet
from rummy_env.core.arrays import Bools, Float32s, Rows
from rummy_env.core.checks import check_choice
from rummy_env.core.rules import Rules, as_option
from rummy_env.importing import is_import_string
from rummy_env.parts.match import SingleHand
from rummy_env.parts.rewards import counted
from rummy_env.variants import in_short, rules_with
from rummy_env.views.features import OBSERVATIONS, Features

FORMAT = 2
CRITIC = "critic."
"""The prefix of the names of the critic's arrays."""
UNSEEN = frozenset({"reward", "rewards", "max_turns"})
"""The options and fields of rules that make no difference to what a seat sees and does."""
MAX_BYTES = 1 << 20
MAX_TOLD = 500


@dataclass(frozen=True)
class ModelCard:
    """The description that belongs to the arrays of a model: what it was trained on and how.

    Attributes:
        reads: The name of its observation.
        observation: The entries of that observation.
        actions: The actions that it chooses from.
        notes: Remarks for people.
        critic: The value network that comes with it, if any.
    """

    variant: str
    options: Mapping[str, Any]
    network: Network
    reads: str
    observation: Layout
    actions: Layout
    notes: str = ""
    critic: ValueNet | None = None

    @classmethod
    def of(
        cls,
        rules: Rules,
        network: Network,
        reads: str,
        notes: str = "",
        critic: ValueNet | None = None,
    ) -> "ModelCard":
        """Return the card of a network that was trained on an observation of these rules."""
        layouts = observation_layout(rules, reads), action_layout(rules)
        return cls(rules.name, dict(rules.options), network, reads, *layouts, notes, critic)

    @property
    def rules(self) -> Rules:
        """The rules that it was trained on; an import string in its card runs code."""
        return rules_with(self.variant, self.options)

    def otherwise(self, rules: Rules, besides: Set[str] = UNSEEN) -> str:
        """Return in which options and parts, besides some, it was trained otherwise.

        The text begins a message, and is empty where there are none.
        """
        if self.variant != rules.name:
            return f"it was trained on {self.variant}; "
        asked = dict(rules.options)
        told_of = asked.keys() - besides
        own = {k: v for k, v in self.options.items() if k in told_of and asked[k] != v}
        told = [f"{name}={value!r}" for name, value in own.items()]
        told += [f"another {each}" for each in rules.changed if each not in {*besides, *own}]
        return f"it was trained with {', '.join(told)}; " if told else ""

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every array of the model, by its name."""
        wired = wiring(self.observation, self.actions)
        critic = self.critic.shapes(wired) if self.critic is not None else {}
        return self.network.shapes(wired) | {CRITIC + name: critic[name] for name in critic}

    def logits(self, arrays: Arrays, observations: Features, masks: Bools) -> Float32s:
        """Return float32[N, A], the logits of legal actions, from int8[N, F] and bool[N, A]."""
        wired = wiring(self.observation, self.actions)
        return self.network.logits(arrays, wired, observations, masks)

    def has_values(self, rules: Rules) -> bool:
        """Return True if it has a critic of what counts by the rules: of the same points."""
        if self.critic is None or self.critic.counts != counted(rules):
            return False
        return self.critic.counts == "hands" or self._scores_alike(rules)

    def _scores_alike(self, rules: Rules) -> bool:
        """Return False if it is known to have learned from points of another scoring."""
        if is_import_string(self.variant) and self.variant != rules.name:
            return True  # the card may be a stranger's, whose code is not run
        return type(self.rules.scoring) is type(rules.scoring)

    def _critic_for(self, rules: Rules) -> ValueNet:
        """Return the critic; a ValueError if there is none, or what counts for it does not here."""
        if self.critic is None:
            raise ValueError(
                "it came without a critic, so it cannot say what a position is worth; models of "
                "training.fit bring theirs once they have learned, where it learns by how much a "
                "seat leads in single hands: with --objective lead, or for two players with "
                "reward='zero_sum', and not with --privileged or a --gamma below 1"
            )
        if not self.has_values(rules):
            raise ValueError(
                f"its critic values {self.critic.counts} of {self.variant}, and what counts in "
                f"{in_short(rules)} are {counted(rules)}; train one with these rules"
            )
        return self.critic

    def values(self, arrays: Arrays, rules: Rules, observations: Features) -> Float32s:
        """float32[N], the critic's values, from int8[N, F]; a ValueError unless `has_values`."""
        critic = self._critic_for(rules)
        wired = wiring(self.observation, self.actions)
        own = {name[len(CRITIC) :]: arrays[name] for name in arrays if name.startswith(CRITIC)}
        return critic.values(own, wired, observations)

    def places(self, rules: Rules) -> Rows:
        """Return intp[F], the positions of the model's entries in the observation of the rules.

        They are all of its entries, in the same order, except that in a match a model of single
        hands reads no scores, and plays every hand as if it were the only one.

        Raises:
            ValueError: If the rules have other observations or actions, naming the first part of
                the layout that differs; or if the model's adviser cannot play them.
        """
        whole = observation_layout(rules, self.reads)
        hand = observation_layout(replace(rules, episode=SingleHand()), self.reads)
        self.observation.check_same(hand if self.observation.parts == hand.parts else whole)
        self.actions.check_same(action_layout(rules))
        places = whole.places_of(self.observation)
        if adviser := self.network.adviser:
            check_can_play(f"its adviser {adviser!r}", HEURISTICS[adviser](), rules)
        return places

    def fits(self, rules: Rules) -> bool:
        """Return True if the model plays by the rules; see `places`."""
        try:
            self.places(rules)
        except ValueError:
            return False
        return True

    def text(self) -> str:
        """Return the card as JSON."""
        layouts = (self.observation, self.actions)
        told = {
            "format": FORMAT,
            "variant": self.variant,
            "options": self.options,
            "network": {"kind": self.network.kind, **asdict(self.network)},
            "critic": None if self.critic is None else asdict(self.critic),
            "reads": self.reads,
            "notes": self.notes,
            **{each.what: {"digest": each.digest, "parts": each.parts} for each in layouts},
        }
        return json.dumps(told, indent=1, default=str) + "\n"

    @staticmethod
    def path(model: Path) -> Path:
        """Return the path of a model's card."""
        return model.with_suffix(".json")

    @classmethod
    def load(cls, model: Path) -> "ModelCard":
        """Read the card beside a model; a ValueError if there is none or it is not a card."""
        path = cls.path(model)
        if not path.is_file():
            raise ValueError(
                f"{path} is missing, the card that was written with the model: copy both files, or "
                f"save the model again"
            )
        try:
            return cls._read(path)
        except (OSError, ValueError, RecursionError) as error:
            raise ValueError(
                f"{path}: {str(error)[:MAX_TOLD]}; a model needs the card that was written with "
                f"it: copy both files, or save the model again"
            ) from error

    @classmethod
    def _read(cls, path: Path) -> "ModelCard":
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"is no card: it is larger than {MAX_BYTES:,} bytes")
        read = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(read, dict):
            raise ValueError("is no card: a card is a JSON object")
        if read.get("format") != FORMAT:
            raise ValueError(f"format={read.get('format')!r}: this version reads format {FORMAT}")
        kinds = {"variant": str, "options": dict, "network": dict, "reads": str, "notes": str}
        for key, kind in kinds.items():
            if not isinstance(read.get(key), kind):
                raise ValueError(f"it needs {key!r}, a {kind.__name__}, not {read.get(key)!r}")
        check_choice("reads", read["reads"], OBSERVATIONS)
        card = cls(
            read["variant"],
            {name: as_option(value) for name, value in read["options"].items()},
            network_of_dict(read["network"]),
            read["reads"],
            Layout.of_dict("observation", read.get("observation")),
            Layout.of_dict("actions", read.get("actions")),
            read["notes"],
            _critic_of(read.get("critic")),
        )
        wiring(card.observation, card.actions)  # refuses invalid layouts
        return card


def _critic_of(read: Any) -> ValueNet | None:
    """Return the critic that a card describes, if any; a ValueError if it does not describe one."""
    if read is None:
        return None
    try:
        return ValueNet(**read)
    except TypeError as error:
        raise ValueError(f"critic {read!r}: {error}") from error

"""Tables of kept results: `docs/results/**/compare.json`, as `training.compare` wrote them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rummy_env
from rummy_env.baselines.model_card import ModelCard
from rummy_env.baselines.saved import MODELS
from rummy_env.evaluation.comparison import measure_of
from rummy_env.evaluation.markdown import pipe_table, stacked
from rummy_env.evaluation.statistics import Estimate
from rummy_env.evaluation.words import percent, points

RESULTS = Path(__file__).parents[1] / "results"

NOT_SHIPPED = frozenset({"basic/scratch", "gin/expert"})
"""Runs that are kept for what they show; the models of all others come with the package."""

RIVALS = {
    "greedy": {"greedy"},
    "strong": {"strong"},
    "patient or farsighted": {"patient", "farsighted"},
    "its start": {"clone"},
}
"""Whom trained agents are held against, by heading; of several agents one plays the variant."""

PLAYS_FOR = {"points": "points", "hands": "hands won", "matches": "matches won"}
"""What counts for a model, by what its rules rank by."""

CALLED = {"points": "the model before", "hands": "the model for hands"}
"""Agents by the names that commands gave them, and what they are called in tables."""

Figures = Mapping[str, Any]


@dataclass(frozen=True)
class Comparison:
    """A kept comparison.

    Attributes:
        folder: Where it lies, from `docs/results`.
        facts: What compare.json says.
        run: What report.json says of the training run that it belongs to; empty without one.
    """

    folder: str
    facts: Figures
    run: Figures

    @property
    def page(self) -> str:
        """Its page, from `docs/results`: that of the run, where there is one."""
        return f"{self.folder}/{'report' if self.run else 'compare'}.md"

    @property
    def by_experts(self) -> bool:
        """True if the trained agent learned from labels, from a model that is called the clone."""
        return "rounds" in self.run

    @property
    def kind(self) -> str:
        """What is special about its training run, in words behind the name of the variant."""
        if self.by_experts:
            return " by expert iteration"
        if self.run.get("costly_moves"):
            return " with costly moves"
        if self.from_scratch:
            return " from scratch"
        if "--hindsight" in self._command:
            return " by hindsight"
        return " for wins" if self.paid_in_wins else " in matches" * self.matches

    @property
    def paid_in_wins(self) -> bool:
        """True if winning alone is paid, where the variant usually pays points."""
        usual = dict(rummy_env.rules(self.facts["variant"]).options)["reward"]
        return not self.matches and self.facts["options"]["reward"] == "win" != usual

    @property
    def from_scratch(self) -> bool:
        """True if the trained agent began as a random network, which is called the clone."""
        return bool(self.run.get("from_scratch"))

    @property
    def _command(self) -> list[str]:
        return self.run.get("command", "").split()

    @property
    def start(self) -> str:
        """The model that the run began with, which is its clone; empty if it made one."""
        words = self._command
        return words[words.index("--start") + 1] if "--start" in words else ""

    @property
    def start_again(self) -> set[str]:
        """The rivals that are the model which the run began with, under another name."""
        named = [word.partition("=") for word in self._command if "=" in word]
        return {name for name, _, model in named if model == self.start}

    @property
    def matches(self) -> bool:
        """True if an episode is a match of hands."""
        return bool(self.facts["options"]["match"] == "match")

    def duel(self, first: str, second: str) -> tuple[str, Figures]:
        """Return what the duel of two agents says of the first: its lead, and its side."""
        for duel in self.facts["duels"]:
            lead, agents = Estimate(**duel["lead"]), [side["agent"] for side in duel["sides"]]
            if agents == [first, second]:
                return points(lead), duel["sides"][0]
            if agents == [second, first]:
                return points(lead.opposite()), duel["sides"][1]
        raise ValueError(f"{self.folder}: no duel of {first} and {second} in compare.json")

    def first_leads(self, duel: Figures) -> bool:
        """Return whether the first agent of a duel leads, by what ranks."""
        measure = measure_of(rummy_env.rules(self.facts["variant"], **self.facts["options"]))
        if measure == "points":
            return bool(duel["lead"]["value"] >= 0)
        key = {"hands": "hand_wins", "matches": "match_wins"}[measure]
        return bool(duel["sides"][0][key]["value"] >= 0.5)


def comparison(folder: str) -> Comparison:
    """Return the comparison that lies in a folder of `docs/results`."""
    facts = json.loads((RESULTS / folder / "compare.json").read_text(encoding="utf-8"))
    report = RESULTS / folder / "report.json"
    run = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    return Comparison(folder, facts, run)


def comparisons(variant: str) -> Iterator[Comparison]:
    """All kept comparisons of a variant; those of models that do not come with it are last."""
    files = RESULTS.rglob("compare.json")
    found = [comparison(path.parent.relative_to(RESULTS).as_posix()) for path in files]

    def place(kept: Comparison) -> tuple[bool, bool, int, str]:
        players = kept.facts["options"]["num_players"]
        return kept.folder in NOT_SHIPPED, kept.paid_in_wins, players, kept.folder

    yield from sorted((each for each in found if each.facts["variant"] == variant), key=place)


def _percent(figures: Figures) -> str:
    return percent(Estimate(**figures))


def duels_table(kept: Comparison) -> str:
    """Every pair of agents that was compared, whoever leads first."""
    columns = ["agent", "against", "lead, points per hand", "hands won"]
    called = CALLED | ({"clone": "its start"} if kept.start else {})
    rows = []
    for duel in kept.facts["duels"]:
        names = [side["agent"] for side in duel["sides"]]
        if kept.start_again.intersection(names):
            continue
        first, second = names if kept.first_leads(duel) else reversed(names)
        lead, side = kept.duel(first, second)
        players = (called.get(name, name) for name in (first, second))
        cells = [*players, lead, _percent(side["hand_wins"])]
        rows.append([*cells, _percent(side["match_wins"])] if kept.matches else cells)
    columns += ["matches won"] * kept.matches
    return pipe_table(columns, rows, figures=2 + kept.matches)


def baselines(variant: str) -> str:
    """All that was measured of a variant, for its page."""
    found = [_told(kept) for kept in comparisons(variant)]
    return "\n\n".join(found) if found else "No results are kept of this variant yet."


def _told(kept: Comparison) -> str:
    """Return a comparison with what was played, and how to play it again."""
    usual = dict(rummy_env.rules(kept.facts["variant"]).options)
    given = kept.facts["options"]
    changed = [f"{name}={given[name]!r}" for name in usual if given[name] != usual[name]]
    rules = ", ".join(f"`{option}`" for option in changed) or "the default options"
    how = ""
    if kept.from_scratch:
        how = "Trained from scratch, the clone being a random network. "
    elif kept.by_experts:
        how = "Trained by expert iteration. "
    if kept.folder in NOT_SHIPPED:
        how += "This model does not come with the package. "
    told = (
        f"{how}With {rules}, {kept.facts['deals']:,} deals a pair, each in all seatings; "
        f"[all figures](../results/{kept.page}), [JSON](../results/{kept.folder}/compare.json):"
    )
    return f"{told}\n\n{duels_table(kept)}\n\n```\n{kept.facts['command']}\n```"


def trained_table(results: str, *, usual: bool = False) -> str:
    """Return the table of trained agents against others: points per hand, or matches won.

    Args:
        results: The folder of results, as seen from the page that has the table.
        usual: True for the models of two players under the default options alone.
    """
    rows = []
    for variant in rummy_env.VARIANTS:
        for kept in comparisons(variant):
            if kept.folder == f"{variant}/trained" or (kept.run and not usual):
                mark = " †" * (kept.folder in NOT_SHIPPED)
                link = f"[`{variant}`{kept.kind}]({results}/{kept.page}){mark}"
                rows.append(_trained_row(kept, link))
    over = [f"over {rival}" for rival in RIVALS]
    return pipe_table(("variant", "players", "decisions", "minutes", *over), rows, figures=7)


def _trained_row(kept: Comparison, link: str) -> tuple[object, ...]:
    run, met = kept.run, {*kept.facts["agents"]}
    found = [_ahead(kept, *met & names) if met & names else "-" for names in RIVALS.values()]
    if kept.by_experts:
        rounds = list(_rounds(kept.folder))
        labels, minutes = (sum(each[name] for each in rounds) for name in ("positions", "minutes"))
        made = f"{labels / 1e6:.2f} million labels"
    else:
        made, minutes = f"{run['steps'] / 1e6:.1f} million", run["minutes"]
    beside = kept.facts["options"]["num_players"], made, f"{minutes:.0f}"
    return link, *beside, *map(stacked, found)


def _rounds(folder: str) -> Iterator[Figures]:
    """Yield the rounds of expert iteration, and of runs that went on with it, which lie below."""
    for path in (RESULTS / folder).rglob("report.json"):
        yield from json.loads(path.read_text(encoding="utf-8"))["rounds"]


def _ahead(kept: Comparison, other: str) -> str:
    """Return the figure that ranks the trained agent against another."""
    lead, side = kept.duel("trained", other)
    if kept.matches:
        return _percent(side["match_wins"])
    return _percent(side["hand_wins"]) if kept.facts["options"]["reward"] == "win" else lead


def ladder_table() -> str:
    """Return the agents of gin against each other, over hands and over matches."""
    hands, matches = comparison("gin/ladder"), comparison("gin/matches")
    agents, rows = hands.facts["agents"], []
    for number, weaker in enumerate(agents):
        for stronger in agents[number + 1 :]:
            lead, side = hands.duel(stronger, weaker)
            won = matches.duel(stronger, weaker)[1]["match_wins"]
            pair = f"`{stronger}` against `{weaker}`"
            rows.append((pair, lead, _percent(side["hand_wins"]), _percent(won)))
    won = "hands won by the first", "matches won by the first"
    return pipe_table(("pair", "lead, points per hand", *won), rows, figures=3)


def models_table(results: str) -> str:
    """Return the models that come with the package, in the order of the catalogue.

    Args:
        results: The folder of results, as seen from the page that has the table.
    """
    order, found = list(rummy_env.VARIANTS), []
    for path in MODELS.glob("*.npz"):
        card, page = ModelCard.load(path), f"{results}/{path.stem}/trained/report.md"
        rules, adviser = card.rules, card.network.adviser
        counts = PLAYS_FOR[measure_of(rules)]
        place = order.index(card.variant), counts != PLAYS_FOR["points"], rules.num_players, counts
        told = counts, f"`{adviser}`" if adviser else "-", "yes" if card.critic else "-"
        name = f"[`{path.stem}`]({page})", f"`{card.variant}`", rules.num_players
        found.append((place, (*name, *told)))
    columns = "model", "variant", "players", "plays for", "adviser", "critic"
    return pipe_table(columns, [row for _, row in sorted(found)])

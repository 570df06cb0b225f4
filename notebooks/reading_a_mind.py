# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Reading an agent's mind
#
# A trained agent plays gin, and we look at how likely each of its actions was: along one game, and over many.

# %% [markdown]
# [Open in Colab](https://colab.research.google.com/github/rummy-env/rummy-env/blob/HEAD/notebooks/reading_a_mind.ipynb)

# %%
import subprocess
import sys

if "google.colab" in sys.modules:  # there, the suite must be fetched first
    subprocess.run(
        ["git", "clone", "--depth", "1", "https://github.com/rummy-env/rummy-env"], check=True
    )
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "./rummy-env[train,pictures]"], check=True
    )
    sys.path.append("rummy-env")

# %%
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np

import rummy_env
from rummy_env.baselines import Greedy
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.core.actions import action_space
from rummy_env.core.naming import action_name, card_name
from rummy_env.evaluation import compare
from rummy_env.melds import deadwood
from rummy_env.records import read
from rummy_env.replay import Replay
from rummy_env.views.picture import picture

plt.rcParams["figure.dpi"] = 90
rules = rummy_env.rules("gin")
actions = action_space(rules).actions
kinds = np.array([action.kind for action in actions])
trained = SavedPolicy.for_rules(rules)
greedy = Greedy()

# %% [markdown]
# ## Some games
#
# The agent was trained with `python -m training.fit`; here it plays its likeliest action. Greedy knocks as soon as it can. A comparison
# of the two records its games, and a record is enough to look at any moment of a game again.

# %%
with TemporaryDirectory() as folder:
    compare(
        rules,
        {"trained": trained, "greedy": greedy},
        deals=200,
        seed=4,
        record=Path(folder) / "games.jsonl",
    )
    records = read(Path(folder) / "games.jsonl")
print(
    len(records),
    "games; the first:",
    records[0].agents,
    records[0].outcome.end,
    "scores",
    records[0].outcome.scores,
)
assert len(records) == 400

# %% [markdown]
# A moment of a game, and what the agent makes of it:


# %%
class Moment:
    """A decision of the agent in a recorded game."""

    def __init__(self, replay, step, seat):
        self.replay, self.step, self.seat = replay, step, seat
        engine = replay.at(step)
        view, mask = engine.look(seat), engine.legal_mask()
        self.view, self.mask = view, mask[0]
        rng = engine.random()
        self.chances = trained.probabilities(view, mask, rng)[0]
        self.greedy = int(greedy.act(view, mask, rng)[0])
        self.done = replay.record.actions[step]

    def chance_of(self, *wanted):
        """How likely an action of these kinds is."""
        return self.chances[np.isin(kinds, wanted)].sum()


def moments(record):
    """All decisions of the agent in a game."""
    replay, seat = Replay(record), record.agents.index("trained")
    movers = (int(replay.at(step).to_move[0]) for step in range(replay.steps))
    return [Moment(replay, step, seat) for step, mover in enumerate(movers) if mover == seat]


def doubt(moment):
    """The entropy of its choice, in bits: 0 where it is sure, 1 between two equal actions."""
    likely = moment.chances[moment.chances > 0]
    return -(likely * np.log2(likely)).sum()


def knocked(story):
    """Whether the agent ended the game by knocking, and won it."""
    winners = story[0].replay.record.outcome.winners
    return kinds[story[-1].done] == "knock" and story[0].seat in winners


# Where greedy ends a hand at once, the agent has nothing to decide.
stories = [story for story in map(moments, records) if story]
every = [moment for story in stories for moment in story]
sure = np.mean([moment.chances.max() > 0.99 for moment in every])
print(f"{len(every)} decisions; in {sure:.0%} of them it is 99 % sure")
# What it did is indeed its likeliest action.
assert all(moment.done == moment.chances.argmax() for moment in every)
assert all(abs(moment.chances.sum() - 1) < 1e-9 for moment in every)

# %% [markdown]
# ## One game
#
# Of the games that it won by knocking, the one in which it went its own ways most often. Every column is a turn, every row a card: the darker
# a cell, the likelier the agent is to discard that card, or to knock with it. A ring marks what it did, a cross what greedy
# would have done in its place. Where a cell is grey, it does not hold the card.

# %%
pack = rules.pack
card_codes = np.array([pack.code(action.cards[0]) if action.cards else -1 for action in actions])


def leaving(moment):
    """How likely each card is to leave the hand, float[52]; NaN where it is not in the hand."""
    chances = np.full(52, np.nan)
    chances[[pack.code(card) for card in pack.texts(moment.view.hand[0])]] = 0
    able = moment.mask & (card_codes >= 0)
    np.add.at(chances, card_codes[able], moment.chances[able])
    return chances


def own_ways(story):
    """The number of discards in which it did not do as greedy would have done."""
    return sum(m.done != m.greedy for m in story if kinds[m.done] == "discard")


story = max(filter(knocked, stories), key=own_ways)
plays = [moment for moment in story if card_codes[moment.done] >= 0]
chances = np.array([leaving(moment) for moment in plays]).T
held = np.flatnonzero((~np.isnan(chances)).any(axis=1)).tolist()

figure, axes = plt.subplots(figsize=(8, 6), layout="constrained")
axes.set_facecolor("0.9")
image = axes.imshow(chances[held], cmap="YlOrRd", vmin=0, vmax=1, aspect="auto")
for turn, moment in enumerate(plays):
    did, rival = (held.index(card_codes[action]) for action in (moment.done, moment.greedy))
    axes.plot(turn, did, "o", ms=11, mfc="none", mec="tab:blue", mew=1.8)
    axes.plot(turn, rival, "x", ms=6, color="black")
axes.set_yticks(range(len(held)), [card_name(pack.text(code)) for code in held])
axes.set_xticks(range(len(plays)), [kinds[moment.done] for moment in plays], rotation=45)
axes.set_xlabel("its turns, and what it did")
figure.colorbar(image, label="how likely the card is to leave the hand")
plt.show()
assert np.allclose(np.nansum(chances, axis=0), 1)

# %% [markdown]
# ## Three moments
#
# Of all its discards the one of which it was least sure; of the game above, the turn in which it made least of what greedy would have
# done, and the last. The bars are its likeliest actions; what greedy does there is black, its name in bold.


# %%
def show(moment):
    """The table as the agent sees it, and its likeliest actions."""
    words = moment.replay.said(moment.step)
    views = moment.replay.views(moment.step)
    figure = plt.figure(figsize=(9, 3.6), dpi=100)
    table = figure.add_axes((0, 0, 480 / 900, 1), xticks=[], yticks=[], frame_on=False)
    table.imshow(picture(views, face_up=moment.seat, last=words, size=(480, 360)))
    best = np.argsort(-moment.chances)[:5].tolist()
    likely = [action for action in best if moment.chances[action] > 0.005]
    told = [*dict.fromkeys([*likely, moment.greedy])]
    names = [action_name(actions[action]) for action in told]
    colours = ["black" if action == moment.greedy else "tab:orange" for action in told]
    axes = figure.add_axes((0.68, 0.16, 0.28, 0.74))
    bars = axes.barh(names, moment.chances[told], color=colours, height=0.6)
    axes.bar_label(bars, fmt="{:.0%}", padding=3)
    axes.get_yticklabels()[told.index(moment.greedy)].set_weight("bold")
    axes.set(xlim=(0, 1.15), ylim=(5.5, -0.5), xlabel="probability")
    axes.set_title(f"{doubt(moment):.2f} bits of doubt", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    plt.show()


*turns, last = plays
apart = min(turns, key=lambda m: m.chances[m.greedy])
unsure = max((m for m in every if kinds[m.done] == "discard"), key=doubt)
for moment in (unsure, apart, last):
    show(moment)
assert doubt(unsure) > 1.5
assert kinds[last.done] == "knock"

# %% [markdown]
# Greedy throws away what costs most points now. The agent also looks at what a card may become.

# %%
index = action_space(rules).index
print(
    "the agent:", action_name(actions[apart.done]), "- greedy:", action_name(actions[apart.greedy])
)
assert apart.done != apart.greedy

# %% [markdown]
# ## Many games
#
# Greedy takes the top discard if that lowers its deadwood, the points of the cards in no meld, and knocks as soon as it can.
# What does the agent make of the same choices?


# %%
def lowered(moment):
    """By how much taking the top discard would lower the deadwood of ten cards."""
    hand, top = moment.view.hand[0, 0], np.uint64(1) << np.uint64(moment.view.top[0])
    discards = np.uint64(1) << np.array([pack.code(card) for card in pack.texts([hand])], np.uint64)
    return int(deadwood(hand[None], rules)[0]) - int(deadwood((hand | top) ^ discards, rules).min())


choices = {"first_upcard": [], "draw": []}
for moment in every:
    if moment.mask[index("draw_discard")]:
        choices[rules.turn[moment.view.phase[0]].name].append(moment)

names = {"first_upcard": "the first upcard", "draw": "later discards"}
figure, panels = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True, layout="constrained")
for axes, (phase, asked) in zip(panels, choices.items(), strict=True):
    points = np.array([lowered(moment) for moment in asked])
    takes = np.array([moment.chance_of("draw_discard") for moment in asked])
    theirs = np.array([kinds[moment.greedy] == "draw_discard" for moment in asked])
    for taken, colour in ((True, "tab:blue"), (False, "tab:orange")):
        axes.plot(points[theirs == taken], takes[theirs == taken], "o", alpha=0.4, color=colour)
    axes.axvline(0.5, color="0.6", linestyle=":")
    axes.set(
        title=f"{names[phase]} ({len(asked)})", xlabel="points by which it lowers the deadwood"
    )
    assert (theirs == (points > 0)).all(), "greedy does as is said of it"
    assert takes[points > 0].mean() > takes[points <= 0].mean()
panels[0].set_ylabel("the agent takes it")
plt.show()

# %% [markdown]
# Blue: greedy takes the card; orange: greedy leaves it. The agent takes a card that is worth much, and leaves nearly all that
# would lower its deadwood by a point or two: the opponent sees what it takes.

# %%
assert takes[points >= 6].mean() > 0.9
assert takes[(points == 1) | (points == 2)].mean() < 0.2
able = [moment for moment in every if np.isin(kinds[moment.mask], ["knock", "gin"]).any()]
ends = np.array([moment.chance_of("knock", "gin") for moment in able])
early = np.array([moment.view.turn_number[0] < 8 for moment in able])
for when, some in (("in its first turns", early), ("later", ~early)):
    print(
        f"When it could end the hand {when} ({some.sum()} times), "
        f"it would do so with a probability of {ends[some].mean():.0%} on average."
    )
discards = [moment for moment in every if kinds[moment.done] == "discard"]
same = np.mean([moment.done == moment.greedy for moment in discards])
print(f"{same:.0%} of its {len(discards)} discards are those of greedy.")

# %% [markdown]
# Greedy ends the hand as soon as it may. The agent mostly does so while the hand is young; later it would rather go gin, or let the
# other knock and undercut. It wins fewer hands so, and more points.

# %%
assert all(kinds[moment.greedy] in ("knock", "gin") for moment in able)
assert ends[early].mean() > 1.5 * ends[~early].mean()

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
# # Trying moves out
#
# One decision of gin: the deals that a seat may believe in, what its moves bring in them, and how much of that is luck.

# %% [markdown]
# [Open in Colab](https://colab.research.google.com/github/rummy-env/rummy-env/blob/HEAD/notebooks/trying_moves_out.ipynb)

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
from collections import Counter

import matplotlib.pyplot as plt
import numpy as np

import rummy_env
from rummy_env.baselines import resolve
from rummy_env.core.actions import action_space
from rummy_env.core.cards import RANKS, SUITS
from rummy_env.core.naming import action_name
from rummy_env.melds.card_worth import planes
from rummy_env.search import Search, play_out, worlds
from rummy_env.views.picture import picture

plt.rcParams["figure.dpi"] = 90
rules = rummy_env.rules("gin")
actions = action_space(rules).actions
strong = resolve("strong", rules)

# %% [markdown]
# ## A decision
#
# Two copies of `strong` play until the first seat has thrown away four cards and has to throw away its fifth.

# %%
engine = rummy_env.Engine(rules, 1, seed=12)
engine.reset()
thrown = 0
while True:
    seat, mask = int(engine.to_move[0]), engine.legal_mask()
    discards = [action for action in mask[0].nonzero()[0] if actions[action].kind == "discard"]
    if seat == 0 and discards:
        if thrown == 4:
            break
        thrown += 1
    engine.step(strong.act(engine.look(seat), mask, engine.random()))

view = engine.look(0)
plt.figure(figsize=(7, 5.25))
plt.imshow(picture([view, engine.look(1)], face_up=0, size=(840, 630)))
plt.axis("off")
plt.show()
assert len(discards) > 5

# %% [markdown]
# ## Deals that agree with what it knows
#
# `worlds` makes games out of the view alone. What the seat sees is the same in all of them, and the other hand is not. With
# `beliefs=True`, the other seat more often holds what goes with the cards that it took, and less often what goes with those it
# threw away.

# %%
seeds = np.arange(4000, dtype=np.uint64)
alike, believed = (
    worlds(view, seeds, np.zeros(len(seeds), np.intp), beliefs=beliefs) for beliefs in (False, True)
)
for games in (alike, believed):
    assert (games.state.hands[:, 0] == engine.state.hands[0, 0]).all()
    assert len(np.unique(games.state.hands[:, 1, 0])) > 3900


def shares(games):
    """How often the other seat holds each card, float[52]."""
    return planes(games.state.hands[:, 1, 0]).mean(axis=1)


figure, panels = plt.subplots(1, 3, figsize=(10, 2.2), layout="constrained", sharey=True)
truth = planes(engine.state.hands[:1, 1, 0])[:, 0]
told = {"all hands alike": shares(alike), "by belief": shares(believed), "what it holds": truth}
for axes, (title, share) in zip(panels, told.items(), strict=True):
    image = axes.imshow(share.reshape(4, 13), cmap="YlOrRd", vmin=0, vmax=1)
    axes.set(title=title, xticks=range(13), xticklabels=RANKS, yticks=range(4), yticklabels=SUITS)
figure.colorbar(image, label="share of deals")
plt.show()
held = truth > 0
print(
    f"of the cards that it holds, {told['all hands alike'][held].mean():.0%} a deal by chance, "
    f"{told['by belief'][held].mean():.0%} by belief"
)
assert np.isclose(told["by belief"].sum(), 10)
assert (told["by belief"] > 0).sum() == (told["all hands alike"] > 0).sum()

# %% [markdown]
# ## What its moves bring
#
# In each of these deals every discard is tried out, and `strong` plays the hand to its end in both seats. Then two moves are compared
# deal by deal: much of the luck is the same for both.

# %%
legal = mask[0].nonzero()[0]
count = 400
seeds = np.tile(np.arange(count, dtype=np.uint64), len(legal))
games = worlds(view, seeds, np.zeros(len(seeds), np.intp), beliefs=True)
points = play_out(games, strong, legal.repeat(count))[:, 0].reshape(len(legal), count)
own = int(strong.act(view, mask, engine.random())[0])
ahead = points - points[legal == own]

order = np.argsort(-ahead.mean(axis=1))
names = [action_name(actions[action]) for action in legal[order]]
errors = 1.96 * ahead.std(axis=1)[order] / count**0.5
figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
axes.errorbar(ahead.mean(axis=1)[order], names, xerr=errors, fmt="o", capsize=3)
axes.axvline(0, color="0.6", linestyle=":")
axes.invert_yaxis()
axes.set_xlabel(f"points ahead of what strong does, which is: {action_name(actions[own])}")
plt.show()
print(f"one deal: a deviation of {ahead[legal != own].std():.0f} points between two moves")
assert (ahead[legal == own] == 0).all()
assert ahead[legal != own].std() > 3

# %% [markdown]
# ## How much of that is luck
#
# With few deals the best mean is often that of a lucky move. Here the search decides the same position ten times, each time with other
# deals: once it takes whatever is ahead, once it leaves the move of `strong` only for one that is ahead by two standard errors.


# %%
def choices(deals, gate):
    """How many of ten searches choose each move."""
    search = Search("strong", worlds=deals, gate=gate)
    games = rummy_env.Engine(rules, 10, seed=1)
    games.reset()
    items = np.zeros(10, np.intp)
    found = search.think(view.take(items), mask[items], games.random()).choice
    return Counter(action_name(actions[action]) for action in found.tolist())


for deals in (8, 256):
    for gate in (0.0, 2.0):
        found = choices(deals, gate)
        print(f"{deals:3} deals, gate {gate:g}:", dict(found.most_common()))
        if gate:
            assert found[action_name(actions[own])] >= 5

# %% [markdown]
# ## A mind that makes itself up
#
# `Search.thinking` tells what is known after every round of deals. Moves that are behind by more than chance drop out, and their
# lines end. These are the five moves with the best means; around each is its standard error.

# %%
search = Search("strong", worlds=512, gate=2.0)
rounds = [
    (thoughts.worlds, thoughts.ahead[0], thoughts.error[0], thoughts.actions[0])
    for thoughts in search.thinking(view, mask, engine.random())
]
deals = np.array([number for number, *_ in rounds[1:]])
ahead, errors = (np.array([known[part] for known in rounds[1:]]) for part in (1, 2))


def last_tried(error):
    """The last round in which a move was tried: until then, its standard error changes."""
    changes = np.flatnonzero(np.diff(error, prepend=0))
    return changes[-1] if changes.size else len(error) - 1


figure, axes = plt.subplots(figsize=(7.5, 4), layout="constrained")
labels = Counter()  # by the round at which they stand, one below the other
for move in np.argsort(-ahead[-1], kind="stable")[:5]:
    last = last_tried(errors[:, move])
    x, mean, error = deals[: last + 1], ahead[: last + 1, move], errors[: last + 1, move]
    (line,) = axes.plot(x, mean, marker="o", markersize=3)
    axes.fill_between(x, mean - error, mean + error, alpha=0.12, color=line.get_color())
    axes.annotate(
        action_name(actions[rounds[-1][3][move]]),
        (x[-1], mean[-1]),
        xytext=(7, 10 - 12 * labels[last]),
        textcoords="offset points",
        color=line.get_color(),
        fontsize=9,
    )
    labels[last] += 1
axes.set(xscale="log", xlabel="deals tried", ylabel="points ahead of strong's move")
axes.set_xlim(right=1.45 * deals[-1])
axes.set_xticks(deals, deals)
axes.minorticks_off()
axes.spines[["top", "right"]].set_visible(False)
plt.show()
assert deals[0] == 8
assert rounds[-1][0] <= 512

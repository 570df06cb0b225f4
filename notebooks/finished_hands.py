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
# # Finished hands
#
# In `going_out` and `rummy_cards` nothing is laid down before the end: here is what a finished hand is, how far hands are from it, and what wildcards change.

# %% [markdown]
# [Open in Colab](https://colab.research.google.com/github/rummy-env/rummy-env/blob/HEAD/notebooks/finished_hands.ipynb)

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
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

import rummy_env
from rummy_env import melds
from rummy_env.baselines import Greedy, resolve
from rummy_env.envs.rendering import last_trace, last_words
from rummy_env.evaluation import duel
from rummy_env.views.picture import picture

plt.rcParams["figure.dpi"] = 90
SIZE = (560, 420)

# %% [markdown]
# ## What is finished
#
# Every card in a group or a sequence, but for one that may be left over. A WILD stands for any card; the special cards of
# `rummy_cards` have powers of their own. `can_go_out` says whether a hand is finished, `arrange` how it falls into melds.

# %%
rules = rummy_env.rules("rummy_cards")
hands = {
    "a group, and a pair": "7c 7d 7h Ks Kd",
    "with a wildcard": "7c 7d 7h Ks Kd WILD",
    "GROUP stands in a group": "7c 7d GROUP 4s 5s 6s",
    "but in no sequence": "7c 8c GROUP 4s 5s 6s",
    "SEQUENCE does": "7c 8c SEQUENCE 4s 5s 6s",
    "NO_MELD must be left over": "7c 7d 7h 4s 5s 6s NO_MELD",
    "CAN'T GO OUT": "7c 7d 7h 4s 5s 6s CANT_GO_OUT",
}
finished = melds.can_go_out([hand.split() for hand in hands.values()], rules)
for (words, hand), is_finished in zip(hands.items(), finished, strict=True):
    found = melds.arrange(hand.split(), rules)
    print(f"{words:26} {hand:28}", found.melds if found else "not finished")
    assert (found is not None) == is_finished
assert finished.tolist() == [False, True, True, False, True, True, False]

# %% [markdown]
# ## How far from it
#
# `distance` is the least number of cards that must be exchanged until a hand is finished, exactly, whatever may still come.
# One goes out after the draw, so the hand that counts has eight cards here. Ten thousand of them, from packs with none to
# three wildcards:


# %%
def drawn(wildcards, games=10_000):
    """The mover's hand after the first draw from the stock, in many games."""
    engine = rummy_env.Engine(rummy_env.rules("going_out", wildcards=wildcards), games, seed=1)
    engine.reset()
    engine.step(np.full(games, engine.space.index("draw_stock")))
    return engine.rules, engine.look(engine.to_move).hand


shares = {}
for wildcards in range(4):
    declared, words = drawn(wildcards)
    away = melds.distance(words, declared)
    shares[wildcards] = np.bincount(away, minlength=6)[:6] / len(away)
figure, axes = plt.subplots(figsize=(7, 2.8), layout="constrained")
for place, (wildcards, share) in enumerate(shares.items()):
    axes.bar(np.arange(6) + 0.2 * (place - 1.5), 100 * share, 0.2, label=f"{wildcards} wildcards")
axes.set(xlabel="cards to exchange", ylabel="hands (%)")
axes.legend()
plt.show()
means = [share @ np.arange(6) for share in shares.values()]
print(
    "on average:",
    *(f"{wildcards}: {mean:.2f}" for wildcards, mean in zip(shares, means, strict=True)),
)
assert means == sorted(means, reverse=True)

# %% [markdown]
# ## A game
#
# Three greedy players of `going_out`: each keeps the cards with which its own distance is least. The lines are what a hand
# lacks once its player has drawn; who has 0 shows the hand.

# %%
engine = rummy_env.Engine(rummy_env.rules("going_out", num_players=3), seed=32)
engine.reset()
greedy, lacks = Greedy(), [[], [], []]
while not engine.finished[0]:
    mover, view = int(engine.to_move[0]), engine.look(engine.to_move)
    if engine.rules.turn[view.phase[0]].name == "play":
        lacks[mover].append(int(melds.distance(view.hand, engine.rules)[0]))
    engine.step(greedy.act(view, engine.legal_mask(), engine.random(np.array([0]))))
winner = int(np.flatnonzero(engine.rewards[0] > 0)[0])
figure, axes = plt.subplots(figsize=(7, 2.6), layout="constrained")
for seat, line in enumerate(lacks):
    turns_played = np.arange(1, len(line) + 1)
    axes.step(turns_played, np.add(line, 0.04 * seat), where="post", label=f"player_{seat}")
axes.set(xlabel="turns of the player", ylabel="cards to exchange", yticks=range(5))
axes.set_title(f"player_{winner} goes out", loc="left")
axes.legend()
plt.show()
assert [line[-1] == 0 for line in lacks] == [seat == winner for seat in range(3)]
assert all(line[-1] <= line[0] for line in lacks)

# %%
views = [engine.look(seat) for seat in range(3)]
Image.fromarray(picture(views, last=last_words(engine), trace=last_trace(engine), size=SIZE))

# %% [markdown]
# The winner's hand lies in its melds, the others as they were held.
#
# ## What wildcards change
#
# How many turns does a hand take, by the wildcards in the pack, and how often does `strong`, which also
# looks at what a discard gives away, win against `greedy`?


# %%
def turns(wildcards, games=400):
    """The length of hands that greedy plays against itself, in turns."""
    options = {"wildcards": wildcards, "num_players": 3}
    engine = rummy_env.Engine(rummy_env.rules("going_out", **options), games, seed=2)
    engine.reset()
    while (rows := np.flatnonzero(~engine.finished)).size:
        view = engine.look(engine.to_move[rows], rows)
        engine.step(greedy.act(view, engine.legal_mask(rows), engine.random(rows)), rows)
    return engine.state.turn_number


lengths = {wildcards: turns(wildcards) for wildcards in (0, 1, 3)}
strong, won = resolve("strong"), {}
for wildcards in lengths:
    declared = rummy_env.rules("going_out", wildcards=wildcards)
    won[wildcards] = duel(declared, strong, greedy, deals=400, seed=1).sides[0].hand_wins.times(100)
figure, axes = plt.subplots(figsize=(7, 2.4), layout="constrained")
names = [f"{wildcards} wildcards" for wildcards in lengths]
axes.boxplot(
    list(lengths.values()),
    tick_labels=names,
    orientation="horizontal",
    showfliers=False,
    widths=0.6,
)
axes.invert_yaxis()
axes.set_xlabel("turns of a hand (half of them in the box)")
plt.show()
for wildcards, share in won.items():
    told = f"{share.value:.0f} % of hands, 95 % interval {share.low:.0f} to {share.high:.0f}"
    print(f"{wildcards} wildcards: strong wins {told}")
medians = [np.median(length) for length in lengths.values()]
assert medians == sorted(medians, reverse=True)
assert all(share.value > 50 for share in won.values())

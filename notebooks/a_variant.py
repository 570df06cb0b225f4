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
# # What a variant is
#
# The rules of a game drawn as a graph, and a game of your own in fifteen lines that every part of the suite can play at once.

# %% [markdown]
# [Open in Colab](https://colab.research.google.com/github/rummy-env/rummy-env/blob/HEAD/notebooks/a_variant.ipynb)

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
import inspect
from dataclasses import replace

import gymnasium
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyArrowPatch, Rectangle
from matplotlib.path import Path
from PIL import Image

import rummy_env
from rummy_env import Rules
from rummy_env.baselines import Greedy, Random
from rummy_env.core.cards import Pack
from rummy_env.core.rules import END_TURN, Phase
from rummy_env.envs.rendering import last_words
from rummy_env.evaluation import duel
from rummy_env.parts.discarding import Discard
from rummy_env.parts.drawing import DrawDiscard, DrawStock
from rummy_env.parts.melding import LayOffSequence, MeldSequence
from rummy_env.parts.restocking import ShuffleKeepTop
from rummy_env.parts.scoring import CardsLeft, CardValues
from rummy_env.parts.table_melds import Melding
from rummy_env.views.picture import picture

plt.rcParams["figure.dpi"] = 90

# %% [markdown]
# ## A value
#
# A variant is a function from options to `Rules`, a frozen value. Equal rules play the same game, and whatever one
# may want to know about a game is in them.

# %%
basic = rummy_env.rules("basic")
print(basic)
assert basic == rummy_env.rules("basic", num_players=2)
assert basic != rummy_env.rules("basic", lay_off=False)

# %% [markdown]
# ## A graph
#
# The heart of the rules is the turn: in each phase some moves can be made, and each leads to a phase, to the end of the turn
# or to the end of the hand. This draws it from `rules.turn` alone.


# %%
def words(move, pack):
    """What a move is called."""
    kinds = dict.fromkeys(action.kind.replace("_", " ") for action in move.actions(pack))
    return " / ".join(kinds)


WIDE, HIGH, FOOT = 0.27, 0.1, 0.08
"""Half the width and height of a box, and how far from the middle of its top arcs begin and end."""


def arrow(axes, start, end, label, style="-"):
    """An arrow with its moves: straight to the next place, in an arc to others and to itself."""
    if end == start + 1:
        top, path = 0.0, Path([(start + WIDE, 0), (end - WIDE, 0)])
    else:
        top = 0.28 + 0.33 * (end - start)
        foot, bend = (FOOT, 0.0) if end > start else (-FOOT, -0.15)
        feet = [(start + foot, HIGH), (end - foot, HIGH)]
        bends = [(start + foot + bend, 1.3 * top), (end - foot - bend, 1.3 * top)]
        path = Path([feet[0], *bends, feet[1]], [Path.MOVETO, *[Path.CURVE4] * 3])
    axes.add_patch(
        FancyArrowPatch(path=path, arrowstyle="-|>", mutation_scale=11, linestyle=style, fc="black")
    )
    axes.text((start + end) / 2, top + 0.06, label, ha="center", va="bottom", fontsize=8)


def draw_turn(axes, rules):
    """The turn as a graph."""
    phases = [phase.name for phase in rules.turn]
    ends = dict.fromkeys(to for phase in rules.turn for _, to in phase.moves if to not in phases)
    place = {name: i for i, name in enumerate([*phases, *ends])}
    for phase in rules.turn:
        for to in dict.fromkeys(to for _, to in phase.moves):
            moves = [words(move, rules.pack) for move, then in phase.moves if then == to]
            arrow(axes, place[phase.name], place[to], "\n".join(moves))
        if phase.when is not None:
            arrow(axes, place[phase.name], place[phase.otherwise], "", ":")
    for name, x in place.items():
        colour = "#dcebdc" if name in phases else "#eeeeee"
        axes.add_patch(Rectangle((x - WIDE, -HIGH), 2 * WIDE, 2 * HIGH, fc=colour, ec="0.4"))
        axes.text(x, 0, name, ha="center", va="center", fontsize=9)
    axes.set(xlim=(-0.4, 4.4), ylim=(-0.15, 0.3 * len(place)))
    axes.set_title(rules.name, loc="left")
    axes.axis("off")


figure, panels = plt.subplots(2, 1, figsize=(8.5, 4.2), height_ratios=[3, 5], layout="constrained")
for axes, name in zip(panels, ["basic", "gin"], strict=True):
    draw_turn(axes, rummy_env.rules(name))
plt.show()

# %% [markdown]
# A dotted arrow is a phase that is passed over where it does not apply: the first upcard of gin is offered once.
#
# ## Options
#
# An option changes one of the parts. How long does a hand take, played greedily, if options are changed?
# Where cards cannot be laid off, most hands are cut off after 200 turns: nobody can go out any more.


# %%
def play(rules, policy, games=500):
    """An engine whose games have been played to their ends."""
    engine = rummy_env.Engine(rules, num_envs=games, seed=1)
    engine.reset()
    while (rows := np.flatnonzero(~engine.finished)).size:
        view = engine.look(engine.to_move[rows], rows)
        engine.step(policy.act(view, engine.legal_mask(rows), engine.random(rows)), rows)
    return engine


changes = [{}, {"ace": "high_or_low"}, {"hand_size": 4}, {"num_players": 4}, {"lay_off": False}]
ended = [play(rummy_env.rules("basic", **change), Greedy()) for change in changes]
turns = [engine.state.turn_number for engine in ended]
names = [f"{option}={value!r}" for change in changes[1:] for option, value in change.items()]
plt.figure(figsize=(7, 2.6), layout="constrained")
plt.boxplot(
    turns, tick_labels=["as it is", *names], orientation="horizontal", showfliers=False, widths=0.6
)
plt.gca().invert_yaxis()
plt.xlabel("turns of a hand (half of them in the box)")
plt.show()
assert np.median(turns[4]) > np.median(turns[3]) > np.median(turns[0])
assert ended[4].truncated.mean() > 0.5

# %% [markdown]
# ## A game of your own
#
# In *runs* sequences are the only melds, and every card left in a hand counts one point. It takes all other parts from `basic`.


# %%
def runs(*, num_players: int = 2, hand_size: int = 7, max_turns: int = 200) -> Rules:
    """Sequences are the only melds, and every card left in a hand counts one point."""
    options = {"num_players": num_players, "hand_size": hand_size, "max_turns": max_turns}
    melding = Melding(ace_high=False, melds_per_turn=None, lay_off=True, final_discard=False)
    plays = {MeldSequence(melding): "play", LayOffSequence(melding): "play"}
    draws = {DrawStock(ShuffleKeepTop()): "play", DrawDiscard(): "play"}
    return replace(
        rummy_env.rules("basic", **options),
        name="runs",
        options=tuple(options.items()),
        turn=(Phase("draw", draws), Phase("play", {**plays, Discard(Pack()): END_TURN})),
        scoring=CardsLeft(CardValues((1,) * 13), going_rummy=False),
    )


assert len(inspect.getsource(runs).splitlines()) <= 15
figure, axes = plt.subplots(figsize=(8.5, 1.6), layout="constrained")
draw_turn(axes, runs())
plt.show()

# %% [markdown]
# That is all there is to write: actions, masks, observations, texts and pictures follow from the rules, and the greedy
# baseline plays them. One game, four players:

# %%
engine = play(runs(num_players=4), Greedy(), games=1)
views = [engine.look(seat) for seat in range(4)]
assert views[0].grouped[0] == 0
assert views[0].sequenced[0] != 0
Image.fromarray(picture(views, last=last_words(engine), size=(560, 420)))

# %% [markdown]
# Every door takes complete rules. An import string, `"my_games:runs"`, does as well, and there it takes the options.

# %%
games = gymnasium.make_vec("rummy_env/Rules-v0", num_envs=64, rules=runs(), opponents="greedy")
observations, infos = games.reset(seed=1)
print("observations", observations.shape, "masks", infos["action_mask"].shape)
assert infos["action_mask"].shape == (64, rummy_env.Engine(runs()).num_actions)

named = rummy_env.rules("__main__:runs", hand_size=10)
print(named)
assert named == replace(runs(hand_size=10), name="__main__:runs")

# %% [markdown]
# ## A first measurement
#
# How often does greedy beat random play in games of the catalogue, and in this one? Each deal is played twice, with the
# seats exchanged; the bars are 95 % intervals.

# %%
contests = [rummy_env.rules("basic"), rummy_env.rules("classic"), runs(), runs(hand_size=4)]
labels = ["basic", "classic", "runs", "runs, 4 cards"]
shares = [
    duel(rules, Greedy(), Random(), deals=300, seed=1).sides[0].hand_wins.times(100)
    for rules in contests
]
plt.figure(figsize=(7, 2.4), layout="constrained")
for line, share in enumerate(shares):
    plt.plot([share.low, share.high], [line, line], color="tab:blue", linewidth=3)
    plt.plot(share.value, line, "o", color="tab:blue")
plt.axvline(50, color="0.5", linestyle=":")
plt.yticks(range(len(labels)), labels)
plt.margins(y=0.2)
plt.gca().invert_yaxis()
plt.xlabel("hands that greedy won against random (%; 50: equal)")
plt.show()
assert all(share.low > 50 for share in shares)

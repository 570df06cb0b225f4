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
# # A first game
#
# One game through PettingZoo, played by the greedy baseline, and then a thousand games at once.

# %%
import matplotlib.pyplot as plt
import numpy as np

import rummy_env
from rummy_env.opponents import Greedy, Random
from rummy_env.views.text import seat_text

env = rummy_env.raw_env("basic", num_players=2, render_mode="ansi")
env.reset(seed=7)
print(env.render())

# %% [markdown]
# `render` shows all hands. What a seat may know is less; everything that plays or learns gets this view and
# nothing else:

# %%
seat = int(env.engine.to_move[0])
print(seat_text(env.engine.look(seat), seat))

# %% [markdown]
# An agent chooses among the legal actions of its mask. Here the greedy baseline plays both seats.

# %%
agent, engine = Greedy(), env.engine
told = []
while not engine.finished[0]:
    view = engine.look(engine.to_move)
    action = agent.act(view, engine.legal_mask(), engine.random(np.array([0])))
    told.append(f"{env.agent_selection}: {engine.describe(int(action[0]))}")
    env.step(int(action[0]))
print("\n".join(told[:8]), f"... {len(told)} actions in all", env.render(), sep="\n")

# %% [markdown]
# ## A thousand games at once
#
# The engine underneath steps any number of games together. How many turns does a hand take, played at random
# and greedily?


# %%
def turns_of(policy, games=1000):
    """The length of each hand in turns."""
    engine = rummy_env.Engine(rummy_env.rules("basic"), num_envs=games, seed=1)
    engine.reset()
    while (rows := np.flatnonzero(~engine.finished)).size:
        view = engine.look(engine.to_move[rows], rows)
        engine.step(policy.act(view, engine.legal_mask(rows), engine.random(rows)), rows)
    return engine.state.turn_number


lengths = {"random": turns_of(Random()), "greedy": turns_of(Greedy())}
plt.figure(figsize=(7, 3))
for name, turns in lengths.items():
    plt.hist(turns, bins=range(0, 205, 5), alpha=0.6, label=name)
plt.xlabel("turns of a hand")
plt.ylabel("hands")
plt.legend()
assert np.median(lengths["greedy"]) < np.median(lengths["random"])

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
# One game of rummy as a player sees it, in pictures, and then a thousand games at once.

# %% [markdown]
# [Open in Colab](https://colab.research.google.com/github/rummy-env/rummy-env/blob/HEAD/notebooks/first_game.ipynb)

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
import gymnasium
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

import rummy_env
from rummy_env.baselines import Greedy, Random
from rummy_env.envs.rendering import last_words
from rummy_env.views.picture import picture
from rummy_env.views.text import seat_text

SIZE = (560, 420)

# %% [markdown]
# ## The deal
#
# Three players, seven cards each. `face_up=0` shows what player 0 sees: the backs of the other hands.

# %%
env = rummy_env.raw_env(
    "basic", num_players=3, render_mode="rgb_array", render_size=SIZE, face_up=0
)
env.reset(seed=7)
Image.fromarray(env.render())

# %% [markdown]
# An agent plays for one seat and knows what that seat knows, nothing else. The same as text, from the player
# whose turn it is:

# %%
seat = int(env.engine.to_move[0])
view = env.engine.look(seat)
print(seat_text(view, seat))
assert env.agent_selection == f"player_{seat}"
assert view.hand_sizes[0].tolist() == [7, 7, 7]

# %% [markdown]
# All actions of a game are numbered. The mask says which of them are legal now; there is a word for each.

# %%
mask = env.observe(env.agent_selection)["action_mask"]
for action in np.flatnonzero(mask):
    print(action, env.engine.describe(action))
assert mask.sum() == 2
assert len(mask) == env.engine.num_actions

# %% [markdown]
# ## The game
#
# Here the greedy baseline plays all seats, until somebody has no card left.

# %%
agent, engine = Greedy(), env.engine
told, frames = [], [env.render()]
while not engine.finished[0]:
    view = engine.look(engine.to_move)
    action = int(agent.act(view, engine.legal_mask(), engine.random(np.array([0])))[0])
    env.step(action)
    told.append(last_words(engine))
    frames.append(env.render())
print(*told[:8], f"... {len(told)} actions in all, the last of them:", *told[-4:], sep="\n")
assert len(frames) == len(told) + 1

# %% [markdown]
# The table when the first meld has just been laid down:

# %%
first_meld = next(i for i, words in enumerate(told) if "meld" in words)
Image.fromarray(frames[first_meld + 1])

# %% [markdown]
# And the end, with all hands open. The winner scores what the others still hold; as a reward that is divided by 100, and
# what one wins the others lose.

# %%
views = [engine.look(seat) for seat in range(3)]
winner = int(np.flatnonzero(engine.rewards[0] > 0)[0])
print("rewards:", {agent: round(reward, 2) for agent, reward in env.rewards.items()})
assert views[winner].hand_sizes[0, 0] == 0
assert abs(sum(env.rewards.values())) < 1e-6
assert views[winner].scores[0, 0] == round(100 * engine.rewards[0, winner])
Image.fromarray(picture(views, last=told[-1], size=SIZE))

# %% [markdown]
# ## The same through Gymnasium
#
# There, one seat is yours, and policies play the others inside `step`. Here chance plays yours.

# %%
game = gymnasium.make("rummy_env/Basic-v0", opponents="greedy")
observation, info = game.reset(seed=1)
rng, steps, over = np.random.default_rng(1), 0, False
while not over:
    action = rng.choice(np.flatnonzero(info["action_mask"]))
    observation, reward, terminated, truncated, info = game.step(action)
    steps, over = steps + 1, terminated or truncated
print(f"{steps} decisions, reward {reward:+.2f}, won: {info['won']}")
assert (reward > 0) == info["won"]

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
plt.figure(figsize=(7, 3), dpi=90)
for name, turns in lengths.items():
    plt.hist(
        turns, bins=range(0, 205, 5), alpha=0.6, label=f"{name}: median {np.median(turns):.0f}"
    )
plt.xlabel("turns of a hand (cut off after 200)")
plt.ylabel("hands")
plt.legend()
plt.show()
assert np.median(lengths["greedy"]) < np.median(lengths["random"])

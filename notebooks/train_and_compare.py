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
# # Train and compare
#
# A small network learns basic rummy by playing itself for less than a minute, and is measured before, meanwhile and after.

# %% [markdown]
# [Open in Colab](https://colab.research.google.com/github/rummy-env/rummy-env/blob/HEAD/notebooks/train_and_compare.ipynb)

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
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from IPython.display import Image, Markdown
from IPython.utils.capture import capture_output

import rummy_env
from rummy_env.baselines import Greedy, Random
from rummy_env.baselines.saved import SavedPolicy
from rummy_env.evaluation import chart, compare, words
from training import curve
from training.session import Session
from training.settings import Settings

rules = rummy_env.rules("basic")
folder = TemporaryDirectory()
run = Path(folder.name) / "run"

# %% [markdown]
# ## Before
#
# These are flags of `python -m training.fit basic`, made small: its own default is a larger network, a teacher to imitate
# first, others at some of the tables, and millions of decisions. A run without any time measures the network as it begins.

# %%
small = Settings(
    out=run,
    seed=1,
    num_envs=256,
    num_steps=32,
    minibatch_size=1024,
    update_epochs=2,
    learning_rate=1.5e-3,
    suit_units=32,
    pooled_units=64,
    card_units=16,
    critic_units=32,
    warmup=0,
    share=0.0,
    teacher="none",
    rivals=("random", "greedy"),
    evaluations=4,
    eval_deals=100,
    torch_threads=1,
    bf16=False,
    minutes=1e-9,
)
with capture_output(), closing(Session(rules, small, "")) as session:
    session.learn()


def tell(evaluation):
    """An evaluation in words."""
    value, low, high = (100 * share for share in evaluation.win_rate)
    return f"{evaluation.steps:7,} decisions: {value:.0f} % [{low:.0f}, {high:.0f}] of the hands against {evaluation.opponent}"


before = {evaluation.opponent: evaluation for evaluation in session.progress.curve}
print(*map(tell, before.values()), sep="\n")
assert before["random"].steps == 0
assert before["greedy"].win_rate[2] < 0.25

# %% [markdown]
# The network does not yet know anything. It always plays the action that it finds likeliest, which may be better or worse than
# random play, and greedy wins nearly always. Brackets are 95 % intervals, from deal to deal.
#
# ## Learning
#
# The same run goes on from where it stopped, for 130,000 decisions; the minutes are more than it needs.

# %%
further = replace(small, resume=run, trust=True, total_timesteps=131_072, minutes=60)
with capture_output(), closing(Session(rules, further, "")) as session:
    session.learn()
curve.draw(session.progress.curve, "Learning basic rummy by self-play", run / "curve.png")
Image(run / "curve.png", width=800)

# %% [markdown]
# On the left the share of the hands, on the right the lead in points per hand; the dotted line is what equals have. Every point
# is 100 deals, each played in both seatings. It has never met random play or greedy: what it learns against itself is of use
# against both.

# %%
after = {evaluation.opponent: evaluation for evaluation in session.progress.curve}
print(*map(tell, after.values()), sep="\n")
assert after["random"].steps == 131_072
for rival in before:
    assert after[rival].win_rate[1] > before[rival].win_rate[2], "the intervals do not overlap"

# %% [markdown]
# ## Comparing
#
# Those deals also chose which model was kept as the best, so the last word belongs to new ones. Every pair plays
# the same 200 deals in both seatings, as `python -m training.compare` has it.

# %%
players = {
    "trained": SavedPolicy(session.run.best),
    "random": Random(),
    "greedy": Greedy(),
}
found = compare(rules, players, deals=200, seed=7)
chart.draw(found, run / "compare.png")
Image(run / "compare.png", width=800)

# %%
wins = {duel.agents: duel.sides[0].hand_wins for duel in found.duels}
rows = [
    f"| {first} | {second} | {words.percent(share)} |" for (first, second), share in wins.items()
]
Markdown("\n".join(["| agent | against | hands won |", "| --- | --- | ---: |", *rows]))

# %% [markdown]
# So little training is enough to leave random play far behind, and not enough for greedy. What longer training gives is in
# [the results](../docs/training.md#results).

# %%
assert wins["trained", "random"].low > 0.75
assert wins["random", "greedy"].high < wins["trained", "greedy"].low, "it has come closer"
assert wins["trained", "greedy"].high < 0.5, "but greedy is ahead"
folder.cleanup()

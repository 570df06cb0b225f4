"""Mutants of training: what a run is told, how it is evaluated, whom it meets."""

from tests.mutants import Mutant

MUTANTS = (
    Mutant(
        "straying",
        "straying from the clone costs",
        "outcome.rewards[rows, seats[rows]] -= strayed",
        "outcome.rewards[rows, seats[rows]] += strayed",
        ("test_learning",),
    ),
    Mutant(
        "strongest rival",
        "a model is worth what it makes of its strongest rival",
        "score = min((result.ranked_by for result in results)",
        "score = max((result.ranked_by for result in results)",
        ("test_learning",),
    ),
    Mutant(
        "deals of evaluations",
        "a model is not chosen on the deals of the comparison",
        "result = duel(rules, policy, rival, deals=given.eval_deals, seed=_deals(given))",
        "result = duel(rules, policy, rival, deals=given.eval_deals, seed=given.seed + 2)",
        ("test_learning",),
    ),
    Mutant(
        "time of evaluations",
        "evaluations take no time of learning",
        "self._since = time.perf_counter()\n\n    def _on_step",
        "pass\n\n    def _on_step",
        ("test_learning",),
    ),
    Mutant(
        "evaluations of a longer run",
        "a run with more to do is evaluated as often as one that had it from the start",
        "min(self._progress.evaluated, done)",
        "self._progress.evaluated",
        ("test_learning",),
    ),
    Mutant(
        "resumed for minutes",
        "a run of decisions can be resumed for some minutes",
        "if not (given.total_timesteps or given.minutes):",
        "if given.total_timesteps is None:",
        ("test_learning",),
    ),
    Mutant(
        "clip range",
        "the flag of the clip range reaches the algorithm",
        "clip_range=given.clip_coef,",
        "clip_range=0.2,",
        ("test_learning",),
    ),
    Mutant(
        "rate of the critic",
        "the critic has its own multiple of the learning rate",
        'group["lr"] = rate * group["factor"]',
        'group["lr"] = rate',
        ("test_learning",),
    ),
    Mutant(
        "rate of cloning",
        "the rate of cloning falls",
        'optimizer.param_groups[0]["lr"] = rate * (1 - done)',
        'optimizer.param_groups[0]["lr"] = rate',
        ("test_learning",),
    ),
    Mutant(
        "order of cloning",
        "cloning goes through its items in a new order each time",
        "order = rng.permutation(count)",
        "order = np.arange(count)",
        ("test_learning",),
    ),
    Mutant(
        "past versions draw",
        "past versions draw their actions",
        "(SavedPolicy(path, deterministic=False), share / len(past))",
        "(SavedPolicy(path), share / len(past))",
        ("test_learning",),
    ),
    Mutant(
        "share of the fixed pool",
        "past versions take their share from all others",
        "fixed = [(policy, (1 - share) * weight / total)",
        "fixed = [(policy, weight / total)",
        ("test_learning",),
    ),
)

"""Mutants of the machine: dealing, turns, random numbers, what a seat sees, redealing."""

from tests.mutants import Mutant

MUTANTS = (
    Mutant(
        "turn limit",
        "a hand is cut off after max_turns turns, not after one more",
        "return self.state.turn_number[rows] >= self.rules.max_turns",
        "return self.state.turn_number[rows] > self.rules.max_turns",
        ("test_lockstep", "test_aec"),
    ),
    Mutant(
        "loss shared",
        "with reward='win' the losers share the loss of 1",
        "share - losers / np.maximum(losers.sum(1, keepdims=True), 1)",
        "share - losers",
        ("test_lockstep", "test_rules_matches"),
    ),
    Mutant(
        "missing cards",
        "a table that lacks cards cannot be restored",
        "if here != pack:",
        "if here - pack:",
        ("test_bad_input",),
    ),
    Mutant(
        "randomness of the row",
        "random numbers of a decision depend on the game, not on its place in the batch",
        "GameRandom(stream(keys, self.state.decisions.take(some)))",
        "GameRandom(stream(keys, self.state.decisions.take(some) + np.arange(len(some))))",
        ("test_contract",),
    ),
    Mutant(
        "last action",
        "a game dealt anew has no last action",
        "        self.last_action[rows] = -1\n        self._dealt",
        "        self._dealt",
        ("test_last_action",),
    ),
    Mutant(
        "equal cards told apart",
        "of equal cards the one that everybody knows is given up first",
        "best = (held + (held & ((known[places] & bits) != ZERO)).astype(np.int8)).argmax(-1)",
        "best = held.argmax(-1)",
        ("test_equal_cards",),
    ),
    Mutant(
        "leak of a covered pile",
        "of a covered pile only the top card is seen",
        "if self.rules.sight.pile_known:\n            return self._table.piled",
        "if self.rules.sight.stock_counted:\n            return self._table.piled",
        ("test_leaks", "test_leaks_later"),
    ),
    Mutant(
        "stock estimate",
        "a stock of exactly five cards looks like five to nine",
        'np.searchsorted(STOCK_STEPS, np.arange(256), side="right")',
        'np.searchsorted(STOCK_STEPS, np.arange(256), side="left")',
        ("test_rules_sight", "test_features_declared"),
    ),
    Mutant(
        "returned and seen since",
        "a reshuffled card that was seen since is no longer told as returned",
        "if pack.has_equals else renewed & unseen",
        "if pack.has_equals else renewed",
        ("test_features", "test_leaks"),
    ),
    Mutant(
        "believable stock",
        "a redealt stock looks as large as the true one",
        "np.minimum(steps[view.stock_estimate + 1] - 1, cards)",
        "np.minimum(steps[view.stock_estimate + 1], cards)",
        ("test_leaks_later", "test_leaks"),
    ),
    Mutant(
        "redealt from memory",
        "cards that never went back are redealt into hands before those that may be in the stock",
        "back, odds)\n",
        "back, odds)[:, ::-1]\n",
        ("test_leaks",),
    ),
    Mutant(
        "masks stay numbers",
        "a mask of whole numbers is as good as flags",
        "found = np.asarray(mask).astype(np.bool_, copy=False)",
        "found = np.asarray(mask)",
        ("test_masks",),
    ),
    Mutant(
        "illegal answers pass",
        "a policy answers with a legal action for each game",
        "legal[legal] = mask[legal, actions[legal]]",
        "legal[legal] = True",
        ("test_asking",),
    ),
)

"""Mutants of the patient baseline, of policies for rollouts, and of what a run does by default."""

from tests.mutants import Mutant

MUTANTS = (
    Mutant(
        "going out with any card",
        "the top discard is not taken where any card goes out, since it may not be discarded",
        "(left_with <= 1) & (left > 0)",
        "left_with <= 1",
        ("test_patient",),
    ),
    Mutant(
        "needs by even chances",
        "what the next player threw away tells what it does not need",
        "meld_chances(chances_held(view, view.next), ace_high=facts.melding.ace_high)",
        "super()._needs(facts, view)",
        ("test_patient",),
    ),
    Mutant(
        "each of many in full",
        "the more players there are, the less each of them counts",
        "return 1 / (rules.num_players - 1)",
        "return 1.0",
        ("test_patient",),
    ),
    Mutant(
        "dear cards late",
        "dear cards are laid off once melds would be laid down",
        "lays_off & dear & self._safe(view)[:, None]",
        "lays_off & dear & many[:, None]",
        ("test_patient",),
    ),
    Mutant(
        "sizes in cards",
        "how close to going out another is, is told in parts of the cards dealt",
        "> self.hold_sizes * view.rules.hand_size",
        "> 3",
        ("test_patient",),
    ),
    Mutant(
        "rollouts by the base",
        "hands are played out by the policy for rollouts",
        "base if self._rollouts is None else self._rollouts",
        "base",
        ("test_search_settings",),
    ),
    Mutant(
        "the second word of a set",
        "the cards of every pack are in the word of their pack",
        "sets = [np.where(decks == deck, bits, ZERO) for deck in range(words)]",
        "sets = [np.where(decks == 0, bits, ZERO) for deck in range(words)]",
        ("test_lockstep", "test_search"),
    ),
    Mutant(
        "other moves among the plays",
        "rules may list other moves between melds and lay-offs, and these are not laid out",
        "self.are_plays: Bools = np.isin(kinds, PLAYS)",
        "self.are_plays: Bools = np.isin(kinds, kinds)",
        ("test_own_rules",),
    ),
    Mutant(
        "who sits out",
        "who sits out a tie-break hand is not the next player",
        "skipped = self.sits_out[:, 1]",
        "skipped = np.zeros(1, np.bool_)",
        ("test_agents_declared",),
    ),
    Mutant(
        "what ranks",
        "where winning alone is paid, the share of hands ranks",
        'return rules.rewards.counts if rules.episode.single else "points"',
        'return "points"',
        ("test_compare", "test_search"),
    ),
    Mutant(
        "recorded games",
        "a game whose record waits is not lost by the record of another",
        'unrecorded.pop(line["recorded"], None)',
        "unrecorded.clear()",
        ("test_play_journal",),
    ),
    Mutant(
        "seen shuffles",
        "what a shuffle has turned up is not taken back",
        " or (now.recycled & ~then.recycled).any()",
        "",
        ("test_play_table",),
    ),
)

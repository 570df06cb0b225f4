"""What leaves the engine tells nothing of what is hidden: attacks on seeds and random numbers."""

import numpy as np
import pytest

from rummy_env import Engine, rules
from rummy_env.core import keys
from rummy_env.core.arrays import Words
from rummy_env.core.dealing import next_shuffle
from rummy_env.core.keys import Purpose, game_seeds, one_way
from rummy_env.core.shuffle import mix
from rummy_env.envs.sb3 import RummyVecEnv
from rummy_env.envs.vector import RummyVectorEnv
from rummy_env.variants import VARIANTS

GAMES = 20
GUESSES = 1 << 11
"""The bits of a random word that a float64 of it does not show."""


def unmix(words: Words) -> Words:
    """The inverse of `mix`, which has one: it is a bijection."""
    words = _unshift(words, 31) * np.uint64(pow(0x94D049BB133111EB, -1, 1 << 64))
    words = _unshift(words, 27) * np.uint64(pow(0xBF58476D1CE4E5B9, -1, 1 << 64))
    return _unshift(words, 30) - np.uint64(0x9E3779B97F4A7C15)


def _unshift(words: Words, shift: int) -> Words:
    found = words
    for _ in range(64 // shift):
        found = words ^ (found >> np.uint64(shift))
    return found


def unstream(words: Words, *counters: int) -> Words:
    """The keys that a stream's words came from."""
    for counter in reversed(counters):
        words = unmix(unmix(words) - np.uint64(counter))
    return words


def test_the_mix_can_be_undone() -> None:
    words = game_seeds(5, 1000)
    assert np.array_equal(unmix(mix(words)), words)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_policys_numbers_do_not_tell_the_deal(variant: str) -> None:
    """The float shows 53 bits of a word; the others are tried, and each guess dealt out."""
    game = rules(variant)
    recovered = 0
    for seed in range(GAMES):
        engine = Engine(game, seed=seed)
        engine.reset()
        shown = np.uint64(engine.random().random()[0] * 2.0**53) << np.uint64(11)
        guesses = unstream(shown | np.arange(GUESSES, dtype=np.uint64), 0, 1)
        hand = engine.look(engine.to_move).hand
        for undone in (guesses, unstream(guesses, 1 << 40)):
            dealt = Engine(game, GUESSES, seed=undone)
            dealt.reset()
            same = (dealt.look(int(engine.to_move[0])).hand == hand).all(axis=1)
            recovered += bool(same.any())
    assert recovered == 0


def test_the_key_that_numbers_come_from_is_no_other_key() -> None:
    """A seat that undoes its numbers has its own key: not the seed, not its neighbour's key."""
    engine = Engine(rules("basic", num_players=4), 500, seed=3)
    engine.reset()
    seeds = engine.seeds
    decisions = one_way(Purpose.DECISIONS, seeds, count=4)
    own = decisions[np.arange(500), engine.to_move]
    assert np.array_equal(engine.random()._keys, mix(mix(own)))
    others = [one_way(purpose, seeds, count=4) for purpose in Purpose if purpose != 5]
    everything = np.concatenate([seeds, *(words.ravel() for words in (*others, decisions))])
    assert len(np.unique(everything)) == len(everything)


def test_a_finished_game_does_not_foretell_the_next() -> None:
    """Whoever knows the seed of a game of a table tries whatever this package does with seeds."""
    engine = Engine(rules("basic"), 50, seed=9)
    engine.reset()
    known = engine.seeds.copy()
    engine.reset()
    tries = [mix(known), mix(~known), unmix(known), keys.next_games(keys.keys_after(known))[0]]
    tries += [word for purpose in Purpose for word in one_way(purpose, known, count=8).T]
    tries += [keys.next_games(one_way(purpose, known, count=2))[0] for purpose in Purpose]
    assert not np.isin(engine.seeds, np.concatenate(tries)).any()


def test_seats_know_nothing_of_each_others_numbers() -> None:
    drawn = one_way(Purpose.DECISIONS, game_seeds(1, 20_000), count=10)
    bits = np.unpackbits(drawn.view(np.uint8).reshape(20_000, 10, 8), axis=2).astype(np.float64)
    flat = bits.reshape(20_000, 640) - bits.mean(axis=0).reshape(640)
    correlations = np.corrcoef(flat.T)[np.triu_indices(640, 1)]
    assert abs(correlations).max() < 6 / 20_000**0.5


@pytest.mark.parametrize("purpose", Purpose)
def test_keys_are_uniform(purpose: Purpose) -> None:
    """Chi-squared over the 256 values of each byte, of counters as secrets: the hardest case."""
    found = one_way(purpose, np.arange(50_000, dtype=np.uint64), count=2)
    for column in found.view(np.uint8).reshape(-1, 16).T:
        counts = np.bincount(column, minlength=256)
        chi_square = ((counts - 50_000 / 256) ** 2 / (50_000 / 256)).sum()
        assert abs(chi_square - 255) < 6 * (2 * 255) ** 0.5


def test_a_key_hangs_on_every_bit_of_the_secret() -> None:
    secrets = game_seeds(2, 300)
    before = one_way(Purpose.SHUFFLE, secrets)[:, 0]
    for bit in range(64):
        after = one_way(Purpose.SHUFFLE, secrets ^ np.uint64(1 << bit))[:, 0]
        flipped = np.bitwise_count(before ^ after).mean()
        assert 30 < flipped < 34


def test_hands_of_a_match_are_dealt_from_keys_of_their_own() -> None:
    """Whoever sees all cards of a hand, and could undo its shuffle, is no nearer to the next."""
    seeds = game_seeds(4, 1000)
    first, second = (one_way(Purpose.SHUFFLE, seeds, hand, 0)[:, 0] for hand in (0, 1))
    for undone in (unmix(first), unstream(first, 1), unstream(first, 1, 0), mix(first), first):
        assert not np.isin(second, undone).any()
        assert not np.isin(seeds, undone).any()


def test_batches_deal_the_same_games_for_the_same_seed() -> None:
    engine = Engine(rules("basic"), 6, seed=11)
    engine.reset()
    vector = RummyVectorEnv("basic", num_envs=6)
    vector.reset(seed=11)
    stable = RummyVecEnv("basic", 6, seed=11)
    stable.reset()
    for games in (vector.games, stable.games):
        assert games.engine.seeds.tolist() == engine.seeds.tolist()


def test_shuffles_come_from_the_key_of_their_hand() -> None:
    engine = Engine(rules("basic", match="match", deals=3, max_turns=1), 50, seed=1)
    engine.reset()
    for hand in (0, 1):
        state = engine.state.copy()
        assert (state.hand_number == hand).all()
        expected = one_way(Purpose.SHUFFLE, state.seed, state.hand_number, state.shuffles)[:, 0]
        assert np.array_equal(next_shuffle(state, np.arange(50)), expected)
        while (some := (engine.state.hand_number == hand).nonzero()[0]).size:
            engine.step(engine.random_actions()[some], some)

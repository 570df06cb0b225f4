"""Mutants of the environments: rewards, masks, seats, endings, autoreset, seeds."""

from tests.mutants import Mutant

MUTANTS = (
    Mutant(
        "rewards since the last turn",
        "what an agent was told to have earned begins anew with its action",
        "        self._cumulative_rewards[agent] = 0.0\n        self._accumulate_rewards()",
        "        self._accumulate_rewards()",
        ("test_aec",),
    ),
    Mutant(
        "mask of another seat",
        "who is not to move has no legal actions",
        "acts = agent == self.agent_selection and not self.terminations.get(agent, True)",
        "acts = not self.terminations.get(agent, True)",
        ("test_aec",),
    ),
    Mutant(
        "cut off and terminated",
        "a game that is cut off is truncated, not terminated",
        "terminated[ended] = ~truncated.take(ended)",
        "terminated[ended] = True",
        ("test_learner", "test_gymnasium"),
    ),
    Mutant(
        "next seat of the learner",
        "the learner moves on by one seat every episode",
        "self.seats[rows] = (self.seats.take(rows) + 1) % self.engine.rules.num_players",
        "self.seats[rows] = (self.seats.take(rows) - 1) % self.engine.rules.num_players",
        ("test_learner",),
    ),
    Mutant(
        "early reward",
        "what is earned before the learner's first decision is paid with it",
        "self._owed[rows] += self.engine.rewards[rows, self.seats.take(rows)]",
        "self._owed[rows] = self.engine.rewards[rows, self.seats.take(rows)]",
        ("test_learner",),
    ),
    Mutant(
        "reward of the game before",
        "nothing is carried over from a game that ended before the learner's turn",
        "self._owed[rows] = self._returns[rows] = self._lengths[rows] = 0",
        "self._returns[rows] = self._lengths[rows] = 0",
        ("test_learner",),
    ),
    Mutant(
        "mask of a game that is over",
        "a game ended by a penalty has no legal actions",
        "            masks[over] = False\n",
        "            masks[self.engine.finished[slice(None) if rows is None else rows]] = False\n",
        ("test_gymnasium", "test_gymnasium_batch"),
    ),
    Mutant(
        "what a new game brings",
        "what a game pays before the learner's first decision comes with that decision",
        "        rows = rows[self._lengths.take(rows) > 0]\n",
        "        rows = rows[self._lengths.take(rows) >= 0]\n",
        ("test_gymnasium_batch",),
    ),
    Mutant(
        "first come",
        "of the games that were sent, those that were ready first are received first",
        "np.sort(self._back[:count]), self._back[count:]",
        "np.sort(self._back[-count:]), self._back[:-count]",
        ("test_send_recv",),
    ),
    Mutant(
        "autoreset",
        "only with SameStep is a game that is over dealt anew at once",
        "at_once = self.autoreset_mode is AutoresetMode.SAME_STEP and step.ended.size",
        "at_once = self.autoreset_mode is not AutoresetMode.DISABLED and step.ended.size",
        ("test_gymnasium",),
    ),
    Mutant(
        "seeds of a batch",
        "a number deals a batch the games that it deals in the engine",
        "return table_keys(int(seed), self.num_envs), every",
        "return table_keys(int(seed), 1).repeat(self.num_envs, axis=0), every",
        ("test_keys", "test_gymnasium_batch"),
    ),
    Mutant(
        "next game of the seed",
        "a reset without a seed goes on to the next game of the seed given before",
        "super().reset(seed=seed)\n        if seed is None and not self._dealt:",
        "super().reset(seed=seed)\n        if seed is None:",
        ("test_gymnasium",),
    ),
    Mutant(
        "cut off in SB3",
        "an episode's info says whether this very game was cut off",
        '"TimeLimit.truncated": bool(step.truncated[row])',
        '"TimeLimit.truncated": bool(step.truncated[item])',
        ("test_sb3",),
    ),
    Mutant(
        "old opponents",
        "opponents that were replaced do not sit down in new episodes",
        "self._sitting[rows[:, None], seats] += self._pool.sample(chosen)",
        "self._sitting[rows[:, None], seats] = self._pool.sample(chosen)",
        ("test_seating",),
    ),
)

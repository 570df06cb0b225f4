"""Greed, one file for each family of variants; `rummy_env.opponents.Greedy` picks the right one."""

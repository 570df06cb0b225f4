"""Greed, one file for each family of variants; `policies.Greedy` picks the right one."""

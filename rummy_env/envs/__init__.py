"""Environments: thin adapters over the engine, without rules of their own."""

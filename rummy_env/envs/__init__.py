"""Environments: thin adapters over the engine, with no rule inside."""

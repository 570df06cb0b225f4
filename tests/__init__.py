"""Tests of the rummy environments."""

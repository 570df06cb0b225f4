"""Slow reference engines, written from the rule documents alone, to hold the fast core against."""

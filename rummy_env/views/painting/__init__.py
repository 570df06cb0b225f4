"""Painting of the picture of a table."""

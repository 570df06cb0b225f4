"""Fills the tables of the documentation: `python -m docs.tables`."""

import argparse

from docs.tables.pages import rewrite

argparse.ArgumentParser(prog="python -m docs.tables", description=__doc__).parse_args()
for page in rewrite():
    print(f"{page}: rewritten")

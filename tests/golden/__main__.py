"""Draws the golden pictures anew: `python -m tests.golden`. Look at every one of them."""

import argparse

from PIL import Image

from tests.golden import FOLDER, GOLDEN

argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__).parse_args()
for name, golden in GOLDEN.items():
    Image.fromarray(golden.draw()).save(FOLDER / f"{name}.png", optimize=True)
    print(FOLDER / f"{name}.png")

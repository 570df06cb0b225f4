"""Draws the golden pictures anew: `python -m tests.golden`. Look at every one of them."""

from PIL import Image

from tests.golden import FOLDER, GOLDEN

for name, golden in GOLDEN.items():
    Image.fromarray(golden.draw()).save(FOLDER / f"{name}.png", optimize=True)
    print(FOLDER / f"{name}.png")

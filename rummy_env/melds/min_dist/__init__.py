"""How far a hand is from finished: the fewest draws, by tables (`nearness.py`)."""

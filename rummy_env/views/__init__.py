"""From what a seat knows to tensors and words."""

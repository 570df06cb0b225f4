"""What a seat knows, as observations, text and pictures."""

"""Speed and memory, measured beside the field's other engines in one run."""

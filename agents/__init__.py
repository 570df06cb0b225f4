"""The network that training fits, and how it becomes a model."""

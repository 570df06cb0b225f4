"""The versions of the package, and of what its environments do."""

__version__ = "0.1.0"
BEHAVIOUR = 0
"""The version in the names of all environments; a change of what one of them does bumps it."""

"""Training agents and comparing them: commands for the checkout, and the functions behind them."""

from importlib.util import find_spec

if _missing := [name for name in ("torch", "sb3_contrib", "tyro") if find_spec(name) is None]:
    raise ImportError(f"training needs {_missing[0]}: pip install 'rummy-env[train]'")

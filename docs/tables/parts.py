"""The table of the parts that variants are assembled from."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator

import rummy_env
import rummy_env.parts
from rummy_env.core.part import (
    Condition,
    Ending,
    Episode,
    Move,
    Part,
    Restock,
    Rewards,
    Scoring,
)
from rummy_env.evaluation.markdown import pipe_table

KINDS = (Move, Condition, Restock, Ending, Scoring, Episode, Rewards)
"""What a part can be; any other is configured once and named by several."""
SHARED = "shared"
SOURCE = re.compile(r" Source: \S+$")
"""What some first lines of docstrings end with."""


def parts() -> Iterator[type[Part]]:
    """Yield the parts that can be made, module by module, as they are defined."""
    for found in pkgutil.iter_modules(rummy_env.parts.__path__):
        module = importlib.import_module(f"rummy_env.parts.{found.name}")
        for each in vars(module).values():
            own = inspect.isclass(each) and each.__module__ == module.__name__
            if own and issubclass(each, Part) and not inspect.isabstract(each):
                yield each


def _kind(part: type[Part]) -> str:
    """Return the name of what a part is."""
    return next((kind.__name__ for kind in KINDS if issubclass(part, kind)), SHARED)


def parts_table() -> str:
    """Return every part with its kind, what it does, and which variants have it by default."""
    having = {name: {*map(type, rummy_env.rules(name).parts)} for name in rummy_env.VARIANTS}
    order, rows = [*(kind.__name__ for kind in KINDS), SHARED], []
    for part in sorted(parts(), key=lambda part: order.index(_kind(part))):
        told = SOURCE.sub("", (inspect.getdoc(part) or "").partition("\n")[0])
        where = ", ".join(f"`{name}`" for name, own in having.items() if part in own)
        place = part.__module__.rpartition(".")[2]
        rows.append((_kind(part).lower(), f"`{part.__name__}`", f"`{place}`", told, where))
    heads = "kind", "class", "module of `rummy_env.parts`", "what it does", "by default in"
    return pipe_table(heads, rows)

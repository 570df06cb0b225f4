"""Tables in Markdown."""

from collections.abc import Iterable


def stacked(figure: str) -> str:
    """Return a figure with its interval below it, for tables of many columns."""
    return figure.replace(" [", "<br>[")


def table(head: str, rows: Iterable[Iterable[object]], *, figures: int = 0) -> str:
    """Return a table.

    Args:
        head: The heads of its columns, parted by strokes.
        rows: As many cells each.
        figures: How many columns, the last ones, have figures and stand flush right.
    """
    columns = [column.strip() for column in head.split("|")]
    rules = ["---"] * (len(columns) - figures) + ["---:"] * figures
    lines = [columns, rules, *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

"""Tables in Markdown, for reports, for the pages of the documentation and for benchmarks."""

from collections.abc import Iterable, Sequence


def stacked(figure: str, below: str = "<br>") -> str:
    """Return a figure with its interval below it, for tables of many columns."""
    return figure.replace(" [", f"{below}[")


def pipe_row(cells: Iterable[object]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def pipe_table(
    columns: Sequence[str], rows: Iterable[Iterable[object]], *, figures: int = 0
) -> str:
    """Return a table.

    Args:
        columns: What heads its columns.
        rows: A cell for each column. Vertical bars in a text must be escaped.
        figures: How many columns, the last ones, have figures and stand flush right.
    """
    rules = ["---"] * (len(columns) - figures) + ["---:"] * figures
    return "\n".join(map(pipe_row, (columns, rules, *rows)))

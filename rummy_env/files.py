"""Writing files whole."""

from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is, at every moment, the whole old one or the whole new one."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_bytes(content)
    fresh.replace(path)

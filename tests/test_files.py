"""Files that several write."""

import errno
import io
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rummy_env.files import append_lines, ends_whole, replacing, write_whole

fcntl = pytest.importorskip("fcntl", reason="this system has no such locks")


def test_whoever_appends_waits_for_the_others(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    with path.open("ab+", buffering=0) as mine, path.open("ab", buffering=0) as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        writer = threading.Thread(target=append_lines, args=(mine, ["mine"]))
        writer.start()
        writer.join(0.2)
        assert writer.is_alive()
        other.write(b"other\n")
        fcntl.flock(other, fcntl.LOCK_UN)
        writer.join(10)
    assert path.read_bytes() == b"other\nmine\n"


def test_what_is_appended_begins_a_line_though_the_file_ends_within_one(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"edited by hand")
    for lines in (["one", "two"], [], ["three"]):
        with path.open("ab+", buffering=0) as file:
            append_lines(file, lines)
    assert path.read_bytes() == b"edited by hand\none\ntwo\nthree\n"


def test_a_file_is_whole_whoever_writes_it(tmp_path: Path) -> None:
    path, each = tmp_path / "lines", [b"one" * 9000, b"two" * 9000]

    def write(content: bytes) -> None:
        for _ in range(100):
            write_whole(path, content)
            assert path.read_bytes() in each

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, each))
    assert [*tmp_path.iterdir()] == [path]


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_whole(tmp_path / "folder", b"text")
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]


def test_what_cannot_be_written_is_named_as_it_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "file" / "inside", tmp_path / ("long" * 100), tmp_path / "no" / "it"):
        with pytest.raises(OSError, match=re.escape(f"'{path}'")):
            write_whole(path, b"text")


def test_a_file_that_a_full_disk_holds_up_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left") as told, replacing(tmp_path / "file"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert told.value.filename == str(tmp_path / "file")


def test_the_end_of_an_endless_file_is_read_no_further_than_a_letter() -> None:
    class Endless(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            assert size == 1
            return b"\0"

    assert not ends_whole(Endless())

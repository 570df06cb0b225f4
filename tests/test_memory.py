"""Memory that arrays of many games use again and again."""

import platform
import subprocess
import sys

import pytest

FAULTS = """
import resource
import numpy as np
from rummy_env.core.memory import keep_freed_memory

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(50):
        np.ones(1 << 16), np.ones(1 << 16)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

print(faults())
keep_freed_memory()
faults()
print(faults())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="about glibc's allocator")
def test_arrays_of_the_same_size_need_no_fresh_pages() -> None:
    told = subprocess.run(
        [sys.executable, "-c", FAULTS], check=True, capture_output=True, text=True
    )
    before, after = map(int, told.stdout.split())
    assert before > 1000 > after

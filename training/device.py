"""What a run computes on: whether it can, on how many threads, and in which numbers faster."""

import math
import time

import torch
from threadpoolctl import threadpool_limits
from torch import Tensor

_PRODUCTS, _MUCH_FASTER = 7, 1.5
"""How often matrix products are tried, and how many times as fast bfloat16 has to be."""


def set_threads(count: int) -> None:
    """Compute on so many threads, in PyTorch and in NumPy, by which saved models play.

    What PyTorch's distributions are given is no longer checked each time.
    """
    torch.set_num_threads(count)
    threadpool_limits(count)
    torch.distributions.Distribution.set_default_validate_args(False)


def check_device(name: str) -> None:
    """Refuse a device that PyTorch cannot compute on here."""
    try:
        known = torch.device(name).type in ("cpu", "cuda")
        torch.zeros(1, device=name if known else "cpu")  # fails where that is not there
    except (RuntimeError, AssertionError):
        known = False
    if not known:
        raise ValueError(f"device={name!r}: give 'cpu', or 'cuda' where PyTorch finds one")


def gains_by_bfloat16(device: str) -> bool:
    """Whether matrix products in bfloat16 are much faster on a device, found by trying some.

    It is not enough that a device has them: some processors do and are slower with them
    (docs/decisions/0028). The margin is wide, so that a device gives the same answer every time.
    """
    own, of_weights = torch.rand(4096, 256, device=device), torch.rand(256, 128, device=device)
    least = dict.fromkeys((torch.float32, torch.bfloat16), math.inf)
    for _ in range(_PRODUCTS):
        for dtype in least:
            left, right = own.to(dtype), of_weights.to(dtype)
            least[dtype] = min(least[dtype], _seconds(left, right))
    return least[torch.float32] > _MUCH_FASTER * least[torch.bfloat16]


def _seconds(left: Tensor, right: Tensor) -> float:
    """Time a matrix product; its result is fetched from the device, so it has ended."""
    start = time.perf_counter()
    (left @ right)[0, 0].item()
    return time.perf_counter() - start

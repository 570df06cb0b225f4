"""Values as a line of JSON that ends with a checksum of itself."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

_SEAL = re.compile(r',"checksum":"([0-9a-f]{16})"}$')
_REMEDY = "take the line as it was written"
_SHOWN = 24
"""Characters of a line that a message shows."""


def digest(text: str) -> str:
    """The first 16 hexadecimal digits of the text's SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def seal(values: Mapping[str, Any]) -> str:
    """A line of plain ASCII, without a newline at the end.

    Args:
        values: At least one entry, all of which JSON can hold.
    """
    text = json.dumps(values, separators=(",", ":"))
    return f'{text[:-1]},"checksum":"{digest(text)}"}}'


def unseal(line: str) -> dict[str, Any]:
    """The values of a line that `seal` made.

    Raises:
        ValueError: If the line is cut short, altered, or something else altogether.
    """
    line = line.strip()
    if not line.startswith("{"):
        raise ValueError(f"{line[:_SHOWN]!r} begins no record, which begins with '{{': {_REMEDY}")
    found = _SEAL.search(line)
    if found is None:
        fault = "altered at its end" if line.endswith('"}') else "cut short"
        raise ValueError(
            f"the record is {fault}: it ends with {line[-_SHOWN:]!r}, and should end with its "
            f'checksum, such as \',"checksum":"{digest("")}"}}\': {_REMEDY}'
        )
    text = line[: found.start()] + "}"
    if digest(text) != found[1]:
        raise ValueError(
            f"the record has been altered: it tells the checksum {found[1]!r}, and that of what "
            f"stands there is {digest(text)!r}: {_REMEDY}"
        )
    values: dict[str, Any] = json.loads(text)
    return values

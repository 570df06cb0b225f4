"""Which hands lie face up when a table is shown."""

from rummy_env.core.checks import check_range, shown

ALL, NONE = "all", "none"
FaceUp = str | int
"""The hands that lie face up: `"all"`, `"none"`, or that of one seat."""


def check_face_up(face_up: object, num_players: int) -> None:
    """Refuse all but `"all"`, `"none"` and the seats of the table.

    Raises:
        ValueError: Naming the value and what is allowed.
    """
    if isinstance(face_up, str) or face_up is None:
        if face_up not in (ALL, NONE):
            raise ValueError(
                f"face_up={shown(face_up)}: give one of {ALL!r}, {NONE!r}, or a seat, "
                f"0 to {num_players - 1}"
            )
    else:
        check_range("face_up", face_up, 0, num_players - 1)

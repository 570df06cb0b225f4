"""Which hands lie face up when a table is shown."""

from rummy_env.core.checks import is_whole, shown

ALL, NONE = "all", "none"
FaceUp = str | int
"""The hands that lie face up: `"all"`, `"none"`, or that of one seat."""


def check_face_up(face_up: object, num_players: int) -> None:
    """Refuse all but `"all"`, `"none"` and the seats of the table.

    Raises:
        ValueError: Naming the value and what is allowed.
    """
    if isinstance(face_up, str):
        fits = face_up in (ALL, NONE)
    else:
        fits = is_whole(face_up) and face_up in range(num_players)
    if not fits:
        raise ValueError(
            f"face_up={shown(face_up)}: give one of {ALL!r}, {NONE!r}, or a seat, "
            f"0 to {num_players - 1}"
        )

"""Which hands lie face up when a table is shown."""

from rummy_env.core.checks import check_choice, check_range

ALL, NONE = "all", "none"
FaceUp = str | int
"""The hands that lie face up: `"all"`, `"none"`, or that of one seat."""


def check_face_up(face_up: object, num_players: int) -> None:
    """Refuse all but `"all"`, `"none"` and the seats of the table.

    Raises:
        ValueError: Naming the value and what is allowed.
    """
    if isinstance(face_up, str) or face_up is None:
        check_choice("face_up", face_up, (ALL, NONE, *range(num_players)))
    else:
        check_range("face_up", face_up, 0, num_players - 1)

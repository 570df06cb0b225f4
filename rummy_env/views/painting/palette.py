"""The colours of the table."""

Colour = tuple[int, int, int]

FELT = (34, 94, 71)
PANEL, LIT_PANEL = (0, 0, 0, 46), (250, 220, 130, 26)
SLOT = (0, 0, 0, 40)
VEIL = (*FELT, 120)
SHADOW = (0, 0, 0, 110)
HEADER = (10, 34, 28)
IVORY, SAGE = (247, 243, 231), (186, 208, 192)
GOLD = (240, 199, 94)
TRAIL, TRAIL_EDGE = (240, 199, 94), (10, 34, 28)
PAPER, PAPER_EDGE = (253, 252, 247), (184, 182, 172)
BACK, BACK_LINE = (46, 74, 122), (148, 172, 212)
BLACK_SUIT, RED_SUIT = (30, 34, 40), (200, 34, 44)
RED_ON_FELT = (255, 150, 140)
CROWN = (206, 160, 62)

SUIT_COLOURS = {"c": BLACK_SUIT, "d": RED_SUIT, "h": RED_SUIT, "s": BLACK_SUIT}
SPECIAL_COLOURS = {
    "WILD": (118, 68, 158),
    "GROUP": (24, 122, 118),
    "SEQUENCE": (36, 92, 168),
    "RUMMY": (190, 126, 22),
    "NO_MELD": (176, 52, 52),
    "CANT_GO_OUT": (92, 96, 104),
}
OTHER_SPECIAL = (64, 84, 132)
"""Of special cards that the catalogue does not have."""

"""The options of a declared-hand game, checked and typed.

Source: rules.md sections 1, 2, 5 and 7.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

from tests.reference.cards import PACK, Cards
from tests.reference.divider import CARDS_LEFT
from tests.reference.options import _choice, _truth, _whole, _whole_or_none
from tests.reference.special_cards import (
    CANT_GO_OUT,
    GROUP,
    NO_MELD,
    RUMMY,
    SEQUENCE,
    WILD,
)

RENEW = "renew"
END = "end"
WINNER = "winner"
CLOCKWISE = "clockwise"

ONLY_IN_A_MATCH = {"match_points", "max_hands"}


@dataclass(frozen=True, kw_only=True)
class DeclaredOptions:
    """Every option with the value it has; nothing is filled in except the absent match options.

    Attributes:
        num_players: Seats at the table, 2 to 10.
        hand_size: Cards dealt to each seat, 2 or more.
        decks: Packs of 52 regular cards, 1 or 2.
        wildcards: WILDs, 0 to 3, in Sequences Rummy 3 to 7.
        rummy_cards: RUMMY cards, 0 or 2.
        group_card: Whether GROUP is in the pack.
        sequence_card: Whether SEQUENCE is in the pack.
        no_meld_card: Whether NO MELD is in the pack.
        cant_go_out_card: Whether CAN'T GO OUT is in the pack.
        leftover: Cards outside of the melds when going out: "at_most_one", "none", "exactly_one".
        four_sevens: Whether the four natural 7s may be laid down.
        sequences_rummy: Whether hands are finished as in Sequences Rummy.
        going_out_variation: Whether the game goes on till someone goes out.
        three_card_draw: Whether the top discard may be followed by two more cards.
        spread_out_discards: Whether any card of the pile may be taken, with those above it.
        stock_exhausted: "renew" (shuffle the discards but the top one) or "end" (of the hand).
        match: "hand" (an episode is one hand) or "match".
        match_points: Game points that decide a match.
        tie_break: Whether those who lead a decided match together play on alone.
        first_player_next: "winner" (of the last hand) or "clockwise".
        max_turns: Turns after which a hand is a stalemate.
        max_hands: Hands after which an undecided match is truncated, or None.
        reward: "points", "zero_sum" or "win".
    """

    num_players: int
    hand_size: int
    decks: int
    wildcards: int
    rummy_cards: int
    group_card: bool
    sequence_card: bool
    no_meld_card: bool
    cant_go_out_card: bool
    leftover: str
    four_sevens: bool
    sequences_rummy: bool
    going_out_variation: bool
    three_card_draw: bool
    spread_out_discards: bool
    stock_exhausted: str
    match: str
    match_points: int | None
    tie_break: bool
    first_player_next: str
    max_turns: int
    max_hands: int | None
    reward: str

    @classmethod
    def from_mapping(cls, options: Mapping[str, object]) -> Self:
        """Check a mapping of options.

        Raises:
            ValueError: If an option is missing, unknown or has a value outside of what is allowed.
        """
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(options) - known)
        missing = sorted(known - ONLY_IN_A_MATCH - set(options))
        if unknown or missing:
            raise ValueError(f"unknown options {unknown}, missing options {missing}")
        made = cls(
            num_players=_whole(options, "num_players", least=2, most=10),
            hand_size=_whole(options, "hand_size", least=2, most=len(PACK)),
            decks=_whole(options, "decks", least=1, most=2),
            wildcards=_whole(options, "wildcards", least=0, most=7),
            rummy_cards=_whole(options, "rummy_cards", least=0, most=2),
            group_card=_truth(options, "group_card"),
            sequence_card=_truth(options, "sequence_card"),
            no_meld_card=_truth(options, "no_meld_card"),
            cant_go_out_card=_truth(options, "cant_go_out_card"),
            leftover=_choice(options, "leftover", *CARDS_LEFT),
            four_sevens=_truth(options, "four_sevens"),
            sequences_rummy=_truth(options, "sequences_rummy"),
            going_out_variation=_truth(options, "going_out_variation"),
            three_card_draw=_truth(options, "three_card_draw"),
            spread_out_discards=_truth(options, "spread_out_discards"),
            stock_exhausted=_choice(options, "stock_exhausted", RENEW, END),
            match=_choice(options, "match", "hand", "match"),
            match_points=_whole_or_none(options, "match_points"),
            tie_break=_truth(options, "tie_break"),
            first_player_next=_choice(options, "first_player_next", WINNER, CLOCKWISE),
            max_turns=_whole(options, "max_turns", least=1),
            max_hands=_whole_or_none(options, "max_hands"),
            reward=_choice(options, "reward", "points", "zero_sum", "win"),
        )
        made._check_cards()
        made._check_variation()
        made._check_match()
        return made

    def pack(self) -> Cards:
        """All cards of the game, the regular ones before the special ones.

        Source: rules.md section 1.
        """
        return (
            PACK * self.decks
            + (WILD,) * self.wildcards
            + (GROUP,) * self.group_card
            + (SEQUENCE,) * self.sequence_card
            + (RUMMY,) * self.rummy_cards
            + (NO_MELD,) * self.no_meld_card
            + (CANT_GO_OUT,) * self.cant_go_out_card
        )

    def _check_cards(self) -> None:
        dealt = self.num_players * self.hand_size
        if dealt >= len(self.pack()):
            raise ValueError(
                f"hand_size={self.hand_size} for num_players={self.num_players} leaves no stock "
                f"of the {len(self.pack())} cards of the pack"
            )
        if self.rummy_cards == 1:
            raise ValueError("rummy_cards=1 is neither 0 nor 2")
        if not self.sequences_rummy:
            if self.wildcards > 3:
                raise ValueError(f"wildcards={self.wildcards} is outside of 0 to 3")
        elif self.wildcards < 3 or len(self.pack()) > len(PACK) * self.decks + self.wildcards:
            raise ValueError("sequences_rummy wants 3 to 7 wildcards and no other special card")

    def _check_variation(self) -> None:
        """What `going_out_variation` demands. Source: rules.md section 5.2."""
        if not self.going_out_variation:
            return
        if not 3 <= self.num_players <= 7:
            raise ValueError(f"going_out_variation is for 3 to 7 players, not {self.num_players}")
        if self.cant_go_out_card or self.stock_exhausted != RENEW:
            raise ValueError(
                "going_out_variation wants cant_go_out_card=False and stock_exhausted='renew'"
            )

    def _check_match(self) -> None:
        if self.match == "match" and self.match_points is None:
            raise ValueError("match='match' needs match_points, not None")
        if self.first_player_next == WINNER and self.rummy_cards:
            raise ValueError(
                "first_player_next='winner' names nobody where RUMMY cards share a win; "
                "use 'clockwise'"
            )

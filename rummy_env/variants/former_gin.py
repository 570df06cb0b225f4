"""The gin that PettingZoo had until it was removed, RLCard's; it is not in the catalogue."""

from dataclasses import dataclass

from rummy_env.core.arrays import Bools
from rummy_env.core.cards import Pack
from rummy_env.core.movers import Movers
from rummy_env.core.part import Condition
from rummy_env.core.rules import END_HAND, END_TURN, Phase, Rules
from rummy_env.parts.discarding import Discard
from rummy_env.parts.drawing import DrawDiscard, DrawStock
from rummy_env.parts.gin_points import GinPoints
from rummy_env.parts.knocking import AtWall, Knock, KnockLimit, Pass
from rummy_env.parts.match import SingleHand
from rummy_env.parts.restocking import HandEnds
from rummy_env.parts.rewards import Points
from rummy_env.variants.gin import KNOCK_CARD, NEVER_ENDS

HAND_SIZE = 10
MOST_TURNS = 100
"""The number of turns after which the only legal action is to end the hand."""


@dataclass(frozen=True)
class InTurn(Condition):
    """Holds in one turn of the hand, counted from 0.

    Source: docs/former_gin.md#the-game
    """

    turn: int

    def holds(self, movers: Movers) -> Bools:
        """See `Condition.holds`."""
        holds: Bools = movers.state.turn_number.take(movers.rows) == self.turn
        return holds


def former_gin() -> Rules:
    """Gin without a first upcard: the first player has eleven cards. One hand, nothing laid off.

    What the hand is worth is not in these rules: the former environment paid in its own way. Nor is
    that whoever can go gin must, which the mask of the environment sees to (`envs.former_gin`).

    Source: docs/former_gin.md#the-game
    """
    limit, never = KnockLimit(KNOCK_CARD), HandEnds(NEVER_ENDS)
    last = InTurn(MOST_TURNS)
    draw, take, declare_dead = DrawStock(never), DrawDiscard(), Pass(limit)
    knock = Knock(limit, HAND_SIZE, manual=False, return_taken=True, big_gin=False)
    return Rules(
        name="former_gin",
        options=(),
        pack=Pack(),
        num_players=2,
        hand_size=HAND_SIZE,
        first_discard=False,
        turn=(
            Phase("eleventh_card", {draw: "play"}, when=InTurn(0), otherwise="last"),
            Phase("last", {declare_dead: END_HAND}, when=last, otherwise="wall"),
            Phase("wall", {take: "play", declare_dead: END_HAND}, when=AtWall(), otherwise="draw"),
            Phase("draw", {draw: "play", take: "play"}),
            Phase("play", {knock: END_HAND, Discard(Pack()): END_TURN}),
        ),
        restocking=never,
        endings=(),
        scoring=GinPoints(limit, "none", 0, 0, 0, undercut_on_tie=False),  # no bonuses
        episode=SingleHand(),
        rewards=Points(),
        max_turns=MOST_TURNS + 1,
    )

"""Rounds: every shard of the games plays a rollout, in this process or on workers."""

from collections.abc import Iterator, Sequence

from rummy_env.envs.seating import Opponents
from rummy_env.workers import Crew
from training.player import Block, Player, Shard


def sizes(games: int, shards: int) -> list[int]:
    """Return the number of games in each shard, as even as possible."""
    return [games // shards + (shard < games % shards) for shard in range(shards)]


_Underway = tuple[Iterator[tuple[Block, Shard]], int]
"""A round that workers are playing, and the updates that the weights they play by have had."""


class Rounds:
    """The games of a run, and who plays them.

    Attributes:
        shards: All games. While workers play a round, these are the games as they were before it,
            so that a checkpoint neither loses a game nor has one twice.
        staleness: Updates by which the weights of the last round were behind.
    """

    def __init__(self, shards: Sequence[Shard]) -> None:
        """Play here, in this process, until there is a crew."""
        self.shards = [*shards]
        self.staleness = 0
        self._crew: Crew | None = None
        self._ahead = 0
        self._underway: _Underway | None = None
        self._seated: Opponents | None = None

    @property
    def replaced(self) -> int:
        """Workers that died and were replaced."""
        return 0 if self._crew is None else self._crew.replaced

    def hand_to(self, crew: Crew, ahead: int) -> None:
        """Let workers play; if `ahead` is 1, the next round while this one is learned from."""
        self._crew, self._ahead = crew, ahead

    def seconds(self, blocks: Sequence[Block]) -> float:
        """Return the time that blocks took: side by side in workers, else one after the other."""
        total = sum(block.seconds for block in blocks)
        return total if self._crew is None else total / len(blocks)

    def set_opponents(self, opponents: Opponents) -> None:
        """Replace the opponents of all games dealt from the next round to begin onwards."""
        self._seated = opponents
        for shard in self.shards:
            shard.env.games.set_opponents(opponents)

    def play(self, player: Player, price: float, updates: int) -> list[Block]:
        """Return a rollout of every shard, in the order of the shards.

        Args:
            player: Plays in this process; if there are workers, its weights are sent to them.
            price: As for `Player.play`.
            updates: Updates of the weights so far.
        """
        if self._crew is None:
            return [player.play(shard, price) for shard in self.shards]
        if self._underway is None:
            self._underway = self._begin(self._crew, player, price, updates)
        results, made = self._underway
        played = [*results]
        self.staleness = updates - made
        self.shards = [shard for _, shard in played]
        self._underway = None
        if self._ahead:
            if self._seated is not None:
                self.set_opponents(self._seated)
            self._underway = self._begin(self._crew, player, price, updates)
        return [block for block, _ in played]

    def _begin(self, crew: Crew, player: Player, price: float, updates: int) -> _Underway:
        weights = {name: array.cpu() for name, array in player.policy.state_dict().items()}
        self._seated = None
        return crew.map(self.shards, (weights, price)), updates

"""The best play after a knock in gin, where melds are laid down and laid off one by one."""

import numpy as np

from rummy_env.core.actions import ActionSpace
from rummy_env.core.arrays import Bools, Rows, Words
from rummy_env.core.bits import ONE, ZERO, bit_index, lowest, word
from rummy_env.core.cards import ACES, regular_bit
from rummy_env.core.visibility import SeatView
from rummy_env.melds.patterns import fits_groups, fits_sequences
from rummy_env.melds.showdown import Melded, best_arrangement, best_lay_off

_TWO = np.uint64(2)


class AfterKnock:
    """Finds, move by move, the play that leaves the least deadwood.

    The melds laid down are those of one best way to meld the hand. The rest of the hand then still
    has its least deadwood, so the next move can be found from the rest alone; so can lay-offs.
    """

    def __init__(self, space: ActionSpace) -> None:
        self._refuse = space.index("pass")
        self._on_group = space.numbers("lay_off_group")
        self._on_sequence = space.numbers("lay_off_sequence")
        self._lay_offs = space.numbers("lay_off_group", "lay_off_sequence")
        self._melds = space.numbers("meld_group", "meld_sequence")
        cards = [map(regular_bit, space.actions[number].cards) for number in self._melds]
        held: Words = np.array([word(bits) for bits in cards], np.uint64)
        self._numbers: Rows = self._melds[held.argsort()]
        self._held = np.sort(held)

    def act(self, view: SeatView, mask: Bools) -> Rows:
        """Play on after a knock: lay off the best cards, lay down melds, or pass; intp[N]."""
        actions = np.full(len(view), self._refuse)
        can_lay_off = mask[:, self._lay_offs].any(axis=1)
        can_lay_down = mask[:, self._melds].any(axis=1)
        for some, decide in ((can_lay_off, self._lay_off), (can_lay_down, self._lay_down)):
            items = np.flatnonzero(some)
            if items.size:
                actions[items] = decide(view.take(items))
        return actions

    def _lay_down(self, view: SeatView) -> Rows:
        meld = _first_meld(best_arrangement(view.hand[:, 0]))
        number = self._numbers.take(self._held.searchsorted(meld), mode="clip")
        return np.where(meld != ZERO, number, self._refuse)

    def _lay_off(self, view: SeatView) -> Rows:
        """Lay a card that fits a group and a sequence on the sequence, for others to follow."""
        hand, sequenced = view.hand[:, 0], view.sequenced
        table = Melded(view.grouped, sequenced, np.zeros_like(hand))
        wanted, _ = best_lay_off(table, hand, hand)
        on_sequence = lowest(wanted & fits_sequences(sequenced, ace_high=False))
        on_group = lowest(wanted & fits_groups(view.grouped))
        actions = np.full(len(view), self._refuse)
        for card, numbers in ((on_group, self._on_group), (on_sequence, self._on_sequence)):
            fits = card != ZERO
            actions[fits] = numbers[bit_index(card[fits])]
        return actions


def _first_meld(melded: Melded) -> Words:
    """uint64[N], the cards of a meld that can be laid down, or none; long sequences are split."""
    group = melded.grouped & fits_groups(lowest(melded.grouped))
    first = lowest(melded.sequenced)
    three = first | first << ONE | first << _TWO
    longer = _continued(three, melded.sequenced)
    longest = _continued(longer, melded.sequenced)
    whole = _continued(longest, melded.sequenced) == longest
    return np.where(group != ZERO, group, np.where(whole, longest, three))


def _continued(sequences: Words, cards: Words) -> Words:
    """Sequences with the next card on top where it is among the cards; uint64[N]."""
    return sequences | sequences << ONE & cards & ~ACES

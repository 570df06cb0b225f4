"""The strong baseline for variants with declared hands."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rummy_env.baselines.declared import (
    KEPT,
    DeclaredFamily,
    DeclaredMoves,
    Discarding,
    Taking,
    declared_moves,
)
from rummy_env.baselines.explanation import Explanation, weighed
from rummy_env.core.arrays import Bools, Float64s, Int8s, Integers, Ints, Rows
from rummy_env.core.bits import count_all, merged
from rummy_env.core.cards import NUM_REGULAR
from rummy_env.core.checks import check_number, shown
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView
from rummy_env.melds.card_worth import chances_of_next, counts, outs, rounded
from rummy_env.melds.declaration import RUMMY
from rummy_env.melds.hands import Hands
from rummy_env.melds.min_dist import UNREACHABLE
from rummy_env.parts.declared_features import live_copies

_SURELY = 0.9
"""The most that a chance is taken to be: what is hidden is never quite sure."""
_EVEN = 0.5
"""The chance to win where it does not depend on what is discarded, but for what that gives away."""
_FAINT = 0.07
"""The weight in outs of a meld that lacks two live cards, relative to one that lacks one."""
_LATE = 1
"""The stock's estimated size, as `stock_estimate`, from which on its end is near."""


@dataclass(frozen=True)
class StrongDeclared(DeclaredFamily):
    """Plays for the best chance to finish first: counts live cards, and feeds nobody.

    A hand that is n draws short is finished by n draws that each save one; in every round until
    then another player may end the hand. The chance of the next saving draw follows from the live
    cards that save one; for later draws it is a guess. A RUMMY card that comes wins as well.

    Attributes:
        hazard: The chance that a player ends the hand in a turn.
        from_pile: The part by which the discard pile raises the chance of a saving draw.
        typical: Guessed chances that the last draw comes, the last but one, and so on.
        danger: The part of the chance to win that is lost if the next player surely melds the
            discard.
        promise: The chance to win that is lost for each live card that would complete a meld of
            three with the discard and another card of the hand.

    Raises:
        ValueError: If a number is none that it can be.
    """

    hazard: float = 0.15
    from_pile: float = 0.3
    typical: tuple[float, ...] = (0.15, 0.3, 0.45, 0.6, 0.7)
    danger: float = 0.5
    promise: float = 0.0

    def __post_init__(self) -> None:
        wanted = "a chance, above 0 and below 1"
        check_number("hazard", self.hazard, wanted, lambda chance: 0 < chance < 1)
        if not isinstance(self.typical, tuple) or not self.typical:
            raise ValueError(f"typical={shown(self.typical)}: give chances, in a tuple")
        for chance in self.typical:
            check_number("typical", chance, "chances above 0, at most 1", lambda p: 0 < p <= 1)
        check_number("from_pile", self.from_pile, "a number, 0 or above", lambda x: 0 <= x < np.inf)
        check_number("danger", self.danger, "a part, 0 to 1", lambda part: 0 <= part <= 1)
        check_number("promise", self.promise, "a chance, 0 to 1", lambda chance: 0 <= chance <= 1)

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Choose an action in each of N games; see `rummy_env.baselines.heuristics.Policy`.

        Raises:
            ValueError: If nobody declares a hand in these rules.
        """
        play = self.play(view.rules)
        return play.moves.act(view, mask, rng, play.draw, play.discard)

    def explain(self, view: SeatView, mask: Bools, rng: GameRandom) -> Explanation:
        """Return the chances to win that it compares; see `rummy_env.baselines.explanation`.

        A move that is out of the question, whatever its chance, has none, and a draw that wins at
        once has 1. Nothing is compared where the hand can be declared, or a further card helps.
        """
        play = self.play(view.rules)
        choice = int(self.act(view, mask, rng)[0])
        if choice in (*play.moves.wins, play.moves.extra):
            return Explanation(choice=choice)
        tell = play.told_draws if play.moves.drawing(mask)[0] else play.told_discards
        return Explanation(choice=choice, weights=tell(view, mask))

    def play(self, rules: Rules) -> "DeclaredPlay":
        """Return what it does under these rules; a ValueError as for `act`."""
        return _plays(rules, self)


class _LiveCards:
    """The cards that the viewers have not located: `cards` are all of them, as hands.

    They come to the viewers and to the others.
    """

    def __init__(self, moves: DeclaredMoves, view: SeatView) -> None:
        self.cards = moves.declaration.hands(view.unseen)
        self._total = count_all(view.unseen).astype(np.int64)
        self.others: Rows = (~view.sits_out[:, 1:]).sum(axis=1)
        """intp[N], the others who play this hand."""

    def chance(self, count: Integers, row: Rows) -> Float64s:
        """float64[M], the chance that the next card of the stock is one of `count` live ones."""
        return count / np.maximum(self._total[row], 1)


class DeclaredPlay:
    """The play for some rules: the chances to win that `StrongDeclared` compares."""

    def __init__(self, rules: Rules, style: StrongDeclared) -> None:
        self.moves: DeclaredMoves = declared_moves(rules)
        self._style = style
        survives: list[float] = [(1 - style.hazard) ** k for k in range(rules.num_players)]
        self._survives: Float64s = np.array(survives)
        """By the number of others, the chance that none of them ends the hand in a round."""
        self._then: Float64s = np.array([self._later(chance) for chance in survives])
        specials = self.moves.specials
        self._kept = np.array([KEPT.get(kind, 0) for kind in specials], np.int16)
        self._rummy = rules.pack.code(RUMMY) if RUMMY in specials else -1
        self._stock_ends_it = rules.restocking.ends_hand_at >= 0

    def _later(self, survives: float) -> list[float]:
        """Return the chance to win once the next draw has saved one, by the draws left then."""
        chances, before = [1.0], 1.0
        for typical in self._style.typical:
            before = typical * before / (1 - (1 - typical) * survives)
            before *= survives
            chances.append(before)
        return chances

    def draw(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Take a discard that beats the average card of the stock."""
        taking, pile, stock = self._draws(view)
        return np.where(
            (pile > stock) | ~mask[:, self.moves.stock], taking.actions, self.moves.stock
        )

    def told_draws(self, view: SeatView, mask: Bools) -> dict[str, Float64s]:
        """Return the chances to win by the draws, N = 1."""
        taking, (pile,), (stock,) = self._draws(view)
        chances = np.array([1.0 if pile == np.inf else pile, stock if pile < np.inf else np.nan])
        chances[chances == -np.inf] = np.nan
        places = [int(taking.actions[0]), self.moves.stock]
        return {"chance to win": weighed(mask[0], places, chances)}

    def _draws(self, view: SeatView) -> tuple[Taking, Float64s, Float64s]:
        """Return the best draw from the pile, and the chances to win by it and by the stock.

        One that is out of the question has -inf, one that wins at once inf.
        """
        moves = self.moves
        hands, live = moves.hands(view), _LiveCards(moves, view)
        taking = moves.best_taking(view, hands)
        discards = moves.weigh(taking.hands)
        everything = np.ones((len(view), moves.num_discards), np.bool_)
        pile = self._after_discards(taking.hands, discards, live, everything).max(axis=1)
        pile *= self._survives[live.others]
        stock = self._before_draw(hands, live, np.arange(len(view)))
        if self._stock_ends_it:
            self._to_the_end(view, hands, pile, stock)
        pile[discards.finished] = np.inf
        pile[hands.cant_go_out] = -np.inf
        pile[view.top == self._rummy] = np.inf
        pile[~taking.possible] = -np.inf
        return taking, pile, stock

    def _to_the_end(self, view: SeatView, hands: Hands, pile: Float64s, stock: Float64s) -> None:
        """When the stock runs out, holders of a RUMMY card draw it down.

        Others leave its last cards alone, unless one more card may be enough to go out.
        """
        late = np.flatnonzero(view.stock_estimate <= _LATE)
        hopeless = self.moves.distance(hands.take(late).with_blank()) > 1
        stock[late[hopeless]] = -np.inf
        pile[late[hands.rummy.take(late) > 0]] = -np.inf

    def discard(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """Return the discard with the best chance to win, less what it gives the next player."""
        chance, _ = self.weigh_discards(view, mask)
        return self.moves.discards.start + chance.argmax(axis=1)

    def told_discards(self, view: SeatView, mask: Bools) -> dict[str, Float64s]:
        """Return the chances to win after the discards tried, N = 1, and what these give away."""
        (chance,), (given,) = self.weigh_discards(view, mask)
        tried = np.flatnonzero(chance > -np.inf)
        shares = np.zeros(len(chance))
        shares[:NUM_REGULAR] = given
        places = self.moves.discards.start + tried
        return {
            "chance to win": weighed(mask[0], places, np.maximum(chance[tried], 0)),
            "share given away": weighed(mask[0], places, shares[tried]),
        }

    def weigh_discards(self, view: SeatView, mask: Bools) -> tuple[Float64s, Float64s]:
        """float64[N, discards], the chances to win; float64[N, 52], the share that they give away.

        A discard gives a part away if the next player can meld it with two others.
        """
        use = rounded(chances_of_next(view, ace_high=True)).T.astype(np.float64)
        given_away = np.minimum(use * self._style.danger, _SURELY)
        return self.chances(view, mask, given_away), given_away

    def chances(self, view: SeatView, mask: Bools, given_away: Float64s) -> Float64s:
        """float64[N, discards], the chances to win if discards give such shares away, [N, 52].

        Discards that are not tried have -inf. What the discards promise may leave less than 0.
        """
        moves = self.moves
        hands, live = moves.hands(view), _LiveCards(moves, view)
        discards = moves.weigh(hands)
        chance = self._after_discards(hands, discards, live, mask[:, moves.discards])
        tried = chance[:, :NUM_REGULAR]
        np.multiply(tried, 1 - given_away, out=tried, where=tried > -np.inf)
        if self._style.promise:
            hoped = outs(counts(merged(view.hand)), live_copies(view), faint=_FAINT, ace_high=True)
            tried -= hoped.T.astype(np.float64) * self._style.promise
        return chance

    def _after_discards(
        self, hands: Hands, discards: Discarding, live: _LiveCards, legal: Bools
    ) -> Float64s:
        """float64[N, discards], the chance to win after discards of least MinDist; others -inf.

        Holders of CANT_GO_OUT may discard anything but stand-ins and RUMMY cards.
        """
        near = discards.distance.astype(np.int16)
        near[:, NUM_REGULAR:] += self._kept
        near[~legal] = np.iinfo(np.int16).max
        tried = (near == near.min(axis=1, keepdims=True)) & legal
        found = np.full(near.shape, -np.inf)
        row, card = np.nonzero(tried[:, :NUM_REGULAR])
        outs = discards.outs(live.cards, tried[:, :NUM_REGULAR])[row, card]
        found[row, card] = self._chance(discards.distance[row, card], outs, live, row)
        if tried[:, NUM_REGULAR:].any():
            left, row, card = self.moves.without_specials(hands, tried[:, NUM_REGULAR:])
            found[row, card] = self._before_draw(left, live, row)
        found[tried & hands.cant_go_out[:, None]] = _EVEN
        return found

    def _before_draw(self, hands: Hands, live: _LiveCards, row: Rows) -> Float64s:
        """float64[M], the chance to win of hands that are to draw now, in some of the games."""
        short, outs = self.moves.draws(hands, live.cards.take(row))
        return self._chance(short, outs, live, row)

    def _chance(self, short: Int8s, outs: Ints, live: _LiveCards, row: Rows) -> Float64s:
        """float64[M], the chance to win of hands that are so many draws short, with their outs."""
        saves = np.minimum(live.chance(outs, row) * (1 + self._style.from_pile), _SURELY)
        rummy = live.chance(live.cards.rummy[row], row)
        others = live.others[row]
        then = self._then[others, np.clip(short - 1, 0, self._then.shape[1] - 1)]
        misses = np.maximum(1 - saves - rummy, 0) * self._survives[others]
        return np.where(short < UNREACHABLE, (saves * then + rummy) / (1 - misses), 0.0)


_plays = lru_cache(maxsize=64)(DeclaredPlay)

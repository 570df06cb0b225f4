"""The turn that the page of a variant shows, move by move, as the engine plays it."""

from docs.worked import AGENT, TURNS
from rummy_env import Engine
from rummy_env.core.naming import action_name, player_name
from rummy_env.evaluation.markdown import pipe_table
from rummy_env.views.scene import seat_views
from rummy_env.views.text import open_text, seat_text


def turn(name: str) -> str:
    """Draw the table before the turn as the mover sees it, each action, and the table after it."""
    worked, moves = TURNS[name], list[tuple[object, ...]]()
    for engine, action in worked.played():
        if not moves:
            mover = int(engine.to_move[0])
            before = seat_text(engine.look(mover), mover)
        if action >= 0:
            legal = int(engine.legal_mask()[0].sum())
            moves.append((len(moves) + 1, f"`{action_name(engine.describe(action))}`", legal))
    return "\n\n".join(
        [
            f"Turn {worked.turn} of the game that `rummy_env.Engine({worked.call}, "
            f"seed={worked.seed})` deals and `{AGENT}` plays in all seats. `{player_name(mover)}` "
            f"is to move, and sees:",
            _block(before),
            pipe_table(("move", "action", "legal actions"), moves, figures=1),
            "The table after it, which is also in the picture above:",
            _block(_after(engine, mover)),
        ]
    )


def _after(engine: Engine, mover: int) -> str:
    """Return the table as the mover sees it; with all hands open once the game is over."""
    if engine.finished[0]:
        return open_text(seat_views(engine))
    return seat_text(engine.look(mover), mover)


def _block(text: str) -> str:
    return f"```text\n{text}\n```"

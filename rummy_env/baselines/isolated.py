"""Strangers' policies: each in a process of its own, which is told what its seat knows.

Python hides nothing from code that runs beside it: a view leads to the table, and so does every
frame that called. A policy that may not be trusted with that is loaded and asked in another
process, to which only values go: what the seat knows, the legal actions, random numbers. What comes
back is read as whole numbers or as text, never as objects.

This keeps a policy from cheating, not from harm: it is no sandbox. Run hostile code in a container.
"""

import os
import signal
import traceback
from collections.abc import Iterable
from multiprocessing import current_process, get_context
from multiprocessing.connection import Connection
from pickle import PicklingError

import numpy as np

from rummy_env.baselines.answers import BadAnswer, misfit
from rummy_env.baselines.heuristics import Policy
from rummy_env.baselines.policies import Named, name_of, resolve
from rummy_env.core.arrays import Bools, Rows
from rummy_env.core.rules import Rules
from rummy_env.core.shuffle import GameRandom
from rummy_env.core.visibility import SeatView, ToldView

_DONE, _REFUSED, _MISFIT, _FAILED = b"+", b"?", b"!", b"-"
_ACTION = "<i8"


class Broken(ValueError):  # noqa: N818  (named for what happened)
    """A policy that raised something in its process; the message has its traceback."""


class Died(RuntimeError):  # noqa: N818  (named for what happened)
    """A process that has died, or was ended."""


class Isolated:
    """A policy that plays some rules in a process of its own.

    The process begins at once, and ends with `close`. It is not shared with other policies, so one
    that is asked for several seats of the same deal cannot tell itself what it saw there, if each
    seat gets an `Isolated` of its own.
    """

    def __init__(self, policy: Named, rules: Rules) -> None:
        """Load the policy over there.

        Args:
            policy: As for `resolve`. An object must be one that `pickle` can send.
            rules: The rules that it is to play.

        Raises:
            ValueError: If there is no such policy, it cannot play the rules, or its class cannot be
                imported over there.
        """
        self.name = name_of(policy)
        if current_process().daemon:
            raise ValueError(
                f"{self.name} cannot have a process of its own: this one is daemonic, as workers "
                f"of AsyncVectorEnv and SubprocVecEnv are; give the former daemon=False, or use "
                f"gymnasium.make_vec or RummyVecEnv"
            )
        self._given = policy, rules
        self._asker = os.getpid()
        context = get_context("spawn")
        self._connection, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there, policy, rules), daemon=True)
        try:
            self._process.start()
            there.close()
            self._ask()
        except (AttributeError, PicklingError, RuntimeError) as error:
            self.close()
            raise ValueError(
                f"{self.name} does not start in a process of its own: define its class at the top "
                f"level of a module that can be imported, or give an import string; and a script "
                f"makes environments below `if __name__ == '__main__':` ({error})"
            ) from error
        except BaseException:
            self.close()
            raise

    def __reduce__(self) -> tuple[type["Isolated"], tuple[Named, Rules]]:
        """Return what makes a copy, which has a process of its own."""
        return Isolated, self._given

    def act(self, view: SeatView, mask: Bools, rng: GameRandom) -> Rows:
        """See `Policy.act`.

        Raises:
            Broken: If the policy raised something.
            Died: If its process has died, or was ended.
            BadAnswer: If it gave no action for each game.
        """
        return np.frombuffer(self._ask(view.told(), mask, rng), _ACTION).astype(np.intp)

    def _ask(self, *question: object) -> bytes:
        """Return the answer of the process to a question, or to its start.

        An exception from elsewhere, such as Ctrl-C, ends the process: the answer that it still owes
        would pass for the answer to a later question.
        """
        if os.getpid() != self._asker:  # two would get each other's answers
            raise Died(
                f"the process of {self.name} answers to process {self._asker}, which was forked: "
                f"make the environment anew in this one"
            )
        if self._connection.closed:
            raise Died(
                f"the process of {self.name} has ended, as it was closed or interrupted: make the "
                f"environment anew"
            )
        try:
            if question:
                self._connection.send(question)
            answer = self._connection.recv_bytes()
        except (EOFError, ConnectionError) as error:
            self.close()
            raise Died(f"the process of {self.name} has died") from error
        except BaseException:
            self.close()
            raise
        kind, said = answer[:1], answer[1:]
        if kind == _DONE:
            return said
        told = said.decode(errors="backslashreplace")
        if kind == _REFUSED:
            raise ValueError(told)
        if kind == _MISFIT:
            raise BadAnswer(self.name, told, self)
        raise Broken(f"{self.name} failed in its process:\n{told}")

    def close(self) -> None:
        """End the process, if it has begun."""
        self._connection.close()
        if self._process.pid is not None:
            self._process.terminate()
            self._process.join()


def end_processes(policies: Iterable[Policy]) -> None:
    """End the processes of the isolated policies."""
    for policy in policies:
        if isinstance(policy, Isolated):
            policy.close()


def _serve(connection: Connection, policy: Named, rules: Rules) -> None:
    """Load a policy and answer for it until the connection is closed.

    Ctrl-C, which a terminal sends to all processes, is for the one that asks.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        try:
            found = resolve(policy, rules)
        except (TypeError, ValueError) as error:
            connection.send_bytes(_REFUSED + str(error).encode())
            return
        connection.send_bytes(_DONE)
        while True:
            try:
                told, mask, rng = connection.recv()
            except EOFError:
                return
            actions = np.asarray(found.act(ToldView(rules, told), mask, rng))
            if wrong := misfit(actions, len(mask)):
                connection.send_bytes(_MISFIT + wrong.encode())
            else:
                connection.send_bytes(_DONE + actions.astype(_ACTION).tobytes())
    except Exception:
        connection.send_bytes(_FAILED + traceback.format_exc().encode())

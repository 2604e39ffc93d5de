"""Searches with a network of one's own, which is asked about many positions at once."""

from __future__ import annotations

from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple

from . import _spinney
from ._spinney import State

#: Positions and the ids of their legal moves; gives values for the first player, and priors of the moves or None.
Network = Callable[[List[Any], List[List[int]]], Tuple[Sequence[float], Optional[Sequence[Sequence[float]]]]]


class Judged(NamedTuple):
    """What a search with a network knows of one move."""

    move: str
    visits: int
    #: Mean value for the player to move.
    mean: float
    #: What the network thought of it.
    prior: float


class Searched(NamedTuple):
    """What a search with a network found."""

    #: Mean value of the position, for the first player.
    value: float
    #: All moves, in the order of `legal_moves()`.
    moves: List[Judged]

    @property
    def best(self) -> str:
        """The move of most visits."""
        return max(self.moves, key=lambda one: one.visits).move


class NetworkAgent:
    """An agent that searches by PUCT with a network (AlphaZero's search), on any game of two players.

    `network(states, ids)` is asked about up to `leaves` positions of each search at once. It gives a value from -1 to 1 for
    the first player of each, and a list of priors for its legal moves, or None for even ones; `ids` are the ids of these
    moves, the same for the same move wherever it is made.

    >>> def material(states, ids):
    ...     return [(s.position.count("w") - s.position.count("b")) / 24 for s in states], None
    >>> agent = spinney.NetworkAgent(material, sims=200, leaves=8)
    >>> state = spinney.game("breakthrough(rows=6, columns=6)").state()
    >>> agent.choose(state, seed=1) in state.legal_moves()
    True
    >>> [round(found.value, 1) for found in agent.search([state, state.copy().play(0)], seed=1)]
    [0.0, 0.0]
    """

    def __init__(self, network: Network, sims: int = 200, leaves: int = 8, c: float = 1.5) -> None:
        self.network, self.sims, self.leaves, self.c = network, sims, leaves, c
        self.text = f"network(sims={sims}, leaves={leaves}, c={c:g})"

    def search(self, states: Sequence[State], seed: int = 1, sims: Optional[int] = None) -> List[Searched]:
        """Searches positions at the same time, so that the network is asked about leaves of all of them at once."""
        sims = self.sims if sims is None else sims
        found = _spinney.search_batch(list(states), self.network, sims, self.leaves, self.c, seed)
        return [Searched(value, [Judged(*row) for row in rows]) for value, rows in found]

    def choose(self, state: State, seed: int = 1, *, sims: Optional[int] = None) -> str:
        """The move to play."""
        return self.search([state], seed, sims)[0].best

    def __repr__(self) -> str:
        return f"<NetworkAgent {self.text}>"

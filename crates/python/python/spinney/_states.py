"""How states are pickled."""

from __future__ import annotations

from typing import Sequence, Union

from ._spinney import State, open_state


def restore(game: Union[str, object], start: Union[str, None], moves: Sequence[str]) -> State:
    """The state after these moves."""
    state = open_state(game, start)
    for move in moves:
        state.play(move)
    return state

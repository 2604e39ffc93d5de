"""Games: ours by name, and those that are written in Python."""

from __future__ import annotations

import enum
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _spinney
from ._spinney import State, open_state


class Turn(enum.IntEnum):
    """Whose turn it is, or how the game ended."""

    CHANCE = 0
    FIRST = 1
    SECOND = 2
    FIRST_WON = 3
    SECOND_WON = 4
    DRAWN = 5
    SCORED = 6


# Plain numbers: a game asks for them at every move.
CHANCE, FIRST, SECOND, FIRST_WON, SECOND_WON, DRAWN, SCORED = range(7)


class GameInfo(NamedTuple):
    """What is known of a game without opening it."""

    name: str
    summary: str
    board: str
    source: str
    players: int
    chance: bool
    options: List[Tuple[str, str]]


def games() -> List[GameInfo]:
    """All games that can be named.

    >>> [info.name for info in spinney.games() if info.players == 1][-3:]
    ['cant-stop', 'dominion', 'pig']
    """
    return [GameInfo(*info) for info in _spinney.games()]


class Rules:
    """One of the games that come with spinney."""

    def __init__(self, text: str) -> None:
        self.text = open_state(text).game_text

    def state(self, position: Optional[str] = None, moves: Iterable[Union[str, int]] = ()) -> State:
        """The initial state, or that of a position, after these moves."""
        return _after(open_state(self.text, position), moves)

    def __repr__(self) -> str:
        return f"spinney.game({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def _repr_html_(self) -> str:
        return self.state()._repr_html_()


def game(text: str) -> Rules:
    """The game of this name, with its options in brackets; a rule sheet of the Game Description Language is `gdl:FILE`.

    >>> spinney.game("breakthrough(rows=6, columns=6)").state()
    State('breakthrough(rows=6, columns=6)', 'bbbbbb/bbbbbb/....../....../wwwwww/wwwwww 1')
    """
    return Rules(text)


def _after(state: State, moves: Iterable[Union[str, int]]) -> State:
    for move in moves:
        state.play(move)
    return state


class Game:
    """A game of your own: write a subclass with these functions, and every agent, `match`, experiments and the page work on it.

    A position is any object of Python that can be compared; a move is a number from 0. `apply` returns the position after
    a move and leaves its argument as it is. A game whose positions change in place also writes `copy`, and its `apply`
    changes its argument.

    >>> class Nim(spinney.Game):
    ...     '''Take one or two matches; whoever takes the last one wins.'''
    ...     name = "nim"
    ...     def initial(self):
    ...         return (7, 1)
    ...     def turn(self, state):
    ...         left, player = state
    ...         return player if left else (spinney.SECOND_WON if player == 1 else spinney.FIRST_WON)
    ...     def moves(self, state):
    ...         return list(range(1, min(2, state[0]) + 1))
    ...     def apply(self, state, move):
    ...         return (state[0] - move, 3 - state[1])
    ...     def move_ids(self):
    ...         return 3
    >>> nim = Nim()
    >>> nim.check()
    >>> spinney.agent("mcts(sims=500)").choose(nim.state(), seed=1)
    '1'

    Beside `initial`, `turn`, `moves`, `apply` and `move_ids` a game may write:

    `move_id(state, move)`
        a number below `move_ids()` that names the move; the move itself where it is not written
    `outcomes(state)`
        pairs of an outcome and its probability, where `turn` is CHANCE; an outcome is applied as a move is
    `score(state)`
        the score so far of a game of one player, which ends as SCORED
    `policy(state, moves)`
        a weight for each move, for play-outs and priors
    `evaluate(state)`
        a guess of the outcome for the first player, from -1 to 1
    `quality(state, winner)`
        how clear a win is
    `key(state)`, `equal(state, other)`
        a hash of the position, and whether two are the same where `==` does not tell
    `write_move`, `write_position`, `read_position`, `draw`, `scene`
        how moves and positions are written, read and drawn
    `options()`
        what the game was made with, as a dictionary; its name and options are its text
    """

    #: What the game is called, in experiments and on the page.
    name: str = ""
    #: What the players are called.
    player_names: Tuple[str, str] = ("first player", "second player")

    def initial(self) -> Any:
        """The position in which a game begins."""
        raise NotImplementedError

    def turn(self, state: Any) -> int:
        """FIRST or SECOND who is to move, CHANCE, or how the game ended: FIRST_WON, SECOND_WON, DRAWN, SCORED."""
        raise NotImplementedError

    def moves(self, state: Any) -> Sequence[int]:
        """All legal moves, each once, in a fixed order."""
        raise NotImplementedError

    def apply(self, state: Any, move: int) -> Any:
        """The position after a move, or after an outcome of chance."""
        raise NotImplementedError

    def move_ids(self) -> int:
        """How many move ids there are: moves are below it, unless `move_id` says otherwise."""
        raise NotImplementedError

    def options(self) -> Dict[str, Any]:
        """What the game was made with."""
        return {}

    @property
    def text(self) -> str:
        """The game with its options, as it is written."""
        options = ", ".join(f"{key}={value}" for key, value in self.options().items())
        return f"{self._name()}({options})" if options else self._name()

    def state(self, position: Optional[str] = None, moves: Iterable[Union[str, int]] = ()) -> State:
        """The initial state, or that of a position, after these moves."""
        return _after(open_state(self, position), moves)

    def check(self, games: int = 20) -> None:
        """Plays random games and tests that all functions agree with each other; raises what they do not."""
        self.state().check(games)

    def _name(self) -> str:
        return self.name or type(self).__name__.lower()

    def _facts(self) -> Dict[str, Any]:
        """What the searches ask for; they look it up once."""

        def function(name: str) -> Any:
            # A function of the base class only says what a game must write.
            own = getattr(type(self), name, None)
            if own is None or own is getattr(Game, name, None):
                return None
            return getattr(self, name)

        needed = ("initial", "turn", "moves", "apply", "move_ids")
        for name in needed:
            if function(name) is None:
                raise TypeError(f"the game {type(self).__name__} does not write `{name}`")
        optional = (
            *("copy", "equal", "move_id", "outcomes", "score", "policy", "quality", "evaluate", "key"),
            *("write_position", "read_position", "write_move", "draw", "scene"),
        )
        facts = {name: function(name) for name in (*needed, *optional)}
        facts.update(
            ending=None,
            name=self._name(),
            options=[(key, str(value)) for key, value in self.options().items()],
            player_names=tuple(self.player_names),
            move_ids=self.move_ids(),
            chance=facts["outcomes"] is not None,
            solo=facts["score"] is not None,
        )
        return facts

    def _repr_html_(self) -> str:
        return self.state()._repr_html_()


#: Games of one's own by name.
_REGISTERED: Dict[str, Union[Game, type]] = {}


def registered() -> Dict[str, Union[Game, type]]:
    """Games of one's own by name."""
    return dict(_REGISTERED)


def register(game: Union[Game, type]) -> None:
    """Makes a game of one's own known by its name: an instance, or a class that is made with the options of a text.

    >>> class Dice(spinney.Game):
    ...     "Throw a die."
    ...     name = "dice"
    >>> spinney.register(Dice)
    >>> [info.summary for info in spinney.games() if info.name == "dice"]
    ['Throw a die.']
    """
    kind = game if isinstance(game, type) else type(game)
    name = getattr(game, "name", "") or kind.__name__.lower()
    summary = (kind.__doc__ or name).strip().splitlines()[0]
    players = 1 if getattr(kind, "score", None) is not None else 2

    def make(options: Dict[str, str]) -> Game:
        if isinstance(game, type):
            return game(**{key: _value(text) for key, text in options.items()})
        known = {key: str(value) for key, value in game.options().items()}
        if any(known.get(key) != text for key, text in options.items()):
            raise ValueError(f"this game was registered with {known}; register its class to have others")
        return game

    _REGISTERED[name] = game
    _spinney.register(name, summary, players, getattr(kind, "outcomes", None) is not None, make)


def _value(text: str) -> Any:
    """An option as Python has it."""
    if text in ("", "on", "true", "True"):
        return True
    if text in ("off", "false", "False"):
        return False
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def game_text(game: Union[str, Rules, Game]) -> str:
    """The text of a game; one of one's own is registered."""
    if isinstance(game, Game):
        # Where its class is known, the text is enough to make it again.
        known = _REGISTERED.get(game._name())
        if known is not game and known is not type(game):
            register(game)
        return game.text
    return game.text if isinstance(game, Rules) else game


def opened(game: Union[str, Rules, Game]) -> State:
    """The initial state of a game."""
    return game.state() if isinstance(game, (Game, Rules)) else open_state(game)

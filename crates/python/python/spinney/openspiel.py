"""OpenSpiel both ways: its games for our searches, our searches as bots in its games, and its bots at our tables.

>>> import pytest; _ = pytest.importorskip("pyspiel")
>>> from spinney import openspiel
>>> game = openspiel.game("connect_four")
>>> spinney.agent("mcts(sims=200)").choose(game.state(), seed=1) in game.state().legal_moves()
True
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, Union

import pyspiel

from ._spinney import State
from .agents import Agent
from .games import CHANCE, DRAWN, FIRST, FIRST_WON, SCORED, SECOND_WON, Game, register
from .games import game as our_game


class OpenSpielGame(Game):
    """A game of OpenSpiel."""

    name = "openspiel"

    def __init__(self, game: Union[str, "pyspiel.Game"]) -> None:
        # Our texts have spaces after commas, which OpenSpiel's have not.
        self.spiel = pyspiel.load_game(game.replace(" ", "")) if isinstance(game, str) else game
        kind, players = self.spiel.get_type(), self.spiel.num_players()
        if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
            raise ValueError(f"{self.spiel}: players move at the same time; games of turns can be searched")
        if kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
            raise ValueError(f"{self.spiel}: something is hidden; games of perfect information can be searched")
        if players > 2:
            raise ValueError(f"{self.spiel}: {players} players; games of one or two can be searched")
        self.is_solo = players == 1
        self.has_chance = kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC

    def options(self) -> Dict[str, Any]:
        return {"game": str(self.spiel).replace("()", "").replace(",", ", ")}

    def initial(self) -> Any:
        return self.spiel.new_initial_state()

    def turn(self, state: Any) -> int:
        player = state.current_player()
        if player >= 0:
            return FIRST + player
        return CHANCE if player == pyspiel.PlayerId.CHANCE else self._ending(state)

    def _ending(self, state: Any) -> int:
        if self.is_solo:
            return SCORED
        first, second = state.returns()
        return DRAWN if first == second else FIRST_WON if first > second else SECOND_WON

    def moves(self, state: Any) -> List[int]:
        return state.legal_actions()

    def copy(self, state: Any) -> Any:
        return state.clone()

    def equal(self, state: Any, other: Any) -> bool:
        return state.history() == other.history()

    def apply(self, state: Any, move: int) -> None:
        state.apply_action(move)

    def move_ids(self) -> int:
        return max(self.spiel.num_distinct_actions(), self.spiel.max_chance_outcomes(), 1)

    def outcomes(self, state: Any) -> List[Tuple[int, float]]:
        return state.chance_outcomes()

    def score(self, state: Any) -> float:
        return state.returns()[0]

    def write_move(self, state: Any, move: int) -> str:
        # Moves of a record are separated by spaces.
        return state.action_to_string(state.current_player(), move).replace(" ", "_")

    def write_position(self, state: Any) -> str:
        return " ".join(map(str, state.history())) or "-"

    def read_position(self, text: str) -> Any:
        state = self.initial()
        for action in text.replace("-", "").split():
            state.apply_action(int(action))
        return state

    def draw(self, state: Any) -> str:
        return str(state) + "\n"

    def _facts(self) -> Dict[str, Any]:
        facts = super()._facts()
        # Which of the optional functions a game has is known when it is loaded.
        if not self.has_chance:
            facts.update(outcomes=None, chance=False)
        if not self.is_solo:
            facts.update(score=None, solo=False)
        # Bound methods of OpenSpiel's own are quicker than ours around them.
        facts.update(
            initial=self.spiel.new_initial_state,
            turn=pyspiel.State.current_player,
            ending=self._ending,
            moves=pyspiel.State.legal_actions,
            copy=pyspiel.State.clone,
            apply=pyspiel.State.apply_action,
        )
        return facts

    def __reduce__(self) -> Any:
        return OpenSpielGame, (str(self.spiel),)

    def __repr__(self) -> str:
        return f"spinney.openspiel.game({str(self.spiel)!r})"


def game(name: Union[str, "pyspiel.Game"]) -> OpenSpielGame:
    """A game of OpenSpiel for our searches: perfect information, one player or two, with chance or without.

    In texts of experiments it is `openspiel(game=connect_four)`, once this module has been imported.
    """
    return OpenSpielGame(name)


register(OpenSpielGame)


class Translation:
    """A game that both have: positions and moves in our words."""

    def __init__(self, text: str) -> None:
        #: The game as we write it.
        self.text = text

    def position(self, state: Any) -> str:
        """A position, at the beginning of a move."""
        raise NotImplementedError

    def moves(self, state: Any) -> Iterator[Tuple[str, List[int]]]:
        """Our moves, each with the actions that it takes there."""
        for action in state.legal_actions():
            yield self.word(state.action_to_string(action)), [action]

    def word(self, text: str) -> str:
        """An action as our move, where they are one to one."""
        return text

    def is_whole(self, state: Any) -> bool:
        """Whether the player to move begins a move."""
        return True

    def actions(self, state: Any, move: str) -> List[int]:
        """The actions of one of our moves."""
        for word, actions in self.moves(state):
            if word == move:
                return actions
        raise ValueError(f"{move} is no move of\n{state}")


class _Breakthrough(Translation):
    """Its first player is at the top, ours at the bottom."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__(f"breakthrough(rows={rows}, columns={columns})")
        self.rows = rows

    def position(self, state: Any) -> str:
        colours = str.maketrans("bw", "wb")
        lines = [line.lstrip("0123456789").translate(colours) for line in str(state).split("\n") if line[:1].isdigit()]
        return f"{'/'.join(reversed(lines))} {state.current_player() + 1}"

    def word(self, text: str) -> str:
        start, end = (f"{text[at]}{self.rows + 1 - int(text[at + 1])}" for at in (0, 2))
        return f"{start}{'x' if text.endswith('*') else '-'}{end}"


class _Checkers(Translation):
    """It draws the mirror image, and a sequence of jumps takes several actions."""

    def position(self, state: Any) -> str:
        pieces = {"o": "w", "8": "W", "+": "b", "*": "B", ".": "."}
        lines = str(state).splitlines()[:8]
        board = "/".join("".join(pieces[piece] for piece in reversed(line[1:9])) for line in lines)
        return f"{board} {state.current_player() + 1}"

    def moves(self, state: Any, path: Tuple[int, ...] = (), taken: Tuple[int, ...] = ()) -> Iterator[Tuple[str, List[int]]]:
        player = state.current_player()
        for action in state.legal_actions():
            text = state.action_to_string(action)
            start, end = self._square(text[:2]), self._square(text[2:4])
            if path and path[-1] != start:
                continue
            longer, actions = ((*path, end) if path else (start, end)), (*taken, action)
            after = state.child(action)
            if not after.is_terminal() and after.current_player() == player:
                yield from self.moves(after, longer, actions)
            else:
                sign = "x" if abs(ord(text[0]) - ord(text[2])) == 2 else "-"
                yield sign.join(map(str, longer)), list(actions)

    @staticmethod
    def _square(name: str) -> int:
        column, rank = 7 - (ord(name[0]) - ord("a")), int(name[1]) - 1
        return rank * 4 + column // 2 + 1


class _Havannah(Translation):
    """Cells have the same names."""

    def __init__(self, size: int) -> None:
        super().__init__(f"havannah(size={size})")
        self.size = size

    def position(self, state: Any) -> str:
        again, stones = state.get_game().new_initial_state(), {}
        for action in state.history():
            stones[again.action_to_string(action)] = again.current_player() + 1
            again.apply_action(action)
        lines = []
        for row in range(2 * self.size - 1):
            columns = range(max(0, row - self.size + 1), min(2 * self.size - 1, row + self.size))
            lines.append("".join(str(stones.get(f"{chr(ord('a') + column)}{row + 1}", ".")) for column in columns))
        return f"{'/'.join(lines)} {state.current_player() + 1}"


class _TicTacToe(Translation):
    """Rows from the top; our squares have names as in chess."""

    def position(self, state: Any) -> str:
        return f"{'/'.join(str(state).splitlines())} {state.current_player() + 1}"

    def word(self, text: str) -> str:
        row, column = int(text[2]), int(text[4])
        return f"{'abc'[column]}{3 - row}"


class _Amazons(Translation):
    """A move takes three actions: from, to, arrow."""

    def position(self, state: Any) -> str:
        pieces = {"X": "W", "O": "B", "#": "x", ".": "."}
        board = "/".join("".join(pieces[piece] for piece in line) for line in str(state).splitlines()[:10])
        return f"{board} {state.current_player() + 1}"

    def moves(self, state: Any) -> Iterator[Tuple[str, List[int]]]:
        def square(action: int) -> str:
            return f"{chr(ord('a') + action % 10)}{10 - action // 10}"

        for start in state.legal_actions():
            chosen = state.child(start)
            for end in chosen.legal_actions():
                for arrow in chosen.child(end).legal_actions():
                    yield f"{square(start)}-{square(end)}/{square(arrow)}", [start, end, arrow]


def translation(spiel: "pyspiel.Game") -> Optional[Translation]:
    """How a game of OpenSpiel is one of ours; None where we do not have it."""
    name, options = spiel.get_type().short_name, spiel.get_parameters()
    if name == "breakthrough":
        rows, columns = options.get("rows", 8), options.get("columns", 8)
        # On fewer rows it has one row of pawns each.
        return _Breakthrough(rows, columns) if 6 <= rows <= 8 and 5 <= columns <= 8 else None
    if name == "checkers":
        return _Checkers("checkers") if options.get("rows", 8) == options.get("columns", 8) == 8 else None
    if name == "havannah":
        size = options.get("board_size", 8)
        return _Havannah(size) if 3 <= size <= 10 and not options.get("swap", False) else None
    if name == "tic_tac_toe":
        return _TicTacToe("tic-tac-toe")
    return _Amazons("amazons") if name == "amazons" else None


class Bot(pyspiel.Bot):
    """Our agent as a bot of OpenSpiel: at full speed in the games that we have, through `game` in the others.

    >>> spiel = pyspiel.load_game("breakthrough(rows=6,columns=6)")
    >>> bot = openspiel.Bot("mcts(sims=100)", spiel, seed=1)
    >>> bot.translation.text
    'breakthrough(rows=6, columns=6)'
    >>> bot.step(spiel.new_initial_state()) in spiel.new_initial_state().legal_actions()
    True
    """

    def __init__(self, agent: Union[str, Agent], game: Union[str, "pyspiel.Game"], seed: int = 1, **limits: Any) -> None:
        super().__init__()
        self.spiel = pyspiel.load_game(game) if isinstance(game, str) else game
        self.agent = Agent(agent) if isinstance(agent, str) else agent
        self.translation = translation(self.spiel)
        self.wrapper = None if self.translation else OpenSpielGame(self.spiel)
        self.ours = our_game(self.translation.text) if self.translation else None
        #: Limits of each move, such as `time=1.0`; they may be changed.
        self.limits = limits
        self.seed = seed
        self._moves_made = 0
        self._rest: List[int] = []
        self._expected: Optional[List[int]] = None

    def step(self, state: "pyspiel.State") -> int:
        """The action to play."""
        # What is left of a move that takes several actions.
        if self._rest and state.history() == self._expected:
            return self._give(state, self._rest)
        self._moves_made += 1
        seed = (self.seed * 1_000_003 + self._moves_made) % 2**64
        if self.translation is None:
            assert self.wrapper is not None
            shown = self.wrapper.state(" ".join(map(str, state.history())) or "-")
            move = self.agent.choose(shown, seed=seed, **self.limits)
            return next(action for action in state.legal_actions() if self.wrapper.write_move(state, action) == move)
        assert self.ours is not None
        shown = self.ours.state(self.translation.position(state))
        move = self.agent.choose(shown, seed=seed, **self.limits)
        return self._give(state, self.translation.actions(state, move))

    def _give(self, state: "pyspiel.State", actions: List[int]) -> int:
        action, self._rest = actions[0], actions[1:]
        self._expected = [*state.history(), action]
        return action

    def restart(self) -> None:
        """Forgets the game so far."""
        self._rest, self._expected = [], None

    def restart_at(self, state: "pyspiel.State") -> None:
        """Forgets the game so far."""
        self.restart()

    def inform_action(self, state: "pyspiel.State", player_id: int, action: int) -> None:
        """Nothing is remembered of others' moves."""

    def provides_policy(self) -> bool:
        """It gives moves, no probabilities."""
        return False


class Player:
    """A bot of OpenSpiel at our table, for `spinney.match`: `bot(game)` makes it for a game of OpenSpiel.

    >>> def make(spiel):
    ...     return pyspiel.MCTSBot(spiel, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, 20, 100, True, 1, False)
    >>> their = openspiel.Player(make, "tic_tac_toe")
    >>> spinney.match("tic-tac-toe", "mcts(sims=20)", their, games=4).games
    4
    """

    def __init__(self, bot: Callable[["pyspiel.Game"], "pyspiel.Bot"], game: Union[str, "pyspiel.Game"]) -> None:
        self.spiel = pyspiel.load_game(game) if isinstance(game, str) else game
        self.bot = bot(self.spiel)
        self.translation = translation(self.spiel)
        self.text = type(self.bot).__name__
        self._known: Tuple[List[str], Any] = ([], self.spiel.new_initial_state())

    def new_game(self) -> None:
        """Begins a game."""
        self.bot.restart()

    def outcome(self, state: State) -> Optional[int]:
        """Who won by OpenSpiel's rules, which know other draws in Checkers; its bots must not be asked after the end."""
        there = self._there(state)
        if not there.is_terminal():
            return None
        first, second = there.returns()
        return 0 if first == second else 1 if first > second else 2

    def choose(self, state: State, seed: int = 1) -> str:
        """The move to play; the bot has randomness of its own."""
        there = self.state(state)
        if there.is_terminal():
            raise ValueError(f"by OpenSpiel's rules the game is over:\n{there}")
        if self.translation is None or state.game_text.startswith("openspiel("):
            return there.action_to_string(there.current_player(), self.bot.step(there)).replace(" ", "_")
        known = {tuple(actions): move for move, actions in self.translation.moves(there)}
        actions: List[int] = []
        while tuple(actions) not in known:
            actions.append(self.bot.step(there))
            there.apply_action(actions[-1])
        return known[tuple(actions)]

    def state(self, state: State) -> "pyspiel.State":
        """OpenSpiel's state of one of ours, which has begun at the beginning."""
        return self._there(state).clone()

    def _there(self, state: State) -> Any:
        if self.translation is None or state.game_text.startswith("openspiel("):
            there = self.spiel.new_initial_state()
            for number in state.position.replace("-", "").split():
                there.apply_action(int(number))
            return there
        # Mostly a move or two after the last question.
        moves, there = self._known
        history = state.history
        if history[: len(moves)] != moves:
            moves, there = [], self.spiel.new_initial_state()
        for move in history[len(moves) :]:
            for action in self.translation.actions(there, move):
                there.apply_action(action)
        self._known = (history, there)
        return there


__all__ = ["Bot", "OpenSpielGame", "Player", "Translation", "game", "translation"]

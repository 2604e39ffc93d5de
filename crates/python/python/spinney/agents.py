"""Agents: who chooses moves, and what they think."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _spinney
from ._spinney import State
from .games import Game, Rules, opened

if TYPE_CHECKING:
    import pandas
    import polars


class Candidate(NamedTuple):
    """What a search knows of one move, in the view of the player to move."""

    move: str
    #: Simulations through it.
    visits: int
    #: Their mean reward, from -1 to 1; the mean score in a game of one player.
    mean: float
    #: Half the width of the 95 % interval of the mean.
    margin: float
    #: "win", "loss" or "draw" where that is proven.
    proven: Optional[str]
    #: The line expected, beginning with the move.
    variation: List[str]


class Analysis(Sequence[Candidate]):
    """What an agent thinks of a state: a sequence of candidates, best first.

    >>> state = spinney.game("tic-tac-toe").state(moves=["a1", "b1", "b2"])
    >>> analysis = spinney.agent("mcts(sims=2000)").analyse(state, seed=1)
    >>> analysis.best, len(analysis), analysis.simulations <= 2000
    ('c3', 6, True)
    >>> list(analysis.to_pandas().columns)
    ['move', 'visits', 'mean', 'margin', 'proven', 'variation']
    """

    #: The move to play.
    best: str
    #: "win", "loss" or "draw" for the player to move, where that is proven.
    proven: Optional[str]
    simulations: int
    playouts: int
    mean_depth: Optional[float]
    deepest: int
    mean_length: Optional[float]
    nodes: int
    bytes: int
    seconds: float
    #: Why the search stopped; None while it runs.
    stopped: Optional[str]

    def __init__(
        self,
        thought: Dict[str, Any],
        state: State,
        agent: str,
        seed: int,
        searched: Optional[_spinney.Searched] = None,
    ) -> None:
        candidates = thought.pop("candidates")
        self.__dict__.update(thought)
        #: The moves, best first.
        self.candidates = [Candidate(*one) for one in candidates]
        #: The state that was thought about.
        self.state = state
        #: The agent with all its settings.
        self.agent = agent
        self.seed = seed
        self._searched = searched

    def __len__(self) -> int:
        return len(self.candidates)

    def __getitem__(self, index: Any) -> Any:
        return self.candidates[index]

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.candidates)

    @property
    def simulations_per_second(self) -> float:
        """How fast the search was."""
        return self.simulations / self.seconds if self.seconds else 0.0

    def look(self, moves: Sequence[str] = ()) -> Optional[Tuple[int, List[Candidate]]]:
        """Visits and candidates of the node after these moves; None where the tree does not reach."""
        found = self._searched.look(list(moves)) if self._searched else None
        return None if found is None else (found[0], [Candidate(*one) for one in found[1]])

    def to_dict(self) -> Dict[str, List[Any]]:
        """The candidates as columns."""
        return {name: [getattr(one, name) for one in self.candidates] for name in Candidate._fields}

    def to_pandas(self) -> "pandas.DataFrame":
        """The candidates as a DataFrame of pandas."""
        import pandas

        return pandas.DataFrame(self.to_dict(), columns=list(Candidate._fields))

    def to_polars(self) -> "polars.DataFrame":
        """The candidates as a DataFrame of polars."""
        import polars

        types: List[Any] = [polars.Utf8, polars.Int64, polars.Float64, polars.Float64, polars.Utf8, polars.List(polars.Utf8)]
        return polars.DataFrame(self.to_dict(), schema=dict(zip(Candidate._fields, types)))

    def heat(self) -> Dict[str, float]:
        """The share of the visits whose moves touch a cell, for every cell."""
        visits = sum(one.visits for one in self.candidates) or 1
        shares: Dict[str, float] = {}
        for one in self.candidates:
            for cell in self.state.steps(one.move) if one.visits else ():
                shares[cell] = shares.get(cell, 0.0) + one.visits / visits
        return shares

    def __repr__(self) -> str:
        return f"<Analysis of {len(self)} moves: {self.best}, {self.simulations} simulations>"

    def __str__(self) -> str:
        lines = [f"{'move':<12} {'visits':>9} {'mean':>8}  {'95 %':>7}  proven  variation"]
        for one in self.candidates[:10]:
            margin = "" if one.margin != one.margin else f"±{one.margin:.3f}"
            line = " ".join(one.variation[:6])
            lines.append(
                f"{one.move:<12} {one.visits:>9} {one.mean:>+8.3f}  {margin:>7}  {one.proven or '':<6}  {line}"
            )
        speed = f"{self.simulations_per_second:,.0f} per second".replace(",", " ")
        return "\n".join([*lines, f"{self.simulations} simulations ({speed}); best: {self.best}"])

    def _repr_html_(self) -> str:
        from . import _draw

        return _draw.analysis(self)


Update = Callable[[Analysis], Any]


class Agent:
    """Somebody who chooses moves, by a text such as `mcts(sims=1000)`.

    Ideas of one's own are functions of a state, which is a `State`, or in a game that is written in Python its own object:

    `policy(state)`
        a weight for each of the legal moves, for play-outs (`playout=policy`) and priors (`select=puct`)
    `evaluation(state)`
        a guess of the outcome for the first player, from -1 to 1, for `playout=policy+cutoff(plies=0)`, `bias=…` and
        `alphabeta`
    `reward(reward, winner, length, quality)`
        what a simulation is worth to the first player: `winner` is 1, 2 or 0, `length` is in plies from the root

    >>> def centre(state):
    ...     return [5 if move == "b2" else 1 for move in state.legal_moves()]
    >>> agent = spinney.agent("mcts(sims=200)", policy=centre)
    >>> agent.choose(spinney.game("tic-tac-toe").state(), seed=1)
    'b2'
    """

    def __init__(
        self,
        text: str,
        *,
        policy: Optional[Callable[[Any], Sequence[float]]] = None,
        evaluation: Optional[Callable[[Any], float]] = None,
        reward: Optional[Callable[[float, int, int, float], float]] = None,
    ) -> None:
        self.text, self.has_limits = _spinney.agent_text(text)
        ideas = (policy, evaluation, reward)
        self._ideas = ideas if any(idea is not None for idea in ideas) else None

    @property
    def description(self) -> str:
        """Its text, and the names of the functions that it asks."""
        names = zip(("policy", "evaluation", "reward"), self._ideas or ())
        ideas = [f"{name}={getattr(idea, '__name__', type(idea).__name__)}" for name, idea in names if idea is not None]
        return self.text + (f" with {', '.join(ideas)}" if ideas else "")

    @property
    def has_ideas(self) -> bool:
        """Whether it asks functions in Python."""
        return self._ideas is not None

    def choose(
        self,
        state: State,
        seed: int = 1,
        *,
        sims: Optional[int] = None,
        time: Optional[float] = None,
        nodes: Optional[int] = None,
    ) -> str:
        """The move to play; limits replace the agent's own."""
        return _spinney.think(state, self.text, seed, (sims, time, nodes), self._ideas, None, 1.0)[0]["best"]

    def analyse(
        self,
        state: State,
        seed: int = 1,
        *,
        sims: Optional[int] = None,
        time: Optional[float] = None,
        nodes: Optional[int] = None,
        on_update: Optional[Update] = None,
        interval: float = 0.2,
    ) -> Analysis:
        """What it thinks, within these limits, its own, or a second. `on_update` hears of it every `interval` seconds.

        >>> heard = []
        >>> state = spinney.game("havannah(size=4)").state()
        >>> analysis = spinney.agent("mcts").analyse(state, time=0.3, on_update=heard.append, interval=0.1)
        >>> len(heard) >= 1 and heard[-1].simulations <= analysis.simulations
        True
        """
        if sims is None and time is None and nodes is None and not self.has_limits:
            time = 1.0
        shown = state.copy()

        def tell(thought: Dict[str, Any]) -> None:
            assert on_update is not None
            on_update(Analysis(thought, shown, self.text, seed))

        told = None if on_update is None else tell
        thought, described, searched = _spinney.think(
            state, self.text, seed, (sims, time, nodes), self._ideas, told, interval
        )
        return Analysis(thought, shown, described, seed, searched)

    def __repr__(self) -> str:
        return f"spinney.agent({self.description!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Agent) and (other.text, other._ideas) == (self.text, self._ideas)

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restore, (self.text, self._ideas)


def _restore(text: str, ideas: Optional[Tuple[Any, Any, Any]]) -> Agent:
    policy, evaluation, reward = ideas or (None, None, None)
    return Agent(text, policy=policy, evaluation=evaluation, reward=reward)


def agent(text: str, **ideas: Any) -> Agent:
    """The agent of this text, with ideas of one's own; see `Agent`."""
    return Agent(text, **ideas)


class AgentInfo(NamedTuple):
    """What is known of an agent."""

    name: str
    summary: str
    options: List[Tuple[str, str]]


def agents() -> List[AgentInfo]:
    """All agents that can be named.

    >>> "mcts" in [info.name for info in spinney.agents()]
    True
    """
    return [AgentInfo(*info) for info in _spinney.agents()]


class Played(NamedTuple):
    """A game that was played to its end."""

    moves: List[str]
    #: Who won: 1, 2, or 0 for nobody.
    outcome: int
    #: The score of a game of one player.
    score: float
    #: Simulations of the first and the second player.
    simulations: Tuple[int, int]
    #: Thinking time of the first and the second player.
    seconds: Tuple[float, float]


def play_game(
    game: Union[str, Rules, Game], first: str, second: str = "random", seed: int = 1, opening: int = 0
) -> Played:
    """Plays a game between two agents, after `opening` random plies; alone, the first agent plays a game of one player.

    >>> spinney.play_game("tic-tac-toe", "mcts(sims=300)", "mcts(sims=300)", seed=3).outcome
    0
    """
    return Played(*_spinney.play_game(opened(game), (str(first), str(second)), opening, seed))


def diagnose(
    game: Union[str, Rules, Game], agent: str = "mcts", games: int = 2, sims: int = 1000, seed: int = 1
) -> Dict[str, Any]:
    """Whether a bonus can help in a game: what `spinney diagnose` finds.

    >>> found = spinney.diagnose("breakthrough(rows=5, columns=5)", games=1, sims=100)
    >>> [bonus["of"] for bonus in found["bonuses"]]
    ['length', 'quality']
    """
    return _spinney.diagnose(opened(game), agent, games, sims, seed)


__all__ = ["Agent", "AgentInfo", "Analysis", "Candidate", "Played", "agent", "agents", "diagnose", "play_game"]

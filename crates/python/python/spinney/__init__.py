"""Monte-Carlo tree search for your own game, and a laboratory for ideas about search and simulation.

>>> import spinney
>>> state = spinney.game("breakthrough(rows=6, columns=6)").state()
>>> state.play("a2-a3").to_move
2
>>> agent = spinney.agent("mcts(sims=1000)")
>>> agent.choose(state, seed=1) in state.legal_moves()
True
>>> result = spinney.match("tic-tac-toe", "mcts(sims=50)", "random", games=20, seed=1)
>>> result.games, result.score > 0.7
(20, True)
"""

from ._spinney import VERSION as __version__
from ._spinney import InputError, State
from .agents import Agent, AgentInfo, Analysis, Candidate, agent, agents, diagnose, play_game
from .games import (
    CHANCE,
    DRAWN,
    FIRST,
    FIRST_WON,
    SCORED,
    SECOND,
    SECOND_WON,
    Game,
    GameInfo,
    Rules,
    Turn,
    game,
    games,
    register,
)
from .lab import Experiment, Match, Run, Unit, match, play_unit, score, serve
from .networks import NetworkAgent

__all__ = [
    "CHANCE",
    "DRAWN",
    "FIRST",
    "FIRST_WON",
    "SCORED",
    "SECOND",
    "SECOND_WON",
    "Agent",
    "AgentInfo",
    "Analysis",
    "Candidate",
    "Experiment",
    "Game",
    "GameInfo",
    "InputError",
    "Match",
    "NetworkAgent",
    "Rules",
    "Run",
    "State",
    "Turn",
    "Unit",
    "__version__",
    "agent",
    "agents",
    "diagnose",
    "game",
    "games",
    "match",
    "play_game",
    "play_unit",
    "register",
    "score",
    "serve",
]

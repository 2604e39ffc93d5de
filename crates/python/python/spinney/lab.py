"""The laboratory: matches, experiments and their runs, which are the same folders as those of the command line."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _spinney
from ._spinney import InputError
from .agents import Agent
from .games import Game, Rules, game_text, opened, register, registered

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Folder = Union[str, "os.PathLike[str]"]
Progress = Union[bool, Callable[[int, int], Any]]


class Table:
    """A table that pandas, polars, DuckDB and pyarrow read without a copy (`__arrow_c_stream__`)."""

    def __init__(self, rectangle: _spinney.Rectangle) -> None:
        self._rectangle = rectangle

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._rectangle.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> "pyarrow.Table":
        """As a table of pyarrow."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> "pandas.DataFrame":
        """As a DataFrame of pandas."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> "polars.DataFrame":
        """As a DataFrame of polars."""
        import polars

        return polars.DataFrame(self)

    @property
    def csv(self) -> str:
        """As comma-separated values."""
        return self._rectangle.csv


class Run:
    """What was played: statistics, records and the report."""

    def __init__(self, run: _spinney.Run) -> None:
        self._run = run

    @classmethod
    def open(cls, folder: Folder) -> "Run":
        """The run in a folder, whoever played it."""
        return cls(_spinney.Run.open(Path(folder)))

    @property
    def title(self) -> str:
        """What it is called."""
        return self._run.title

    @property
    def folder(self) -> Optional[Path]:
        """Where it is kept; None of what was played in memory."""
        folder = self._run.folder
        return None if folder is None else Path(folder)

    @property
    def played(self) -> int:
        """Games and repetitions that are known."""
        return self._run.played

    @property
    def missing(self) -> int:
        """Games and repetitions that are still to be played."""
        return self._run.missing

    def cells(self) -> Table:
        """A row for each comparison, with its score, intervals and settings."""
        return Table(self._run.cells())

    def records(self, portions: Optional[bool] = None) -> Table:
        """A row for each game; of measurements, or with `portions`, a row for each portion."""
        return Table(self._run.records(portions))

    def summaries(self) -> List[Dict[str, Any]]:
        """The numbers of each comparison."""
        return self._run.summaries()

    def report(self, form: str = "text", columns: int = 100) -> str:
        """The report as `text`, `markdown` or `html`."""
        return self._run.report(form, columns)

    def pictures(self) -> Dict[str, str]:
        """The figures of the report as SVG, by name."""
        return dict(self._run.pictures())

    def verify(self, share: float = 0.1) -> Tuple[int, int, List[str]]:
        """Plays a share of the games again: how many, how many were identical, and what differed."""
        return self._run.verify(share)

    def __str__(self) -> str:
        return self.report()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.title!r}: {self.played} games>"

    def _repr_html_(self) -> str:
        from . import _draw

        return _draw.match(self)


class Match(Run):
    """The games of two agents, in the view of the first of them."""

    def __init__(self, run: _spinney.Run) -> None:
        super().__init__(run)
        self._summary = self.summaries()[0]

    @property
    def games(self) -> int:
        """Games that count."""
        return self._summary["games"]

    @property
    def score(self) -> float:
        """Points per game of A, 0 to 1."""
        return self._summary["score"]

    @property
    def interval(self) -> Optional[Tuple[float, float]]:
        """The 95 % interval of the score, pairs of games being independent."""
        return self._summary["interval"]

    @property
    def wins(self) -> int:
        """Games that A won."""
        return self._summary["wins"]

    @property
    def draws(self) -> int:
        """Drawn games."""
        return self._summary["draws"]

    @property
    def losses(self) -> int:
        """Games that A lost."""
        return self._summary["losses"]

    @property
    def elo(self) -> Optional[float]:
        """Difference in Elo."""
        return self._summary["elo"]

    @property
    def p_value(self) -> Optional[float]:
        """Two-sided, against a score of one half."""
        return self._summary["p_value"]

    @property
    def summary(self) -> Dict[str, Any]:
        """All numbers."""
        return dict(self._summary)

    def __str__(self) -> str:
        interval = "" if self.interval is None else " [{:.1%}, {:.1%}]".format(*self.interval)
        elo = "" if self.elo is None else f", Elo {self.elo:+.0f}"
        one = self._summary
        return (
            f"{one['game']}\n  A  {one['a']}\n  B  {one['b']}\n"
            f"A {self.score:.1%}{interval} of {self.games} games: {self.wins} won, {self.draws} drawn, {self.losses} lost{elo}"
        )

    def __repr__(self) -> str:
        return f"<Match: A {self.score:.1%} of {self.games} games>"


class _Bar:
    """Progress by tqdm where it is installed, or by a function."""

    def __init__(self, progress: Progress) -> None:
        self.function = progress if callable(progress) else None
        self.bar: Any = None
        if progress is True:
            try:
                from tqdm.auto import tqdm

                self.bar = tqdm(unit="game")
            except ImportError:
                pass

    @property
    def tell(self) -> Optional[Callable[[int, int], Any]]:
        return self if self.bar is not None else self.function

    def __call__(self, played: int, total: int) -> None:
        self.bar.total = total
        self.bar.update(played - self.bar.n)

    def __enter__(self) -> "_Bar":
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()


def match(
    game: Union[str, Rules, Game],
    a: Any,
    b: Any,
    games: int = 100,
    seed: int = 1,
    *,
    opening: int = 0,
    stop: Optional[str] = None,
    out: Optional[Folder] = None,
    threads: Optional[int] = None,
    progress: Progress = False,
) -> Match:
    """Plays pairs of games with seats swapped: the games of `spinney match` with the same arguments.

    `a` and `b` are texts, agents, or anything with a function `choose(state, seed)` that gives a move; it may also have
    `new_game()` and `outcome(state)`, for ends of games that only it knows. `stop` is a rule such
    as `sprt=[0, 20]`, `precision=2` or `anytime`; `out` keeps the games in a folder, in which the same call goes on.

    >>> result = spinney.match("breakthrough(rows=5, columns=5)", "mcts(sims=50)", "mcts(sims=10)", games=40, seed=7)
    >>> result.games, result.wins + result.draws + result.losses
    (40, 40)
    """
    with _Bar(progress) as bar:
        if _is_plain(a) and _is_plain(b):
            agents, folder = (_text(a), _text(b)), None if out is None else Path(out)
            return Match(
                _spinney.match_run(game_text(game), agents, games, seed, opening, stop, folder, threads, bar.tell)
            )
        if stop is not None or out is not None:
            raise _wrong("match", "`stop` and `out` are for agents that are texts", "leave them out for agents in Python")
        return Match(_played_here(game, a, b, games, seed, opening, bar.tell))


def _wrong(place: str, problem: str, remedy: str) -> InputError:
    error = InputError(f"{place}: {problem}; {remedy}")
    error.place, error.problem, error.remedy, error.kind = place, problem, remedy, "conflict"
    return error


def _is_plain(agent: Any) -> bool:
    return isinstance(agent, str) or (isinstance(agent, Agent) and not agent.has_ideas)


def _text(agent: Any) -> str:
    return agent if isinstance(agent, str) else getattr(agent, "text", None) or type(agent).__name__


def _played_here(
    game: Union[str, Rules, Game], a: Any, b: Any, games: int, seed: int, opening: int, tell: Any
) -> _spinney.Run:
    """Games of agents that are objects of Python; what is random has the seeds of the laboratory's games."""
    text, first = game_text(game), opened(game)
    players = [Agent(one) if isinstance(one, str) else one for one in (a, b)]
    random = Agent("random")
    played = []
    for number in range(games):
        pair, swapped = divmod(number, 2)
        root = _spinney.pair_seed(text, seed, pair)
        seats = players[::-1] if swapped else players
        for player in players:
            if hasattr(player, "new_game"):
                player.new_game()
        state, seconds, ending = first.copy(), [0.0, 0.0], None
        while not state.is_over:
            # Whoever plays by rules of its own knows ends of games of its own.
            known = (player.outcome(state) for player in players if hasattr(player, "outcome"))
            ending = next((outcome for outcome in known if outcome is not None), None)
            if ending is not None:
                break
            ply, mover = len(state.history), state.to_move or 0
            here = _spinney.ply_seed(root, mover, ply)
            if mover == 0:
                state.draw_outcome(here)
                continue
            started = time.perf_counter()
            move = (random if ply < opening else seats[mover - 1]).choose(state, seed=here)
            seconds[mover - 1] += time.perf_counter() - started
            state.play(move)
        ms = tuple(1e3 * one for one in seconds)
        outcome = state.outcome if ending is None else ending
        played.append((pair, swapped, state.history, outcome, (0, 0), ms))
        if tell is not None:
            tell(number + 1, games)
    names = (getattr(a, "description", _text(a)), getattr(b, "description", _text(b)))
    return _spinney.run_of_games(first, names, seed, played)


def score(
    game: Union[str, Rules, Game],
    agent: Union[str, Agent],
    games: int = 1000,
    seed: int = 1,
    *,
    threads: Optional[int] = None,
    progress: Progress = False,
) -> Tuple[float, float]:
    """The mean score of an agent in a game of one player, and half the width of its 95 % interval.

    >>> mean, margin = spinney.score("pig(turns=2)", "mcts(sims=20)", games=100)
    >>> mean > margin > 0
    True
    """
    with _Bar(progress) as bar:
        run = _spinney.score_run(game_text(game), _text(agent), games, seed, threads, bar.tell)
    _, _, mean, margin = run.samples()[0]
    return mean, margin


class Unit(NamedTuple):
    """A part of an experiment that can be played anywhere; it can be pickled."""

    name: str
    text: str
    tasks: List[Tuple[bool, int, int]]
    #: Games that are written in Python.
    own_games: Tuple[Any, ...]


#: What a unit gives: lines with checksums, and times.
Result = List[Tuple[str, float, float]]


def play_unit(unit: Unit) -> Result:
    """Plays a unit of an experiment, in whichever process this is."""
    for game in unit.own_games:
        register(game)
    return _spinney.play_unit(unit.name, unit.text, list(unit.tasks))


class Experiment:
    """An experiment: agents, games, budgets, how many games, and when to stop.

    >>> experiment = spinney.Experiment.from_dict({
    ...     "title": "More is better", "pairs": 10, "seed": 3,
    ...     "agents": {"few": {"sims": 10}, "many": {"sims": 100}},
    ...     "match": [{"games": ["tic-tac-toe"], "a": ["many"], "b": ["few"]}],
    ... })
    >>> experiment.games
    20
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = experiment.run(folder + "/run")
    >>> run.summaries()[0]["score"] > 0.5
    True
    """

    def __init__(self, text: str, name: str = "experiment.toml") -> None:
        self._experiment = _spinney.Experiment(name, text)

    @classmethod
    def from_toml(cls, source: Folder) -> "Experiment":
        """The experiment of a file, of a text of several lines, or of the name of a file that comes with spinney."""
        if isinstance(source, str) and "\n" in source:
            return cls(source)
        path = Path(source)
        if path.exists():
            return cls(path.read_text(encoding="utf-8"), os.fspath(source))
        found = _spinney.library_file(os.fspath(source))
        if found is None:
            raise FileNotFoundError(f"{source}: there is no such file, and none of this name comes with spinney")
        return cls(found, os.fspath(source))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], name: str = "experiment.toml") -> "Experiment":
        """The experiment whose file would have these keys and tables."""
        return cls(to_toml(values), name)

    @property
    def name(self) -> str:
        """Its file."""
        return self._experiment.name

    @property
    def text(self) -> str:
        """The file itself."""
        return self._experiment.text

    @property
    def title(self) -> str:
        """What it is called."""
        return self._experiment.title

    @property
    def hash(self) -> str:
        """Names it: the same for the same cells and seed, whatever the number of games."""
        return self._experiment.hash

    @property
    def games(self) -> int:
        """Games and repetitions planned."""
        return self._experiment.games

    @property
    def labels(self) -> List[str]:
        """One line for each comparison."""
        return self._experiment.labels

    def run(
        self,
        out: Optional[Folder] = None,
        *,
        threads: Optional[int] = None,
        shard: str = "0/1",
        progress: Progress = False,
        mix_versions: bool = False,
    ) -> Run:
        """Plays what is missing, into a folder: `runs/NAME-HASH` where none is given, as the command line does."""
        folder = Path(out) if out is not None else Path(self._experiment.folder)
        with _Bar(progress) as bar:
            return Run(self._experiment.run(folder, threads, shard, mix_versions, bar.tell))

    def units(self, out: Optional[Folder] = None, pairs: int = 8) -> List[Unit]:
        """What is to be played, in parts of so many pairs of games; of a run that has begun in `out`, what is missing."""
        path = os.path.abspath(self.name) if os.path.exists(self.name) else self.name
        own = tuple(game for name, game in registered().items() if any(_is_of(name, t) for t in self._experiment.game_texts))
        units: List[Unit] = []
        for task in self._experiment.tasks(None if out is None else Path(out)):
            last = units[-1].tasks if units else []
            if not last or len(last) >= pairs or last[-1][:2] != task[:2] or task[0]:
                units.append(Unit(path, self.text, [], own))
            units[-1].tasks.append(task)
        return units

    def collect(self, results: Iterable[Result], out: Optional[Folder] = None) -> Run:
        """The run of what units gave, whoever played them and in whichever order; what is known already is left as it is."""
        folder = Path(out) if out is not None else Path(self._experiment.folder)
        return Run(self._experiment.collect([list(result) for result in results], folder))

    def __repr__(self) -> str:
        return f"<Experiment {self.title!r}: {self.games} games>"


def _is_of(name: str, text: str) -> bool:
    return text == name or text.startswith(name + "(")


def serve(
    game: Union[Game, type, None] = None, *, host: str = "127.0.0.1", port: int = 7777, runs: Folder = "runs"
) -> None:
    """The page in a browser, with a game of one's own, until Ctrl-C."""
    if game is not None:
        register(game)

    def started(address: str) -> None:
        print(f"open http://{address} in a browser; Ctrl-C ends it", flush=True)

    try:
        _spinney.serve(f"{host}:{port}", Path(runs), started)
    except KeyboardInterrupt:
        print("stopped")


def to_toml(values: Mapping[str, Any]) -> str:
    """The text of an experiment file.

    >>> print(spinney.lab.to_toml({"title": "T", "agents": {"a b": {"c": [0.5, 1]}}, "match": [{"a": ["x"]}]}))
    title = "T"
    <BLANKLINE>
    [agents."a b"]
    c = [0.5, 1]
    <BLANKLINE>
    [[match]]
    a = ["x"]
    <BLANKLINE>
    """
    simple, tables = [], []
    for key, value in values.items():
        if isinstance(value, Mapping) and value and all(isinstance(one, Mapping) for one in value.values()):
            for name, table in value.items():
                tables.append(f"[{_key(key)}.{_key(name)}]\n{_lines(table)}")
        elif isinstance(value, Mapping):
            tables.append(f"[{_key(key)}]\n{_lines(value)}")
        elif isinstance(value, Sequence) and value and all(isinstance(one, Mapping) for one in value):
            tables.extend(f"[[{_key(key)}]]\n{_lines(table)}" for table in value)
        else:
            simple.append(f"{_key(key)} = {_value(value)}\n")
    return "\n".join(["".join(simple), *tables])


def _lines(table: Mapping[str, Any]) -> str:
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _key(key: str) -> str:
    return key if key and all(letter.isascii() and (letter.isalnum() or letter in "_-") for letter in key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items()) + " }"
    if isinstance(value, str):
        import json

        return json.dumps(value)
    if isinstance(value, Iterable):
        return "[" + ", ".join(_value(one) for one in value) + "]"
    raise TypeError(f"an experiment file has no place for {value!r}")

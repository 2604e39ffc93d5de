"""Matches, experiments and runs: the same as the command line's."""

import json

import pytest
import spinney

TEXT = """title = "Little"
seed = 11
pairs = 12

[agents.base]
sims = 20

[agents.more]
sims = [40, 80]

[[match]]
games = ["tic-tac-toe", "breakthrough(rows=5, columns=5)"]
a = ["more"]
b = ["base"]
"""

MEASURE = """title = "Alone"
seed = 3
[agents.plain]
[agents.cv]
cv = true
[[measure]]
games = ["pig(turns=2)"]
agents = ["plain", "cv"]
budgets = [{ simulations = 4 }]
repetitions = 100
"""


def files_of(folder):
    """What is decided by the seed; times and pages are not."""
    names = ["experiment.toml", "plan.json", "games-0-of-1.jsonl", "program.json"]
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


def test_a_match_is_that_of_the_command_line(spinney_command, tmp_path):
    arguments = ["match", "breakthrough(rows=5, columns=5)", "--a", "mcts(sims=60)", "--b", "mcts(sims=20)"]
    arguments += ["--games", "30", "--seed", "5"]
    line = json.loads(spinney_command(*arguments, "--json"))
    result = spinney.match("breakthrough(rows=5, columns=5)", "mcts(sims=60)", "mcts(sims=20)", games=30, seed=5)
    assert (result.score, list(result.interval), result.elo) == (line["score"], line["ci95"], line["elo"])
    assert [result.wins, result.draws, result.losses] == [line["wins"], line["draws"], line["losses"]]
    assert list(result.summary["simulations"]) == [line["simulations_a"], line["simulations_b"]]
    spinney_command(*arguments, "--threads", "1", "--out", str(tmp_path / "theirs"))
    kept = spinney.match(
        "breakthrough(rows=5, columns=5)", "mcts(sims=60)", "mcts(sims=20)", 30, 5, out=tmp_path / "ours", threads=1
    )
    assert files_of(tmp_path / "ours") == files_of(tmp_path / "theirs")
    assert kept.score == result.score and kept.folder == tmp_path / "ours"
    assert "forest" in "".join(result.pictures()) and "data:image/svg" in result._repr_html_()


def test_a_run_is_byte_for_byte_that_of_the_command_line(spinney_command, tmp_path):
    (tmp_path / "little.toml").write_text(TEXT)
    spinney_command("lab", "run", "little.toml", "--threads", "1", "--out", "theirs", cwd=tmp_path)
    told = []
    experiment = spinney.Experiment.from_toml(tmp_path / "little.toml")
    run = experiment.run(tmp_path / "ours", threads=1, progress=lambda played, total: told.append((played, total)))
    ours = files_of(tmp_path / "ours")
    assert ours == files_of(tmp_path / "theirs") and len(ours) == 4
    assert told[-1] == (96, 96) and run.played == experiment.games == 96 and run.missing == 0
    assert (tmp_path / "ours/report.html").exists()
    # The command line goes on with our run and finds nothing to do, and we with its.
    assert "Little" in spinney_command("lab", "status", "ours", cwd=tmp_path)
    assert spinney.Run.open(tmp_path / "theirs").played == 96
    assert experiment.run(tmp_path / "theirs").played == 96
    assert run.verify(0.1)[0] >= 1


def test_a_dictionary_is_a_file():
    values = {
        "title": "Little",
        "seed": 11,
        "pairs": 12,
        "agents": {"base": {"sims": 20}, "more": {"sims": [40, 80]}},
        "match": [{"games": ["tic-tac-toe", "breakthrough(rows=5, columns=5)"], "a": ["more"], "b": ["base"]}],
    }
    assert spinney.Experiment.from_dict(values).hash == spinney.Experiment.from_toml(TEXT).hash
    assert len(spinney.Experiment.from_toml(TEXT).labels) == 4
    with pytest.raises(spinney.InputError, match="unknown field|unknown"):
        spinney.Experiment.from_dict({**values, "paris": 3})
    assert spinney.Experiment.from_toml("solver").games > 0
    with pytest.raises(FileNotFoundError):
        spinney.Experiment.from_toml("nothing.toml")


def test_records_and_cells_are_arrow_tables(tmp_path):
    run = spinney.Experiment.from_toml(TEXT).run(tmp_path / "run")
    table = run.records().to_arrow()
    assert table.num_rows == 96 and table.schema.field("pair").type == "int64"
    frame, polars = run.records().to_pandas(), run.records().to_polars()
    assert list(frame["moves"]) == polars["moves"].to_list()
    assert frame["score_of_a"].mean() == pytest.approx(polars["score_of_a"].mean())
    # What each consumer reads is what the text says.
    import csv
    import io

    rows = list(csv.DictReader(io.StringIO(run.records().csv)))
    assert [row["moves"] for row in rows] == list(frame["moves"])
    assert [int(row["plies"]) for row in rows] == list(frame["plies"])
    cells = run.cells().to_pandas()
    assert len(cells) == 4 and cells["score"].tolist() == [one["score"] for one in run.summaries()]
    empty = spinney.match("tic-tac-toe", "random", "random", games=0)
    assert empty.records().to_arrow().num_rows == 0


def test_duckdb_reads_records():
    duckdb = pytest.importorskip("duckdb")
    records = spinney.match("tic-tac-toe", "mcts(sims=20)", "random", games=10).records()
    assert duckdb.sql("select count(*), sum(plies) from records").fetchall()[0][0] == 10


def test_columns_are_not_copied():
    import pyarrow

    records = spinney.match("tic-tac-toe", "random", "random", games=10).records()
    one, two = pyarrow.table(records), pyarrow.table(records)
    address = [table.column("plies").chunk(0).buffers()[1].address for table in (one, two)]
    assert address[0] == address[1], "two consumers read the same memory"
    del one, records
    assert two.column("plies").to_pylist() and two.column("moves").to_pylist()[0]


def test_measurements_have_portions(tmp_path):
    run = spinney.Experiment.from_toml(MEASURE).run(tmp_path / "run")
    assert run.played == 200
    frame = run.records().to_pandas()
    assert frame["count"].sum() == 200 and len(run.cells().to_pandas()) == 2


def test_stopping_rules_spare_games():
    result = spinney.match(
        "tic-tac-toe", "mcts(sims=100)", "random", games=2000, seed=1, stop="sprt=[0, 20]"
    )
    assert 0 < result.games < 2000 and result.summary["course"]
    assert result.summary["basis"] == "anytime"


def test_reports_have_three_forms(tmp_path):
    run = spinney.Experiment.from_toml(TEXT).run(tmp_path / "run")
    assert "Little" in run.report() and run.report("markdown").startswith("#") and "<html" in run.report("html")
    with pytest.raises(spinney.InputError, match="no form"):
        run.report("pdf")
    assert str(run) == run.report()


def test_progress_by_tqdm(capsys):
    pytest.importorskip("tqdm")
    spinney.match("tic-tac-toe", "random", "random", games=10, progress=True)
    assert "10/10" in capsys.readouterr().err


def test_agents_in_python_play_matches():
    class First:
        """The first move there is."""

        def choose(self, state, seed):
            return state.legal_moves()[0]

    result = spinney.match("tic-tac-toe", "mcts(sims=100)", First(), games=10, opening=1)
    assert result.games == 10 and result.score > 0.7 and "First" in str(result)
    assert len(result.records().to_pandas()) == 10
    with pytest.raises(spinney.InputError) as caught:
        spinney.match("tic-tac-toe", First(), "random", out="somewhere")
    assert caught.value.place == "match" and caught.value.remedy


def test_units_are_the_run(tmp_path):
    experiment = spinney.Experiment.from_toml(TEXT)
    experiment.run(tmp_path / "run", threads=1)
    units = experiment.units(pairs=5)
    assert len(units) == 12 and sum(len(unit.tasks) for unit in units) == 48
    results = [spinney.play_unit(unit) for unit in units]
    # In any order, one of them twice.
    run = experiment.collect([*reversed(results), results[3]], tmp_path / "spread")
    assert run.missing == 0
    assert files_of(tmp_path / "run") == files_of(tmp_path / "spread")
    # What a part gave can be collected first, and the rest is asked for.
    half = experiment.collect(results[:6], tmp_path / "half")
    assert half.missing == 2 * sum(len(unit.tasks) for unit in units[6:])
    rest = experiment.units(tmp_path / "half", pairs=5)
    assert experiment.collect(map(spinney.play_unit, rest), tmp_path / "half").missing == 0
    assert files_of(tmp_path / "half") == files_of(tmp_path / "run")


def test_results_of_others_are_refused(tmp_path):
    experiment = spinney.Experiment.from_toml(TEXT)
    other = spinney.Experiment.from_toml(TEXT.replace("seed = 11", "seed = 12"))
    result = spinney.play_unit(other.units()[0])
    with pytest.raises(spinney.InputError):
        experiment.collect([result], tmp_path / "run")
    line, first, second = spinney.play_unit(experiment.units()[0])[0]
    with pytest.raises(spinney.InputError, match="checksum"):
        experiment.collect([[(line.replace('"plies":', '"plies":1'), first, second)]], tmp_path / "run")

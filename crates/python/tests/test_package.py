"""The package itself: examples in docstrings, types, the command, how long it takes to import."""

import doctest
import importlib
import inspect
import re
import statistics

import pytest
import spinney
from conftest import ROOT, in_new_process

MODULES = ["spinney", "spinney.agents", "spinney.games", "spinney.lab", "spinney.networks"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    module = importlib.import_module(name)
    results = doctest.testmod(module, extraglobs={"spinney": spinney})
    assert results.failed == 0


def test_examples_of_the_rust_part():
    for thing in (spinney.State, spinney.InputError):
        tests = doctest.DocTestFinder().find(thing, thing.__name__, globs={"spinney": spinney})
        assert tests
        for test in tests:
            assert doctest.DocTestRunner().run(test).failed == 0


def test_everything_public_is_documented():
    for name in spinney.__all__:
        thing = getattr(spinney, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert thing.__doc__, name
    for name in dir(spinney.State):
        if not name.startswith("_"):
            assert getattr(spinney.State, name).__doc__, name


def test_the_stub_names_what_there_is():
    import ast

    from spinney import _spinney

    stub = ast.parse((ROOT / "crates/python/python/spinney/_spinney.pyi").read_text())
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    there = {name for name in dir(_spinney) if not name.startswith("__")} - {"VERSION"}
    assert functions | set(classes) == there
    for name, node in classes.items():
        if name == "InputError":
            continue
        members = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        members |= {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
        real = {member for member in vars(getattr(_spinney, name)) if not member.startswith("__")}
        assert {member for member in members if not member.startswith("__")} == real, name


def test_import_brings_nothing_heavy_and_is_quick():
    code = (
        "import sys, time; start = time.perf_counter(); import spinney; taken = time.perf_counter() - start\n"
        "heavy = {'numpy', 'pandas', 'polars', 'pyarrow', 'tqdm', 'pyspiel', 'torch'} & set(sys.modules)\n"
        "print(taken, *heavy)"
    )
    taken, heavy = [], set()
    for _ in range(5):
        first, *rest = in_new_process(code).stdout.split()
        taken.append(float(first))
        heavy |= set(rest)
    assert not heavy
    print(f"import takes {1e3 * statistics.median(taken):.1f} ms")


def test_the_wheel_carries_the_command(spinney_command):
    assert spinney_command("--version").split()[-1] == spinney.__version__
    assert "breakthrough" in spinney_command("games")


def test_the_command_says_what_is_wrong_and_how():
    done = in_new_process("import sys; sys.argv = ['spinney', 'games', 'braekthrough']; from spinney.__main__ import main; sys.exit(main())")
    assert done.returncode == 2 and "did you mean" in done.stderr


def test_the_documentation_runs(tmp_path, monkeypatch):
    """The blocks of docs/python.md, one after the other; those that need OpenSpiel have tests of their own."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 5
    names = {"__name__": "documentation"}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)


def test_types_fit():
    pytest.importorskip("mypy", reason="mypy is not installed")
    import subprocess
    import sys

    package = ROOT / "crates/python/python/spinney"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", str(ROOT / "target/python/mypy"), str(package)],
        capture_output=True,
        text=True,
        cwd=package.parent,
    )
    assert done.returncode == 0, done.stdout

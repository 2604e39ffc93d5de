"""What several tests need."""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def command() -> str:
    """The command that the wheel carries."""
    beside = Path(sysconfig.get_path("scripts")) / "spinney"
    found = str(beside) if beside.exists() else shutil.which("spinney")
    assert found, "the wheel carries the command `spinney`"
    return found


@pytest.fixture
def spinney_command():
    """Runs the command `spinney` and gives what it printed."""

    def run(*arguments: str, cwd=None) -> str:
        done = subprocess.run([command(), *arguments], capture_output=True, text=True, cwd=cwd)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def in_new_process(code: str, **arguments) -> subprocess.CompletedProcess:
    """Runs Python code in a process of its own."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, **arguments)

"""The notebooks run from top to bottom."""

import base64
import os
from pathlib import Path

import pytest
from conftest import ROOT

nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
PICTURES = ROOT / "target" / "python" / "pictures"


def test_there_are_three():
    assert [path.stem for path in NOTEBOOKS] == ["first-steps", "own-game", "test-an-idea"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    pages = [output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert any("<svg" in page for page in pages), "boards are drawn"
    assert any("data:image/svg" in page for page in pages), "forest plots are drawn"
    keep(path.stem, outputs)
    if "SPINNEY_KEEP_NOTEBOOKS" in os.environ:
        nbformat.write(notebook, path)


def keep(name: str, outputs) -> None:
    """Leaves the pictures where they can be looked at."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page = ["<!doctype html><meta charset=utf-8><body style='font-family: sans-serif; width: 60em'>"]
    for number, output in enumerate(outputs):
        data = output.get("data", {})
        if "text/html" in data:
            page.append(data["text/html"])
        elif "image/png" in data:
            (PICTURES / f"{name}-{number}.png").write_bytes(base64.b64decode(data["image/png"]))
            page.append(f"<img src='{name}-{number}.png'>")
        elif "text" in output:
            page.append(f"<pre>{output['text']}</pre>")
    Path(PICTURES / f"{name}.html").write_text("<hr>".join(page), encoding="utf-8")

"""What every notebook of the project keeps, and how the magic behaves in a real kernel.

That the notebooks run from top to bottom is checked by nbmake, which pytest runs over ``notebooks/``.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def ran(folder: Path, *cells: str) -> nbformat.NotebookNode:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_clean(path: Path) -> None:
    """A notebook in the repository has no outputs, no counters, valid JSON, and a text before its first code."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.cells[0].cell_type == "markdown"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


@pytest.mark.notebook
def test_an_error_of_the_magic_fails_the_notebook(tmp_path: Path) -> None:
    """In a kernel, with its event loop running, an error of `%aira` is one line and fails the notebook."""
    with pytest.raises(CellExecutionError) as caught:
        ran(tmp_path, "%load_ext aira_nb", "%aira stats")
    assert caught.value.ename == "InputError"
    assert "%aira open my.aira" in caught.value.evalue
    assert "Traceback" not in caught.value.traceback
    assert "magic.py" not in caught.value.traceback
    with pytest.raises(CellExecutionError) as caught:
        ran(tmp_path, "%load_ext aira_nb", "%aira serach x")
    assert "no verb 'serach'" in str(caught.value)


@pytest.mark.notebook
def test_completion_in_a_kernel(tmp_path: Path) -> None:
    """In a kernel, whose completer runs beside its event loop, verbs complete."""
    cell = """
get_ipython().run_line_magic("load_ext", "aira_nb")
print(get_ipython().kernel.do_complete("%aira st", 8)["matches"])
"""
    (only,) = ran(tmp_path, cell).cells
    assert "'stats'" in only.outputs[0].text
    assert "'stabilize'" in only.outputs[0].text

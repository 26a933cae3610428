"""The common part of the tests of commands: a run that must succeed."""

import pytest

from csp_sudoku.cli.main import execute
from tests.cli.support import told


@pytest.fixture
def output(capsys: pytest.CaptureFixture[str]):
    """Run a command line that must end with a code and print nothing on standard error; return its output."""

    def call(*arguments: str, code: int = 0) -> str:
        found = execute(arguments)
        out, err = capsys.readouterr()
        assert (found, told(err)) == (code, "")
        return out

    return call

"""The table at the top of the README agrees with the results of the benchmarks."""

from pathlib import Path

import pytest

from tests.benchmarks.support import module

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.skipif(not README.exists(), reason="the wheel's tests run without a checkout around them")
def test_the_table_of_the_readme_is_that_of_the_results():
    """The README shows the output of the command."""
    summary = module("summary")
    text = README.read_text(encoding="utf-8")
    assert f"<!-- summary -->\n{summary.table()}\n\n{summary.champion()}\n" in text


def test_a_row_compares_with_the_fastest_of_the_others():
    """No other program of the same run is faster than the one that the table names."""
    summary = module("summary")
    for row, line in zip(summary.ROWS, summary.table().splitlines()[2:], strict=True):
        found = summary.figures(row.benchmark, row.group)
        others = {name: value for name, value in found.items() if row.is_other(name)}
        assert min(others, key=others.get) in line
        assert len(others) >= 2

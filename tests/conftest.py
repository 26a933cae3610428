"""The tests' own option: which solvers the conformance suite is run over. Ctrl-C, which some tests send. The clock.

The kernels are compiled before the workers of a parallel run start, or several of them would compile the same ones.
"""

import signal

import pytest

from csp_sudoku import warm_up
from csp_sudoku.solvers.registry import PRESETS, SOLVERS
from tests.clock import clock, pytest_terminal_summary

__all__ = ["clock", "pytest_terminal_summary"]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # as in the background of a script: the programs that the tests start would inherit that and miss their Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest.register_assert_rewrite("tests.arena.support")  # its fixture tells what is left after a test

collect_ignore_glob = ["arena/agents/*", "framework/agents/*"]
"""Players, not tests: most of them one would not want to meet, and some need the framework to be imported at all."""

NAMES = [*SOLVERS, *PRESETS]


def pytest_addoption(parser):
    """Add `--solver`."""
    parser.addoption(
        "--solver",
        action="append",
        choices=["all", *NAMES],
        help="run the conformance suite over this solver (default: all)",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    """Compile all kernels in parallel before the workers start; without workers each test compiles its own."""
    config = session.config
    if config.getoption("numprocesses", None) and not config.getoption("collectonly"):
        write = config.get_terminal_writer().line
        warm_up.warm_up(on_progress=lambda done, total: write(f"compiled {done} of {total} groups of kernels"))


def pytest_generate_tests(metafunc):
    """Run each test that takes a `solver_name` for every requested solver."""
    if "solver_name" in metafunc.fixturenames:
        asked = metafunc.config.getoption("--solver") or ["all"]
        metafunc.parametrize("solver_name", NAMES if "all" in asked else [name for name in NAMES if name in asked])

"""Every constraint as a CP-SAT model, and its propagation, against brute force with its `check`."""

import pytest

from csp_sudoku.constraints.table import CONSTRAINTS
from tests.constraints.comparing import check_instance, check_pruning, check_together
from tests.constraints.makers import THIRDS
from tests.support import random_of

MANY = 12
"""How many random instances of each kind the slow tests try."""


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_a_model_has_the_solutions_of_brute_force(name):
    """Each kind of constraint, posted to a model, leaves exactly the boards that its check accepts."""
    check_instance(name, random_of(name, 0))


@pytest.mark.slow
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_many_models_have_the_solutions_of_brute_force(name):
    """The same for many random instances of each kind."""
    for trial in range(1, MANY + 1):
        check_instance(name, random_of(name, trial))


PAIRED = [name for name in CONSTRAINTS if name not in THIRDS]


@pytest.mark.parametrize("trial", range(8))
def test_two_constraints_hold_together(trial):
    """Pairs of constraints on one board, a few kinds of each."""
    random = random_of("pairs", trial)
    check_together(random.sample(PAIRED, 2), random)


@pytest.mark.slow
def test_every_constraint_holds_together_with_others():
    """Each kind together with four others."""
    for trial, name in enumerate(PAIRED):
        random = random_of("others", trial)
        for other in random.sample(PAIRED, 4):
            check_together([name, other], random)


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_propagation_keeps_solutions(name):
    """No candidate of a full board that satisfies the constraint is ever removed, and no cell outside its scope loses
    one.
    """
    for trial in range(6):
        check_pruning(name, random_of("prune", name, trial))


@pytest.mark.slow
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_propagation_keeps_solutions_of_many_boards(name):
    """The same for hundreds of random instances, some of which the board satisfies."""
    assert sum(check_pruning(name, random_of("many", name, trial), must_hold=trial < 20) for trial in range(300)) > 0

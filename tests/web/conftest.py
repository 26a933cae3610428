"""The fixtures of the tests of the page."""

import pytest

from csp_sudoku.warm_up import prepare
from csp_sudoku.web.preparation import EVERYTHING


@pytest.fixture(scope="session")
def prepared():
    """All kernels that the page needs are compiled, before any clock runs."""
    prepare([EVERYTHING])


@pytest.fixture(scope="module")
def client():
    """A client of the application, which the tests of a module share."""
    from tests.web.support import client_of

    with client_of() as found:
        yield found


@pytest.fixture(scope="module")
def ask(client):
    """Ask a question: the JSON answer, whose status must be as expected."""

    def call(name, body, status=200):
        found = client.post(f"/api/{name}", json=body)
        assert found.status_code == status, found.text
        return found.json()

    return call

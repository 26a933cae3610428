"""The main function of a supervisor process: it chooses the kind of supervisor and cleans up at the end."""

from __future__ import annotations

import json
import os
import traceback
from contextlib import suppress
from typing import NoReturn

from csp_sudoku.sandbox.assignment import Assignment
from csp_sudoku.sandbox.forking import ForkingSupervisor
from csp_sudoku.sandbox.leftovers import remove_folder
from csp_sudoku.sandbox.messages import BROKEN
from csp_sudoku.sandbox.namespaces import enter, leave
from csp_sudoku.sandbox.persistent import PersistentSupervisor
from csp_sudoku.sandbox.processes import adopt_orphans
from csp_sudoku.sandbox.supervisor import AbandonedError


def supervise(assignment: Assignment, orders: int, answers: int) -> NoReturn:
    """Supervise the player of an assignment in this process, which does nothing else, and exit."""
    code = 0
    try:
        arena = os.pidfd_open(assignment.arena)  # in a pid namespace there is no arena; should its pid be another's,
        # the orders are closed
        os.mkdir(assignment.folder, 0o700)  # noqa: PTH102 - the supervisor removes it even if the arena is killed
        if assignment.namespaces:
            enter(assignment.namespaces, assignment.folder, assignment.terms.limits.memory)
        adopt_orphans()
        kind = PersistentSupervisor if assignment.terms.persistent else ForkingSupervisor
        one = kind(assignment, orders, answers, arena)
        try:
            one.run()
        except (AbandonedError, BrokenPipeError):
            pass
        finally:
            one.note_leftovers()
            one.close()
    except (AbandonedError, ProcessLookupError):
        remove_folder(assignment.folder)
    except BaseException as error:  # noqa: BLE001 - the supervisor reports any error to the arena
        code = 1
        told = " ".join(traceback.format_exception_only(error)[-1].split())
        with suppress(OSError):
            os.write(answers, json.dumps({BROKEN: told}).encode() + b"\n")
    finally:
        if "mount" in assignment.namespaces:
            leave(assignment.folder)
            remove_folder(assignment.folder)
        os._exit(code)

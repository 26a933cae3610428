"""The command: python -m tests.signature."""

# ruff: noqa: T201 - a command prints

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from importlib import import_module

from tests.signature import LAYERS, clock

ALL = "all"

DESCRIPTION = """\
Print one digest per layer of csp_sudoku, and one for all of them. Each stands for the answers, node counts, values and
moves of everything in the layer on fixed boards, within fixed budgets of nodes. A refactoring that changes nothing
leaves them as they are, on every machine and with every Python from 3.11 on.

exit status: 0 if the digests are the expected ones (or were updated), 1 if some differ, 2 for a wrong command line
"""

EPILOG = """\
To see what a change has changed, print the lines that are hashed before and after it, and compare them:

  git stash; python -m tests.signature --verbose > before; git stash pop
  python -m tests.signature --verbose > after; diff before after

If that is what was meant, write the new digests to tests/signature/expected.txt, and commit it with the change:

  python -m tests.signature --update --why "The learning search restarts later: fewer conflicts on 5x5"

Its log then says when which layers changed, the subject of the commit that changed them, and the reason.
"""


def main(arguments=None):
    """Run the command; the exit status."""
    given = _read(arguments)
    clock.install()
    clock.prepare()
    layers = [given.layer] if given.layer else LAYERS
    lines = {layer: list(import_module(f"tests.signature.{layer}").lines()) for layer in layers}
    from tests.signature.digest import digest
    from tests.signature.expected import PATH, Expected

    digests = {layer: digest(its) for layer, its in lines.items()}
    if not given.layer:
        digests[ALL] = digest(digests.values())
    expected = Expected.read()
    wrong = [name for name, found in digests.items() if expected.digests.get(name) != found]
    if given.update:
        if not wrong:
            print("nothing has changed")
            return 0
        layered = {**expected.digests, **digests}
        layered[ALL] = digest(layered[layer] for layer in LAYERS)
        expected.changed(layered, datetime.now(UTC).date(), given.why).write()
        print(f"wrote {PATH}: {', '.join(wrong)}")
        return 0
    if given.json:
        more = {"lines": lines} if given.verbose else {}
        print(json.dumps({"digests": digests, "expected": expected.digests, "differ": wrong, **more}, indent=2))
    elif given.verbose:
        for layer, its in lines.items():
            for text in its:
                print(layer, text)
    else:
        for name, found in digests.items():
            known = expected.digests.get(name, "nothing")
            print(f"{name:8} {found}" + (f"  expected {known}" if name in wrong else ""))
    return 1 if wrong else 0


def _read(arguments):
    parser = argparse.ArgumentParser(
        "python -m tests.signature",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--layer", choices=LAYERS, help="compute (or update) the digest of this layer alone")
    parser.add_argument("--verbose", action="store_true", help="print the lines that are hashed, one per item")
    parser.add_argument("--json", action="store_true", help="print JSON; with --verbose, it has the lines, too")
    parser.add_argument(
        "--update", action="store_true", help="write the digests to expected.txt, with a line of its log"
    )
    parser.add_argument("--why", metavar="TEXT", help="why the digests change, for the log; --update needs it")
    given = parser.parse_args(arguments)
    if given.update and (not given.why or given.verbose or given.json):
        parser.error('expected --update with --why "…", and without --verbose and --json')
    if given.why and not given.update:
        parser.error("expected --why with --update")
    return given


if __name__ == "__main__":
    sys.exit(main())

"""The command: python -m tests.attack."""

# ruff: noqa: T201 - a command prints

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence

from tests.attack import soak
from tests.attack.cases import all_cases, chosen, run, run_side_by_side, shuffled
from tests.attack.table import table
from tests.attack.verdict import Verdict
from tests.attack.watch import become_subreaper

DESCRIPTION = "Attack the arena with hostile agents, kills and damaged files, and print a verdict on each attack."
EPILOG = """Each hostile agent plays a match against an honest one, in each setting: forked, persistent, and isolated in
both ways. The exit code is 1 if an attack succeeded, and a line says how to repeat it; else it is 0."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the attacks that a command line asks for; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument(
        "--minutes", type=float, help="begin attacks for this long (default: 10, and with --all or --only no limit)"
    )
    parser.add_argument("--seed", type=int, help="the seed of the order and of the games (default: from the date)")
    parser.add_argument("--all", action="store_true", help="run all attacks once, and print a table of the verdicts")
    parser.add_argument(
        "--only", metavar="NAME,…", help="run these attacks once: NAME:SETTING, or NAME for all settings"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="attack in N processes (default: 1)")
    parser.add_argument("--list", action="store_true", help="print the names of all attacks")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--lines", action="store_true", help="print one JSON object for each attack, when it is over")
    parser.add_argument("--soak", action="store_true", help="play a long tournament instead; see tests.attack.soak")
    asked = parser.parse_args(arguments)
    if asked.soak:
        return soak.main([] if asked.minutes is None else ["--minutes", str(asked.minutes)])
    if asked.list:
        print("\n".join(all_cases()))
        return 0
    if asked.jobs < 1:
        parser.error(f"expected at least one process; found {asked.jobs}")
    minutes = 10.0 if asked.minutes is None and not (asked.all or asked.only) else asked.minutes
    seed = int(time.strftime("%Y%m%d")) if asked.seed is None else asked.seed
    try:
        cases = chosen(asked.only.split(",")) if asked.only else shuffled(seed, minutes)
    except ValueError as error:
        parser.error(f"expected names that --list prints; found {error}")
    become_subreaper()
    if asked.jobs > 1:
        found = run_side_by_side(cases, seed, minutes, asked.jobs)
    else:
        found = run(cases, seed, None if minutes is None else time.monotonic() + 60 * minutes)
    verdicts = []
    if not (asked.json or asked.lines):
        print(f"seed {seed}, {len(cases)} attacks")
    for verdict in found:
        verdicts.append(verdict)
        if asked.lines:
            print(json.dumps(verdict.as_object()), flush=True)
        elif not asked.json:
            print("\n".join(lines(verdict, seed)), flush=True)
    if asked.json:
        print(json.dumps({"seed": seed, "verdicts": [verdict.as_object() for verdict in verdicts]}))
    elif not asked.lines:
        print(f"\n{table(verdicts)}")
        print(f"{len(verdicts)} of {len(cases)} attacks, {sum(not verdict.is_ok for verdict in verdicts)} failed")
    return int(any(not verdict.is_ok for verdict in verdicts))


def lines(verdict: Verdict, seed: int) -> list[str]:
    """The row of a verdict, and below it what is wrong, with the command that repeats it."""
    state = "ok" if verdict.is_ok else "FAILED"
    again = "" if verdict.tries == 1 else f" (try {verdict.tries})"
    row = f"{state:<6} {verdict.attack:<40} {verdict.games:>4}  {verdict.expected:<32} {verdict.found[:80]}{again}"
    if verdict.is_ok:
        return [row]
    problems = "; ".join(problem.text for problem in verdict.problems)
    return [row, f"       {problems[:600]} | python -m tests.attack --only {verdict.attack} --seed {seed}"]


if __name__ == "__main__":
    sys.exit(main())

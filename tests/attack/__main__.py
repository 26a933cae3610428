"""The command: python -m tests.attack."""

# ruff: noqa: T201 - a command prints

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence

from tests.attack import soak
from tests.attack.cases import all_cases, chosen, run, shuffled
from tests.attack.verdict import Verdict
from tests.attack.watch import become_subreaper

DESCRIPTION = "Attack the arena with hostile agents, kills and damaged files, and print a verdict on each attack."
EPILOG = """Each hostile agent plays a match against an honest one, in each setting: forked, persistent, and isolated in
both ways. The exit code is 1 if an attack succeeded, and a line says how to repeat it; else it is 0."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the attacks that a command line asks for; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("--minutes", type=float, default=10, help="begin attacks for this long (default: 10)")
    parser.add_argument("--seed", type=int, help="the seed of the order and of the games (default: from the date)")
    parser.add_argument(
        "--only", metavar="NAME,…", help="run these attacks once: NAME:SETTING, or NAME for all settings"
    )
    parser.add_argument("--list", action="store_true", help="print the names of all attacks")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--soak", action="store_true", help="play a long tournament instead; see tests.attack.soak")
    asked = parser.parse_args(arguments)
    if asked.soak:
        return soak.main(["--minutes", str(asked.minutes)])
    if asked.list:
        print("\n".join(all_cases()))
        return 0
    seed = int(time.strftime("%Y%m%d")) if asked.seed is None else asked.seed
    try:
        cases = chosen(asked.only.split(",")) if asked.only else shuffled(seed)
    except ValueError as error:
        parser.error(f"expected names that --list prints; found {error}")
    become_subreaper()
    until = None if asked.only else time.monotonic() + 60 * asked.minutes
    verdicts = []
    if not asked.json:
        print(f"seed {seed}, {len(cases)} attacks")
    for verdict in run(cases, seed, until):
        verdicts.append(verdict)
        if not asked.json:
            print("\n".join(lines(verdict, seed)), flush=True)
    failed = [verdict for verdict in verdicts if not verdict.is_ok]
    if asked.json:
        print(json.dumps({"seed": seed, "verdicts": [verdict.as_object() for verdict in verdicts]}))
    else:
        games = sum(verdict.games for verdict in verdicts)
        print(f"{len(verdicts)} of {len(cases)} attacks, {games} games and inputs, {len(failed)} failed")
    return int(bool(failed))


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

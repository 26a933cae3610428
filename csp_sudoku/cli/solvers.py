"""csp-sudoku solvers: list the solvers, their options, and the presets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from csp_sudoku.cli.folding import folded
from csp_sudoku.cli.inputs import json_option
from csp_sudoku.cli.output import bold, say

if TYPE_CHECKING:
    from csp_sudoku.solvers.base import Option


@click.command(
    "solvers",
    short_help="List the solvers, their options and presets.",
    epilog="""\b
Examples:
  csp-sudoku solvers
  csp-sudoku solvers --json | jq -r .name

\b
Exit codes: 0 done, 2 bad input or usage, 130 interrupted.""",
)
@json_option
def command(as_json: bool) -> int:
    """List the solvers with their options, and the presets.

    `csp-sudoku solve --solver NAME --option K=V` solves with one of them, and sets its option K to V.
    """
    for entry in _entries():
        say(json.dumps(entry) if as_json else folded(_text(entry), indent=4))
    return 0


def _entries() -> Iterator[dict[str, Any]]:
    """Yield the description of each solver, then of each preset, as the object that --json prints."""
    from csp_sudoku.solvers.registry import PRESETS, SOLVERS

    for name, entry in SOLVERS.items():
        options = {key: _described(option) for key, option in entry.option_table().items()}
        yield {"name": name, "kind": "solver", "help": entry.help, "options": options}
    homes = {(entry.module, entry.class_name): name for name, entry in SOLVERS.items()}
    for name, entry in PRESETS.items():
        solver = homes[entry.module, entry.class_name]
        settings = dict(entry.preset or {})
        yield {"name": name, "kind": "preset", "help": entry.help, "solver": solver, "settings": settings}


def _described(option: Option) -> dict[str, Any]:
    allowed = list(option.allowed) if isinstance(option.allowed, tuple) else option.describe()
    return {"default": option.default, "allowed": allowed, "several": option.several, "help": option.help}


def _text(entry: dict[str, Any]) -> str:
    lines = [f"{bold(entry['name'])}: {entry['help']}"]
    for name, option in entry.get("options", {}).items():
        allowed = option["allowed"] if isinstance(option["allowed"], str) else "|".join(option["allowed"])
        joined = ", several joined by +" if option["several"] else ""
        default = str(option["default"]).lower() if isinstance(option["default"], bool) else option["default"]
        lines += [f"    {name}={allowed}{joined} (default {default})", f"        {option['help']}"]
    if "settings" in entry:
        settings = " ".join(f"{name}={value}" for name, value in entry["settings"].items())
        lines.append(f"    the solver {entry['solver']} with {settings}")
    return "\n".join(lines)

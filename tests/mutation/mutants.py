"""Mutants: copies of a module that differ from it in one place each.

Most of them are those of cosmic-ray: another operator or constant, a condition negated, a loop that never runs. Two
kinds are added: a statement that is left out, and a function that returns None. Of the many operators by which
cosmic-ray replaces an arithmetic operator only those of `REPLACEMENTS` are taken, since the others are killed by the
first test that runs the line. An equality does not become an identity, nor the other way round: on None, enums and
small integers there is no difference. Annotations are left as they are, since nothing evaluates them.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from typing import NamedTuple

REPLACEMENTS = {
    "Add": {"Sub", "Mul"},
    "Sub": {"Add", "Mul"},
    "Mul": {"Add", "FloorDiv", "Pow"},
    "Div": {"Mul", "FloorDiv"},
    "FloorDiv": {"Mul", "Div"},
    "Mod": {"FloorDiv", "Add"},
    "Pow": {"Mul"},
    "LShift": {"RShift"},
    "BitAnd": {"BitOr"},
    "BitOr": {"BitAnd", "Sub"},
}
"""For each arithmetic operator, those that take its place."""

ALIKE = [{"Is", "Eq"}, {"IsNot", "NotEq"}]
"""Comparisons that are not taken for each other."""

REMOVABLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)


class Mutant(NamedTuple):
    """A changed module, and the lines that make the difference."""

    module: str
    line: int
    operator: str
    before: str
    after: str
    source: str

    @property
    def key(self) -> tuple[str, str, str]:
        """The identity of a mutant, which stays the same when other lines of the module change."""
        return self.module, self.before, self.after


def mutants_of(module: str, source: str) -> Iterator[Mutant]:
    """All mutants of a module, each once, in the order of its lines."""
    skipped = _annotation_lines(source)
    found: dict[str, tuple[int, str]] = {}
    for operator, mutated in (*_replaced(source), *_removed(source)):
        line = _first_difference(source, mutated)
        is_annotation = line in skipped and "BitOr" in operator
        if line is not None and mutated not in found and not is_annotation and _compiles(mutated):
            found[mutated] = line, operator
    for mutated, (line, operator) in sorted(found.items(), key=lambda item: item[1]):
        before = next(filter(str.strip, source.splitlines()[line:])).strip()  # a decorator goes with the blank line
        after = mutated.splitlines()[line].strip()
        yield Mutant(module, line + 1, operator, before, after, mutated)


def _replaced(source: str) -> Iterator[tuple[str, str]]:
    """The mutants of cosmic-ray: (operator, changed source)."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

    tree = get_ast(source)
    for name in sorted(operator_names()):
        kind = name.partition("/")[2].split("_")
        if kind[0] == "ReplaceBinaryOperator" and kind[2] not in REPLACEMENTS.get(kind[1], ()):
            continue
        if (kind[0] == "ReplaceComparisonOperator" and set(kind[1:]) in ALIKE) or get_operator(name).arguments():
            continue
        operator = get_operator(name)()
        count = sum(1 for node in ast_nodes(tree) for _ in operator.mutation_positions(node))
        for occurrence in range(count):
            mutated = mutate_code(source, operator, occurrence)
            if mutated is not None:
                yield kind[0] + "".join(f" {part}" for part in kind[1:]), mutated


def _removed(source: str) -> Iterator[tuple[str, str]]:
    """The mutants that leave a statement out, or return None: (operator, changed source)."""
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Return) and node.value is not None:
            operator, text = "ReturnNone", "return None"
        elif isinstance(node, REMOVABLE) and not _is_text(node):
            operator, text = "RemoveStatement", "pass"
        else:
            continue
        start, stop = node.lineno - 1, node.end_lineno
        indent = lines[start][: node.col_offset]
        if not indent.strip() and ast.unparse(node) != text:  # nothing else is on its first line
            rest = ["\n"] * (stop - start - 1)
            yield operator, "".join([*lines[:start], f"{indent}{text}\n", *rest, *lines[stop:]])


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _annotation_lines(source: str) -> set[int]:
    """The lines, from 0, of annotations."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        parts = [getattr(node, name, None) for name in ("annotation", "returns")]
        for part in filter(None, parts):
            lines.update(range(part.lineno - 1, part.end_lineno))
    return lines


def _compiles(source: str) -> bool:
    """Whether a mutant is Python at all: an asterisk of a signature is no product."""
    try:
        with warnings.catch_warnings(action="ignore"):
            compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True


def _first_difference(one: str, other: str) -> int | None:
    pairs = zip(one.splitlines(), other.splitlines(), strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), None)

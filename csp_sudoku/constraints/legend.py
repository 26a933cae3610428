"""The legend of a board with rules: a sentence for each kind of rule, and how it shows on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from csp_sudoku.constraints.base import Constraint

if TYPE_CHECKING:
    from csp_sudoku.geometry import Geometry


def legend_of(geometry: Geometry) -> list[str]:
    """Return a line for each kind of constraint of a geometry, in the order in which they first appear.

    A constraint that is the only one of its kind is described with its cells; a kind that shows on the board is
    explained once. A constraint that does not show on the board is always described.

    >>> from csp_sudoku import Geometry
    >>> from csp_sudoku.constraints import AntiKnight, Renban
    >>> rules = AntiKnight(), Renban([0, 1]), Renban([5, 6])
    >>> print("\\n".join(legend_of(Geometry.standard(2, 2).with_constraints(*rules))))
    anti-knight: cells a knight's move apart differ
    renban (a pink line): the cells hold different values that are consecutive, in any order
    """
    kinds: dict[type[Constraint], list[Constraint]] = {}
    for constraint in cast("tuple[Constraint, ...]", geometry.constraints):
        kinds.setdefault(type(constraint), []).append(constraint)
    lines = []
    for kind, constraints in kinds.items():
        marks = look_of(kind) if constraints[0].marks(geometry) else ""
        if len(constraints) == 1 or not marks:
            told = "; ".join(one.describe(geometry.plain) for one in constraints)
        else:
            told = _in_text(meaning_of(kind))
        lines.append(f"{kind.name}{f' ({marks})' if marks else ''}: {told}")
    return lines


def meaning_of(kind: type[Constraint]) -> str:
    """Return the meaning of a kind of constraint: the first sentences of its docstring."""
    return (kind.__doc__ or "").partition("\n\n")[0].strip().replace("\n    ", " ").replace("`", "")


def look_of(kind: type[Constraint]) -> str:
    """Return how a kind of constraint shows on a board, in a few words; "" if it does not.

    >>> from csp_sudoku.constraints import AntiKnight, Whispers
    >>> look_of(Whispers), look_of(AntiKnight)
    ('a green line', '')
    """
    if kind.marks is Constraint.marks:
        return ""
    return _in_text((kind.marks.__doc__ or "").strip())


def _in_text(sentence: str) -> str:
    """Return a sentence as a part of another one: with a small letter, unless it begins with a name, and no stop."""
    is_word = sentence[1:2].islower() or sentence.startswith("A ")
    return (sentence[:1].lower() + sentence[1:] if is_word else sentence).removesuffix(".")

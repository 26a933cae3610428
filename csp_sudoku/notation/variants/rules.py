"""Rules as text: each constraint is one line, which begins with its name and is easy to write by hand.

    killer 10 r1c1 r1c2           numbers, then cells; `rule_words` says how cells may be written
    thermometer r1c1 r2c2 r3c3
    anti-knight

The text form of a rule follows from the fields of its class, so a new constraint needs no code here. Numbers fill the
fields that are whole numbers, in their order; a number that has a default may be omitted. Numbers, and rows of numbers,
may precede or follow the cells. A rule on one cell may name several cells, and then applies to each of them. Other
fields are written as name=value.

A few rules have other names: `diagonal+` and `diagonal-`, `x` and `v` for the sums 10 and 5, and short or joined words
such as `thermo` and `antiknight`. In the rules about pairs without a mark (`no-difference`, `no-ratio` and
`no-pair-sum`), the cells after `except` are the marked pairs, two by two; `except marks` stands for all pairs with a
mark of that kind on the board.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, fields
from typing import Any

from csp_sudoku.constraints.base import Cells, Constraint, names_of
from csp_sudoku.constraints.cages import Sum
from csp_sudoku.constraints.generic import AllOf, AnyOf
from csp_sudoku.constraints.outside import LineClue, LittleKiller, diagonal_from, seen_from
from csp_sudoku.constraints.regions import Diagonal
from csp_sudoku.constraints.table import CONSTRAINTS
from csp_sudoku.coordinates import cell_name
from csp_sudoku.errors import ConstraintError
from csp_sudoku.geometry import Geometry
from csp_sudoku.notation.text import shown
from csp_sudoku.notation.variants.absent_marks import ABSENCES, marked_pairs
from csp_sudoku.notation.variants.rule_words import DIAGONALS, FailAt, Parts, PartsReader, Word, words_of

ALIASES: dict[str, tuple[str, str]] = {
    "thermo": ("thermometer", ""),
    "slowthermo": ("slow-thermometer", ""),
    "killercage": ("killer", ""),
    "extraregion": ("region", ""),
    "betweenline": ("between", ""),
    "lockoutline": ("lockout", ""),
    "entropicline": ("entropic", ""),
    "modularline": ("modular", ""),
    "zipperline": ("zipper", ""),
    "sandwichsum": ("sandwich", ""),
    "diagonal+": ("diagonal", "rising"),
    "x": ("pair-sum", "10"),
    "v": ("pair-sum", "5"),
}
"""Other names of rules, without "-": the name of each rule, and the word that its other name adds."""

MAX_DEPTH = 20
"""Upper bound for the depth of rules within rules."""

_FALLING = {"falling": True, "rising": False}
_NUMBER, _NUMBERS, _CELL, _CELLS, _ROWS, _RULES, _OPTION = range(7)
_YES = {"yes": True, "no": False, "true": True, "false": False}


def name_of(word: str) -> tuple[str, str] | None:
    """Return the name of the rule that a word stands for, and the word that it adds; None if it is no rule.

    >>> name_of("AntiKnight"), name_of("thermo"), name_of("x"), name_of("rows")
    (('anti-knight', ''), ('thermometer', ''), ('pair-sum', '10'), None)
    """
    word = word.lower()
    if word == "diagonal-":
        return "diagonal", "falling"
    joined = word.replace("-", "").replace("_", "")
    if joined in ALIASES:
        return ALIASES[joined]
    return next(((name, "") for name in CONSTRAINTS if name.replace("-", "") == joined), None)


def read_rule(
    line: str, column: int, geometry: Geometry, fail: FailAt, marks: Sequence[Constraint] = ()
) -> list[Constraint]:
    """Return the constraints of a line that begins at `column`; raise NotationError at the first mistake.

    `geometry` is the geometry of the board, `fail` makes the errors, and `marks` are the constraints of the other
    lines, for "except marks" (default none).
    """
    reader = _RuleReader(list(words_of(line, column, fail)), geometry, fail, marks)
    found = reader.rule()
    if (word := reader.peek()) is not None:
        raise fail("the end of the rule", shown(word.text), word.column)
    return found


class _RuleReader(PartsReader):
    """A reader of rules, including rules within rules."""

    def __init__(self, words: list[Word], geometry: Geometry, fail: FailAt, marks: Sequence[Constraint]) -> None:
        super().__init__(words, geometry, fail)
        self.marks = marks
        self.depth = 0

    def rule(self) -> list[Constraint]:
        """Return the constraints for the words up to a closing parenthesis or the end."""
        word = self.take()
        named = name_of(word.text)
        if named is None:
            raise self.fail(f"the name of a rule{_hint(word.text)}", shown(word.text), word.column)
        kind = CONSTRAINTS[named[0]]
        parts = self.parts()
        if named[1].isdigit():
            parts.numbers.insert(0, int(named[1]))
        elif named[1]:
            parts.words.append(named[1])
        try:
            found = self._built(kind, parts, word)
            for constraint in found:
                constraint.require_fits(self.geometry)
        except ConstraintError as error:
            raise self.fail("a rule that makes sense", str(error), word.column) from None
        return found

    def _built(self, kind: type[Constraint], parts: Parts, word: Word) -> list[Constraint]:
        if kind in (AnyOf, AllOf):
            return [kind(tuple(self._nested(word)))]
        if kind in ABSENCES:
            return [self._absence(kind, parts, word)]
        values: dict[str, Any] = {}
        if kind is Diagonal and len(parts.words) == 1 and parts.words[0] in _FALLING:
            values["falling"] = _FALLING[parts.words.pop()]
        elif kind is Sum:
            values |= _of_sum(parts)
        single = ""
        for each in fields(kind):
            if each.name in values:
                continue
            sort = _sort(each)
            if sort == _CELL:
                single = each.name
            elif not self._fill(values, each, sort, parts):
                raise self.fail(usage(kind), f"no {each.name}", word.column)
        cells = parts.cells.pop(0) if single and parts.cells else []
        self._require_used(kind, parts, word)
        if not single:
            return [kind(**values)]
        if not cells:
            raise self.fail(usage(kind), "no cell", word.column)
        return [kind(**values, **{single: cell}) for cell in cells]

    def _fill(self, values: dict[str, Any], each: Field[Any], sort: int, parts: Parts) -> bool:
        """Move the value of a field from the parts to the values; return False if it is missing."""
        if sort == _CELLS and parts.cells and (parts.cells[0] or len(parts.cells) > 1):
            values[each.name] = parts.cells.pop(0)
        elif sort == _NUMBER and parts.numbers:
            values[each.name] = parts.numbers.pop(0)
        elif sort == _NUMBERS and parts.numbers:
            values[each.name], parts.numbers = parts.numbers, []
        elif sort == _ROWS:
            values[each.name], parts.rows = parts.rows, []
        elif sort == _OPTION and each.name in parts.options:
            text = parts.options.pop(each.name)
            values[each.name] = _YES.get(text, text)
        else:
            return each.default is not MISSING
        return True

    def _require_used(self, kind: type[Constraint], parts: Parts, word: Word) -> None:
        """Raise NotationError if the rule has not used all parts."""
        left = [*map(str, parts.numbers), *(",".join(map(str, row)) for row in parts.rows), *parts.words]
        left += [*parts.relations, *(f"{name}={value}" for name, value in parts.options.items())]
        left += [f"{factor}*" for factor in parts.factors.values()]
        left += [cell_name(*self.geometry.row_column(cell)) for group in parts.cells for cell in group]
        if left:
            raise self.fail(usage(kind), shown(left[0]), word.column)

    def _nested(self, word: Word) -> list[Constraint]:
        """Return the rules in parentheses."""
        found: list[Constraint] = []
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail(f"at most {MAX_DEPTH} rules within each other", "more", word.column)
        while (opening := self.peek()) is not None and opening.text == "(":
            self.take()
            if self.peek() is None:
                raise self.fail("a rule in parentheses", "the end of the line", opening.column)
            found += self.rule()
            closing = self.peek()
            if closing is None or closing.text != ")":
                raise self.fail('")"', "the end of the line" if closing is None else shown(closing.text), word.column)
            self.take()
        if not found:
            raise self.fail("rules in parentheses", "none", word.column)
        self.depth -= 1
        return found

    def _absence(self, kind: type[Constraint], parts: Parts, word: Word) -> Constraint:
        """Return a rule about the pairs without a mark."""
        cells = parts.cells.pop(0)
        wanted = {name for name in parts.words if name in ("except", "marks")}
        parts.words = [name for name in parts.words if name not in wanted]
        numbers, parts.numbers = parts.numbers, []
        self._require_used(kind, parts, word)
        if len(cells) % 2:
            raise self.fail("pairs of cells behind except", f"{len(cells)} cells", word.column)
        marked = list(zip(cells[::2], cells[1::2], strict=True))
        if "marks" in wanted:
            marked += marked_pairs(self.marks, kind)
        return kind(marked, *([numbers] if numbers else []))  # type: ignore[call-arg] # all three have these fields


def _of_sum(parts: Parts) -> dict[str, Any]:
    """Take the relation and the coefficients of a sum from the parts."""
    values: dict[str, Any] = {}
    if len(parts.relations) == 1:
        values["relation"] = parts.relations.pop()
    values["coefficients"] = ()
    if parts.factors:
        values["coefficients"] = [parts.factors.pop(place, 1) for place in range(len(parts.cells[0]))]
    return values


def _sort(each: Field[Any]) -> int:
    """Return the kind of text form of a field."""
    kind = each.type if isinstance(each.type, str) else getattr(each.type, "__name__", str(each.type))
    if kind == "Cells":
        return _CELLS
    if kind in ("int", "int | None"):
        return _CELL if each.name == "cell" else _NUMBER
    if kind == "tuple[int, ...]":
        return _NUMBERS
    if kind.startswith("tuple[tuple[int"):
        return _ROWS
    return _RULES if kind == "tuple[Constraint, ...]" else _OPTION


def usage(kind: type[Constraint]) -> str:
    """Return a description of the text form of a rule.

    >>> from csp_sudoku.constraints.cages import Killer
    >>> from csp_sudoku.constraints.sums import Arrow
    >>> usage(Killer), usage(Arrow)
    ('killer [total] cells…', 'arrow circle… = shaft…')
    """
    if kind in ABSENCES:
        return f"{kind.name} numbers… [except cells…]"
    if kind is Diagonal:
        return f"{kind.name} falling, or {kind.name} rising"
    if kind is Sum:
        return f"{kind.name} [relation] total cells…, each with a factor* before it, if it has one"
    numbers, groups = [kind.name], []
    for each in fields(kind):
        sort = _sort(each)
        if sort in (_CELLS, _CELL):
            groups.append(f"{each.name}…")
        elif sort == _RULES:
            groups.append("(rule) (rule)…")
        else:
            text = {_NUMBERS: f"{each.name}…", _ROWS: f"{each.name},…"}.get(sort, each.name)
            text = f"{each.name}=…" if sort == _OPTION else text
            numbers.append(f"[{text}]" if each.default is not MISSING else text)
    return " ".join([*numbers, " = ".join(groups)]).rstrip()


GUIDE = """\
board                        the line above a board, or: board 2x3, board 7, board 9 latin (no blocks)
53..7.... and so on          the cells, in rows or in one line
killer 10 r1c1 r1c2          a rule on each line below; […] may be left out, and … may be several
    r1c1-r1c4                the cells of a row or a column from one to another, or a rectangle
    row 3 right              a row seen from the right (or left); column 2 bottom (or top)
    r1c3 down-left           a diagonal (also down-right, up-left, up-right)
no-ratio 2 except marks      the pairs with a mark of that kind are left out; or the pairs behind except
blocks aaab ccab cdbb cddd   the blocks of a jigsaw: N rows of N letters
title, author, rules         words beside the board; `solution` and its values
# …                          a comment"""
"""A short description of the text form of boards with rules."""


def described() -> list[str]:
    """Return two lines for each rule: its text form and its meaning.

    >>> described()[6:8]
    ['windoku', '    The windows, which lie between the blocks one cell from each border, hold each value once.']
    """
    lines = []
    for kind in CONSTRAINTS.values():
        meaning = (kind.__doc__ or "").strip().partition("\n\n")[0]
        lines += [usage(kind), f"    {' '.join(meaning.split())}"]
    return lines


def write_rule(constraint: Constraint, geometry: Geometry) -> str:
    """Return a constraint as the line that `read_rule` reads, on a board of this `geometry`.

    >>> from csp_sudoku.constraints.cages import Killer
    >>> from csp_sudoku.constraints.outside import Sandwich
    >>> write_rule(Killer([0, 1], 3), Geometry.standard(2, 2))
    'killer 3 r1c1 r1c2'
    >>> write_rule(Sandwich([7, 6, 5, 4], 0), Geometry.standard(2, 2))
    'sandwich 0 row 2 right'
    """
    special = _WRITERS.get(type(constraint))
    words = special(constraint, geometry) if special else _written(constraint, geometry)
    return " ".join([constraint.name, *words])


def _written(constraint: Constraint, geometry: Geometry) -> list[str]:
    """Return the words of a constraint, with each field in its usual text form."""
    numbers: list[str] = []
    groups: list[str] = []
    for each in fields(constraint):
        value, sort = getattr(constraint, each.name), _sort(each)
        if sort == _CELLS:
            groups.append(_cells(value, geometry, type(constraint)))
        elif sort == _CELL:
            groups.append(cell_name(*geometry.row_column(value)))
        elif sort == _ROWS:
            numbers += [",".join(map(str, row)) + ("," if len(row) == 1 else "") for row in value]
        elif sort == _NUMBERS:
            numbers += map(str, value)
        elif value != each.default:
            text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
            numbers.append(text if sort == _NUMBER else f"{each.name}={text}")
    return [*numbers, *([" = ".join(groups)] if groups else [])]


def _cells(cells: Cells, geometry: Geometry, kind: type[Constraint]) -> str:
    """Return the cells of a constraint of some kind as words.

    A clue outside the board is written with its row, column or diagonal; any other constraint names each cell.
    """
    first = cell_name(*geometry.row_column(cells[0])) if cells else ""
    if issubclass(kind, LineClue):
        (row, column), size = geometry.row_column(cells[0]), geometry.size
        for line, places in (
            (f"row {row + 1}", {"left": (row, -1), "right": (row, size)}),
            (f"column {column + 1}", {"top": (-1, column), "bottom": (size, column)}),
        ):
            for side, place in places.items():
                if seen_from(geometry, *place) == cells:
                    return f"{line} {side}"
    if issubclass(kind, LittleKiller) and len(cells) > 1:
        for direction, steps in DIAGONALS.items():
            if diagonal_from(geometry, cells[0], *steps) == cells:
                return f"{first} {direction}"
    return names_of(geometry, cells)


def _write_absence(constraint: Any, geometry: Geometry) -> list[str]:
    marked, numbers = (getattr(constraint, each.name) for each in fields(constraint))
    words = list(map(str, numbers))
    if marked:
        words += ["except", names_of(geometry, [cell for pair in marked for cell in pair])]
    return words


def _write_sum(constraint: Sum, geometry: Geometry) -> list[str]:
    relation = [] if constraint.relation == "==" else [constraint.relation]
    names = [cell_name(*geometry.row_column(cell)) for cell in constraint.cells]
    if constraint.coefficients:
        names = [f"{factor}*{name}" for factor, name in zip(constraint.coefficients, names, strict=True)]
    return [*relation, str(constraint.total), *names]


_WRITERS: dict[type[Constraint], Callable[[Any, Geometry], list[str]]] = {
    **dict.fromkeys(ABSENCES, _write_absence),
    **dict.fromkeys((AnyOf, AllOf), lambda c, geometry: [f"({write_rule(rule, geometry)})" for rule in c.constraints]),
    Diagonal: lambda c, geometry: ["falling" if c.falling else "rising"],  # noqa: ARG005 - as the others are called
    Sum: _write_sum,
}


def _hint(word: str) -> str:
    """Return the nearest name of a rule, as a question."""
    from difflib import get_close_matches

    near = get_close_matches(word, CONSTRAINTS, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""

"""The common part of constraints that read their cells one after the other, like an automaton.

The **layers** are the states that the automaton can be in after each cell, for the candidates that the cells have, and
from which it can still end in an accepting state.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from csp_sudoku.constraints.base import Cells, Constraint
from csp_sudoku.constraints.bitmasks import values_of
from csp_sudoku.constraints.posting import FALSE, TRUE

if TYPE_CHECKING:
    from csp_sudoku.constraints.posting import Literal, Posting
    from csp_sudoku.geometry import Geometry

Layer = dict[Any, dict[int, Any]]
"""For each state before a cell: the next state for each value of the cell."""


class Sequential(Constraint):
    """A constraint on the sequence of the values of its cells, as a deterministic automaton. States are hashable."""

    cells: Cells

    def read(self) -> Cells:
        """The cells in the order in which they are read: `cells`, unless a subclass overrides this."""
        return self.cells

    @abstractmethod
    def initial(self) -> Hashable:
        """The state before the first cell."""

    @abstractmethod
    def step(self, size: int, state: Any, value: int) -> Hashable | None:
        """The state after one more value, on boards with `size` values; None if the value is not allowed."""

    @abstractmethod
    def accepts(self, size: int, state: Any) -> bool:
        """Whether the sequence may end in this state."""

    def check(self, geometry: Geometry, values: Sequence[int]) -> bool:
        """Whether the automaton ends in an accepting state."""
        state: Any = self.initial()
        for cell in self.read():
            state = self.step(geometry.size, state, values[cell])
            if state is None:
                return False
        return self.accepts(geometry.size, state)

    def layers(self, size: int, masks: Sequence[int]) -> list[Layer]:
        """The layers for these candidates; the first one is empty if no sequence is left."""
        layers: list[Layer] = []
        states: dict[Any, None] = {self.initial(): None}
        for cell in self.read():
            layer: Layer = {}
            for state in states:
                steps = {value: self.step(size, state, value) for value in values_of(masks[cell])}
                layer[state] = {value: after for value, after in steps.items() if after is not None}
            layers.append(layer)
            states = dict.fromkeys(after for steps in layer.values() for after in steps.values())
        useful = {state for state in states if self.accepts(size, state)}
        for at in range(len(layers) - 1, -1, -1):
            kept = {}
            for state, steps in layers[at].items():
                left = {value: after for value, after in steps.items() if after in useful}
                if left:
                    kept[state] = left
            layers[at] = kept
            useful = set(kept)
        return layers

    def prune(self, geometry: Geometry, masks: list[int]) -> bool:
        """Remove candidates that no accepted sequence has."""
        layers = self.layers(geometry.size, masks)
        if not layers[0]:
            return False
        for cell, layer in zip(self.read(), layers, strict=True):
            kept = 0
            for value in {value for steps in layer.values() for value in steps}:
                kept |= 1 << value - 1
            masks[cell] &= kept
        return all(masks[cell] for cell in self.cells)

    def post(self, posting: Posting) -> None:
        """A literal for each state of each layer, of which one is true, and clauses for the steps between them."""
        layers = self.layers(posting.size, posting.masks)
        if not layers[0]:
            posting.clause(())
            return
        before: Mapping[Any, Literal] = {self.initial(): TRUE}
        for cell, layer in zip(self.read(), layers, strict=True):
            states = dict.fromkeys(after for steps in layer.values() for after in steps.values())
            after = (
                {states.popitem()[0]: TRUE} if len(states) == 1 else {state: posting.new_literal() for state in states}
            )
            posting.exactly_one(after.values())
            _post_steps(posting, cell, layer, before, after)
            before = after


def _post_steps(
    posting: Posting, cell: int, layer: Layer, before: Mapping[Any, Literal], after: Mapping[Any, Literal]
) -> None:
    """Post the steps at a cell: a state and a value imply the next state, and each of them needs support."""
    entering: dict[Any, list[Literal]] = {state: [] for state in after}
    allowing: dict[int, list[Literal]] = {value: [] for value in posting.values(cell)}
    for state, steps in layer.items():
        here = before[state]
        for value, literal in posting.literals(cell).items():
            if value in steps:
                posting.clause((~here, ~literal, after[steps[value]]))
                allowing[value].append(here)
            else:
                posting.clause((~here, ~literal))
        for reached in dict.fromkeys(steps.values()):
            entering[reached].append(here)
            by = [posting.literal(cell, value) for value, to in steps.items() if to == reached]
            posting.clause([~here, ~after[reached], *by])
    for state, sources in entering.items():
        posting.clause([~after[state], *sources])
    for value, sources in allowing.items():
        posting.clause([~posting.literal(cell, value), *(sources or [FALSE])])

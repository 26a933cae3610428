"""Broken puzzles: whatever is changed in one, reading it gives a board or an error of ours, and nothing else."""

import copy
import json
from random import Random

import pytest

from csp_sudoku import SudokuError
from csp_sudoku.board import Board
from csp_sudoku.notation.variants.lzstring import ALPHABET, compress
from tests.notation.variants.samples import NINE, NOT_IN_FPUZZLES, SAMPLES, SOLUTION
from tests.notation.variants.test_sudokupad import CAGE, SHORT, puzzle

ODD_VALUES = [
    *(None, True, False, 0, 1, -1, 10, 99999999999, 2.5, 1e308, float("nan"), float("inf")),
    *("", " ", "0", "-3", "10", "R1C1", "R0C1", "R10C0", "R99C99", "r1c1", "x", "ⅴ", "٣", "\ud800", "<15", "R1C1 "),
    *([], {}, [[]], [{}], [None], {"cells": []}, {"cells": ["R1C1"]}, ["R1C1", "R1C1"], [["R1C1", "R1C2"]], [1, "2"]),
]


def whole_puzzle():
    """A puzzle with every rule that f-puzzles has."""
    constraints = [sample for name, sample in SAMPLES.items() if name not in (*NOT_IN_FPUZZLES, "no-difference")]
    kept = [one for one in constraints if not one.name.startswith("no")]
    board = Board(NINE.with_constraints(*kept), [0, *SOLUTION[1:20], *[0] * 61])
    return {**json.loads(board.format("fpuzzles")), "negative": ["ratio", "xv"], "solution": list(SOLUTION)}


def mutate(random, data):
    """Change one value somewhere in a copy of the data."""
    data = copy.deepcopy(data)
    place = data
    while True:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        key = random.choice(list(keys))
        inner = place[key]
        if not (isinstance(inner, dict | list) and inner) or random.random() < 0.15:
            break
        place = inner
    action = random.randrange(4)
    if action == 0:
        del place[key]
    elif action == 1 and isinstance(place, dict):
        place[random.choice(["value", "cells", "cell", "unheard", "lines", "given", "region"])] = random.choice(
            ODD_VALUES
        )
    elif action == 2 and isinstance(place, list):
        place.insert(key, random.choice(ODD_VALUES))
    else:
        place[key] = random.choice(ODD_VALUES)
    return data


def read(text):
    """Read a text; an error must be ours, and one line. Whether it was read."""
    try:
        board = Board.parse(text)
    except SudokuError as error:
        message = str(error)
    else:
        message = ""
    assert "\n" not in message
    if message:
        return False
    assert board == Board.parse(board.format("variant"))
    return True


@pytest.mark.parametrize("count", [60, pytest.param(500, marks=pytest.mark.slow)])
def test_changed_objects(count):
    """Values of every sort in any place of the JSON object."""
    random, data = Random(count), whole_puzzle()
    assert read(json.dumps(data))
    found = []
    for _ in range(count):
        changed = data
        for _ in range(random.choice([1, 1, 3])):
            changed = mutate(random, changed)
        found.append(read(json.dumps(changed)))
    assert 0 < sum(found) < count


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_changed_puzzles_of_sudokupad(count):
    """The same in the format of SudokuPad, also in its short form."""
    random = Random(count)
    data = puzzle(cages=[{**CAGE, "value": 3}, {"value": "title: x"}], metadata={"antiking": True}, lines=[])
    for _ in range(count):
        read(json.dumps(mutate(random, data)))
        at = random.randrange(len(SHORT))
        read("scl" + compress(SHORT[:at] + random.choice("{}[]:,'\"tf#v1 ") + SHORT[at + random.choice([0, 1]) :]))


@pytest.mark.parametrize("count", [20, pytest.param(300, marks=pytest.mark.slow)])
def test_changed_packed_texts(count):
    """Characters changed, removed or doubled in the packed text."""
    random = Random(count)
    packed = compress(json.dumps({"size": 4, "grid": [[{}] * 4] * 4, "antiknight": True}))
    for _ in range(count):
        at, width = random.randrange(2, len(packed)), random.choice([0, 1, 2])
        read(packed[:at] + random.choice(["", *ALPHABET]) + packed[at + width :] + "AAAA")


WORDS = ["killer", "=", "(", ")", "r1c1", "r9c9", "r1c1-r3c3", "1,2", "3,", "10", "-1", "row", "3", "right", "odd", "x"]


@pytest.mark.parametrize("count", [60, pytest.param(2000, marks=pytest.mark.slow)])
def test_changed_lines(count):
    """Words changed, removed and added in rules as text."""
    random = Random(count)
    lines = Board(NINE.with_constraints(*SAMPLES.values()), bytes(81)).format("variant").splitlines()[12:]
    for _ in range(count):
        words = random.choice(lines).split()
        at = random.randrange(len(words))
        words[at : at + random.choice([0, 1, 2])] = random.choices(
            [*WORDS, "§", "r0c0", "<="], k=random.choice([0, 1, 2])
        )
        read(f"board {'.' * 81}\n{' '.join(words)}")

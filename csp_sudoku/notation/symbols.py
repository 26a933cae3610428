"""The characters and the words for cells, with values that count from one or from zero.

An empty cell is `.`, `_` or `*`; when values count from one, it may also be `0`. When values count from zero
(`zero_based`), the value 1 is written 0, and so on, and the number -1 may stand for an empty cell.
"""

from __future__ import annotations

import re
from functools import cache

from csp_sudoku.geometry import MAX_SIZE, shapes

LABELS = "0123456789ABCDEFGHIJKLMNOP"
"""The characters of the numbers from 0 to 25."""

EMPTY = "._*"
"""The characters for an empty cell in every notation; writers use the first one."""

SIZES = tuple(sorted({m * n for m, n in shapes()}))
"""Every board size N."""

SIZE_OF_COUNT = {size * size: size for size in SIZES}
"""The board size by the number of cells."""

NO_VALUE = 255
"""The table entry of a byte that is no cell."""

WORD = re.compile(r"\S+")
"""A cell written as a word."""

CHARACTER = re.compile(r"\S")
"""A cell written as a character."""


@cache
def character_table(zero_based: bool) -> bytes:
    """Return a table for `bytes.translate`, from a character to its value, or to NO_VALUE.

    >>> list(b".19aP ".translate(character_table(False))), list(b".19aP ".translate(character_table(True)))
    ([0, 1, 9, 10, 25, 255], [0, 2, 10, 11, 255, 255])
    """
    table = bytearray([NO_VALUE] * 256)
    for label in LABELS[1 - zero_based : MAX_SIZE + 1 - zero_based]:
        value = LABELS.index(label) + zero_based
        table[ord(label)] = table[ord(label.lower())] = value
    for mark in EMPTY if zero_based else EMPTY + "0":
        table[ord(mark)] = 0
    return bytes(table)


@cache
def character_words(size: int, zero_based: bool) -> dict[str, int]:
    """Return the value of every character that a board of this size may have.

    With `zero_based`, the character 0 is the value 1, and so on.

    >>> character_words(4, False)
    {'*': 0, '.': 0, '0': 0, '1': 1, '2': 2, '3': 3, '4': 4, '_': 0}
    """
    return {chr(code): value for code, value in enumerate(character_table(zero_based)) if value <= size}


@cache
def written_characters(zero_based: bool) -> bytes:
    """Return a table for `bytes.translate`, from a value to the character to write.

    >>> bytes([0, 1, 10]).translate(written_characters(False)), bytes([0, 1, 10]).translate(written_characters(True))
    (b'.1A', b'.09')
    """
    labels = EMPTY[0] + LABELS[1 - zero_based : MAX_SIZE + 1 - zero_based]
    return labels.encode() + bytes(256 - len(labels))


@cache
def word_table(size: int, zero_based: bool = False) -> dict[str, int]:
    """Return the value of every word that a board of this size may have.

    With `zero_based` (default False), the word 0 is the value 1, and so on.

    >>> word_table(4)
    {'.': 0, '_': 0, '*': 0, '0': 0, '1': 1, '2': 2, '3': 3, '4': 4}
    >>> word_table(4, zero_based=True)
    {'.': 0, '_': 0, '*': 0, '-1': 0, '0': 1, '1': 2, '2': 3, '3': 4}
    """
    table = dict.fromkeys([*EMPTY, "-1" if zero_based else "0"], 0)
    return table | {str(value - zero_based): value for value in range(1, size + 1)}


def are_cells(characters: str, size: int, zero_based: bool) -> bool:
    """Return whether most of the characters are cells of a board of this size; then any other character is a mistake.

    `size` is the board size N; with `zero_based`, values count from 0.

    >>> are_cells("12.x", 4, False), are_cells("null", 4, False)
    (True, False)
    """
    table = character_words(size, zero_based)
    return size in SIZES and 2 * sum(map(table.__contains__, characters)) > len(characters)


def are_values(words: list[str], size: int, zero_based: bool) -> bool:
    """Return whether most of the words are values of a board of this size; then any other word is a mistake.

    `size` is the board size N; with `zero_based`, values count from 0.

    >>> are_values(["1", "10", "."], 9, False), are_values(["123456", "..78.."], 6, False), are_values(["1"], 7, False)
    (True, False, False)
    """
    return size in SIZES and 2 * sum(map(word_table(size, zero_based).__contains__, words)) > len(words)


@cache
def value_range(size: int) -> bytes:
    """Return 0 and the values of a board of this size.

    `values.translate(None, value_range(size))` returns the bytes that are not among them.
    """
    return bytes(range(size + 1))


def written_words(values: bytes, zero_based: bool, empty: str) -> list[str]:
    """Return the words to write for some values; `empty` is the word for an empty cell.

    With `zero_based`, the value 1 is written as 0, and so on.

    >>> written_words(bytes([0, 1, 10]), True, ".")
    ['.', '0', '9']
    """
    words = [empty, *(str(value - zero_based) for value in range(1, MAX_SIZE + 1))]
    return [words[value] for value in values]


def expected_character(size: int, zero_based: bool) -> str:
    """Return the description of the expected characters for an error message.

    `size` is the board size N; with `zero_based`, values count from 0.

    >>> print(expected_character(12, False))
    a value 1…9 A…C, or . _ * 0 for an empty cell
    """
    labels = LABELS[1 - zero_based : size + 1 - zero_based]
    digits = "".join(filter(str.isdigit, labels))
    letters = labels.removeprefix(digits)
    spans = [span if len(span) == 1 else f"{span[0]}…{span[-1]}" for span in (digits, letters) if span]
    empty = " ".join(EMPTY if zero_based else EMPTY + "0")
    return f"a value {' '.join(spans)}, or {empty} for an empty cell"


def expected_word(size: int, zero_based: bool) -> str:
    """Return the description of the expected words for an error message.

    `size` is the board size N; with `zero_based`, values count from 0.

    >>> print(expected_word(12, True))
    an integer from 0 to 11, or . _ * -1 for an empty cell
    """
    empty = " ".join([*EMPTY, "-1" if zero_based else "0"])
    return f"an integer from {1 - zero_based} to {size - zero_based}, or {empty} for an empty cell"

"""Recognition of puzzles with rules. Every reader loads this module, so it does not import the constraints."""

from __future__ import annotations

import re

_BOARD = re.compile(r"\s*board(?!\S)(?!\s*=)", re.IGNORECASE)
_LINK = re.compile(r"\s*https?://", re.IGNORECASE)
_PACKED = re.compile(
    r"\s*(?i:(?:fpuz(?:zles)?|scl|ctc|scf):?)?N4(?:[A-Za-z0-9+/ -]|%(?i:2[BF])){30,}(?:=|%(?i:3D)){0,3}"
)
_NO_CELL = re.compile(r"[Q-Zq-z+/]")


def begins_variant(line: str) -> bool:
    """Return whether a line begins a puzzle of the notation `variant`.

    >>> begins_variant("board 2x3"), begins_variant("board ="), begins_variant("board.txt"), begins_variant("Board")
    (True, False, False, True)
    """
    return _BOARD.match(line) is not None


def is_packed(line: str) -> bool:
    """Return whether a line is a link, or a puzzle as LZ-string in base64.

    The LZ-string of a text that begins with "{" begins with "N4". It contains characters that a row of cells cannot
    have.

    >>> is_packed("https://f-puzzles.com/?load=N4Ig"), is_packed("N4IgzglgXgpiBcBOANCALhNAbO8QDkBXAWwCM==")
    (True, True)
    >>> is_packed("N4" + "." * 79), is_packed("N4" * 40)
    (False, False)
    """
    return _LINK.match(line) is not None or (_PACKED.fullmatch(line) is not None and _NO_CELL.search(line) is not None)


def is_fpuzzles(data: object) -> bool:
    """Return whether a JSON value is a puzzle of f-puzzles, valid or not.

    >>> is_fpuzzles({"size": 9, "grid": []}), is_fpuzzles({"rows": 3, "columns": 3, "board": []})
    (True, False)
    """
    return isinstance(data, dict) and isinstance(data.get("grid"), list) and "board" not in data


def is_sudokupad(data: object) -> bool:
    """Return whether a JSON value is a puzzle of SudokuPad, valid or not.

    >>> is_sudokupad({"cells": []}), is_sudokupad({"size": 9, "grid": [], "cells": []})
    (True, False)
    """
    return isinstance(data, dict) and isinstance(data.get("cells"), list) and not {"board", "grid"} & data.keys()

"""The common parts of the tests of players: folders of agents, and a process that plays one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import csp_sudoku
from tests.cli.support import environment

HOME = Path(csp_sudoku.__file__).parents[1]

HOST = """
import gc, json, os, sys, traceback
gc.disable()
from csp_sudoku import Board
from csp_sudoku.game.state import GameState
from csp_sudoku.players.player import load_player
told = json.load(sys.stdin)
state = GameState.start(Board.parse(told["board"]), told["mode"])
turns = []
try:
    player = load_player(told["spec"], api=told["api"], seed=told["seed"])
    for move in told["moves"]:
        if told["player"] in (None, state.player):
            turns.append([])
            player.think(state, lambda proposed: turns[-1].append(list(proposed)))
        state, _ = state.play(move or turns[-1][-1])
except Exception as error:
    traceback.print_exc()
    turns.append(f"{type(error).__name__}: {error}")
print(json.dumps(turns), flush=True)
os._exit(0)  # to tear down numba's modules takes a quarter of a second
"""

HEAD = "import competitive_sudoku.sudokuai\nfrom competitive_sudoku.sudoku import *\n"
BASE = "competitive_sudoku.sudokuai.SudokuAI"
EMPTY = "2 2" + " ." * 16


def play(spec, cwd, *, moves=(None,), board=EMPTY, mode="classic", api=None, seed=None, player=None):
    """The proposals of a player in each turn, alone against these moves; its exception is the last item."""
    given = {"spec": str(spec), "board": board, "mode": mode, "moves": moves, "api": api, "seed": seed}
    given["player"] = player
    done = subprocess.run(
        [sys.executable, "-c", HOST], input=json.dumps(given), cwd=cwd, capture_output=True, text=True, check=False,
        env=environment(PYTHONPATH=str(HOME), PYTHONDONTWRITEBYTECODE="1"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def write(folder, **files):
    """A folder with Python files of these contents."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def framework_agent(folder, body, base=BASE, head=HEAD):
    """The folder of an agent of the framework whose compute_best_move is this."""
    lines = [f"class SudokuAI({base}):", "    def compute_best_move(self, game_state):"]
    return write(folder, sudokuai="\n".join([head, *lines, *(f"        {line}" for line in body.splitlines())]))

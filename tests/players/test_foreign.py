"""Agents of the framework, unchanged: everything that they rely on exists."""

import pytest

from csp_sudoku import Board
from csp_sudoku.arena.play import play_game
from tests.players.support import BASE, HEAD, framework_agent, play, write

MADE_ONCE = f"""
{HEAD}
class SudokuAI({BASE}):
    def __init__(self):
        super().__init__()
        assert self.player_number == -1
        self.key = random.getrandbits(30)
        self.propose = self.propose_move  # of this instance

    def compute_best_move(self, game_state):
        with self.lock:
            self.propose(Move((self.key, self.player_number), 1))
"""


@pytest.mark.slow
def test_an_agent_is_made_once(tmp_path):
    """As in the framework: before the game and without a number, which it has in a turn, as it has a lock."""
    folder = write(tmp_path / "agent", sudokuai=MADE_ONCE)
    ((first,),), ((second,),) = (play(folder, tmp_path, player=player, moves=[[0, 0, 1], [1, 2, 1]], seed=1)
                                 for player in (1, 2))  # fmt: skip
    assert (first[1:], second[1:]) == ([1, 1], [2, 1])
    assert first[0] == second[0] > 0
    turns = play(folder, tmp_path, moves=[[0, 0, 1], [1, 2, 1], [2, 3, 1]])
    assert len({turn[0][0] for turn in turns}) == 1


def test_attributes_do_not_outlast_a_turn_of_a_game(tmp_path):
    """In a game each turn is played by a copy of the agent that was made."""
    body = "assert not hasattr(self, 'been')\nself.been = True\nempty = game_state.board.squares.index(0)\n"
    body += "self.propose_move(Move(game_state.board.index2square(empty), 4 - empty % 4))"
    folder = framework_agent(tmp_path / "agent", body)
    record = play_game(str(folder), str(folder), Board.parse("...1 2143 3412 1234"), seconds=60, seed=1)
    assert [turn.move for turn in record.turns] == [(0, 0, 4), (0, 1, 3), (0, 2, 2)]
    assert record.reason == "board full"


@pytest.mark.slow
def test_an_agent_finds_its_files_under_its_folder_s_name(tmp_path):
    """As if it were run in a checkout that has its folder: when it is imported, made, and played."""
    opened = "open('agent/weights.txt').read()"
    body = f"assert KNOWN == {opened} == '3'\nself.propose_move(Move((0, 0), int(KNOWN)))"
    folder = framework_agent(tmp_path / "agent", body, head=f"{HEAD}KNOWN = {opened}\n")
    (folder / "weights.txt").write_text("3")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert play(folder, elsewhere) == play(folder, elsewhere) == [[[0, 0, 3]]]
    assert (elsewhere / "agent").is_symlink()


SUDOKU_NAMES = {
    "v12": "List Tuple Union GameState Move SudokuBoard TabooMove load_sudoku load_sudoku_from_text print_board "
    "save_sudoku",
    "v14": "copy io random Any Iterator List Optional Square Tuple Union GameState Move SudokuBoard SudokuSettings "
    "TabooMove allowed_squares generate_random_tuples parse_game_state parse_properties parse_sudoku_board "
    "pretty_print_game_state pretty_print_sudoku_board print_game_state print_sudoku_board",
}
"""The names from `from competitive_sudoku.sudoku import *`, including those that the framework imports there."""


@pytest.mark.parametrize("api", ["v12", "v14"])
def test_whatever_the_framework_s_modules_have_can_be_imported(api, tmp_path):
    """Its own names and those that it imports, also with a star; so an agent may have its Move from another module."""
    names = ", ".join(SUDOKU_NAMES[api].split())
    head = f"import competitive_sudoku.sudokuai\nfrom competitive_sudoku.sudoku import {names}\n"
    head += "from competitive_sudoku.sudoku import *\nfrom competitive_sudoku.sudokuai import *\n"
    head += "from competitive_sudoku.execute import execute_command, solve_sudoku\n"
    body = f"SudokuAI, GameState, Move, List, os, pickle, math, datetime, {names}\n"
    body += "assert isinstance(game_state, competitive_sudoku.sudokuai.GameState)\n"
    body += "assert solve_sudoku('', str(game_state.board)) == execute_command('echo The sudoku has a solution.')\n"
    body += f"self.propose_move(Move({'0, 1' if api == 'v12' else '(0, 1)'}, 2))"
    folder = framework_agent(tmp_path / "agent", body, head=head)
    assert play(folder, tmp_path, api=api) == [[[0, 1, 2]]]

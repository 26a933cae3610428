"""A host for one agent, as a process of its own: python host.py FOLDER [API] with positions as JSON on standard input.

Prints, as JSON, the name of the API that was installed, and what the agent proposed in each position; or the error.
"""

import json
import sys
from pathlib import Path

from csp_sudoku import SudokuError
from csp_sudoku.framework.conversion import Position, to_game_state
from csp_sudoku.framework.detection import detect_api
from csp_sudoku.framework.loading import load_agent_class


def tell(**found):
    """Print the results."""
    sys.stdout.write(json.dumps(found) + "\n")


def main():
    """Play each position with the same agent."""
    folder, *api = sys.argv[1:]
    positions = json.load(sys.stdin)
    try:
        kind = load_agent_class(folder, *api)
        used = api[0] if api else detect_api(Path(folder))
    except SudokuError as error:
        tell(error=str(error), kind=type(error).__name__)
        return
    agent = kind()
    agent.player_number = 1
    proposals = []
    for given in positions:
        agent.best_move[:] = [0, 0, 0]
        agent.compute_best_move(to_game_state(Position(**given), used))
        proposals.append(list(agent.best_move))
    tell(api=used, module=kind.__module__, proposals=proposals)


if __name__ == "__main__":
    main()

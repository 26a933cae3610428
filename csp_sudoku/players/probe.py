"""python -m csp_sudoku.players.probe PLAYER: load a player, and report the error in one line if that fails."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from csp_sudoku.errors import OptionError
from csp_sudoku.framework.loading import AgentError
from csp_sudoku.players.player import load_player


def main(arguments: Sequence[str]) -> int:
    """Load a player and return 0; otherwise write the error's kind and message to standard error and return 2."""
    (spec,) = arguments
    try:
        load_player(spec)
    except (OptionError, AgentError) as error:
        kind = OptionError if isinstance(error, OptionError) else AgentError
        sys.stderr.write(f"{kind.__name__}: {' '.join(str(error).split())}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

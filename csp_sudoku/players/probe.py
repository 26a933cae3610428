"""python -m csp_sudoku.players.probe PLAYER: load a player, and say in one line what is wrong if that fails."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from csp_sudoku.errors import OptionError
from csp_sudoku.framework.loading import AgentError
from csp_sudoku.players.player import load_player


def main(arguments: Sequence[str]) -> int:
    """The exit code: 0 if the player is loaded, else 2, with the error's kind and message on standard error."""
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

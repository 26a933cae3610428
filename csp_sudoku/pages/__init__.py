"""Pages: HTML files that need nothing else, neither a server nor a network, to be sent to a friend.

The scripts and the style sheets are files beside the modules, and are written into each page. `board.js` knows the
drawing of `csp_sudoku.drawing.live`, and `zoom.js` the frame around it. Neither knows a page, so other pages use them,
too.

document   a page from its parts: style, script and data inside, and a policy that forbids everything else
positions  the positions of a game as data: what each turn changed, and the moves of each board
graph      the value over a game as a drawing, with mistakes, blunders and skips
logs       what the players of a game have printed
replay     the page on which a reader steps through a game
"""

from csp_sudoku.pages.logs import read_logs
from csp_sudoku.pages.replay import replay_frame, replay_page

__all__ = ["read_logs", "replay_frame", "replay_page"]

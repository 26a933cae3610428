"""The command csp-sudoku. Each subcommand is a module with a click command named `command`; shared modules follow.

main        runs the program; turns every error into one line and an exit code
group       the table of the subcommands, in the parts of the help, each imported when it is used

solve       prints a solution of each board, or reports that none exists
check       reports whether a board is valid, solvable and unique, and how hard it is
hint        shows the next step that a person can take, and why
explain     explains why a board has no solution
generate    generates puzzles with one solution
optimize    finds the best board of a kind: weights, clues, bombs
show        draws boards
convert     writes boards in another notation
solvers     lists the solvers, their options and presets
moves       reports which moves are safe and which are bombs, and why
play        plays one game between two players
serve       serves a page to play, watch and analyse, in a browser
replay      verifies recorded games and shows them step by step
value       reports the value of a position of the game, and its best moves
analyse     reviews a recorded game turn by turn, and compares it with the best moves
match       plays many games between two players
tournament  plays many games between many players
results     reports the results in a store of games
train       evolves networks for a player
bench       runs benchmarks, and compares two results
warm_up     compiles the kernels of solvers and players ahead of time

codes       the exit codes
interrupt   the handling of Ctrl-C
standard_streams  distinguishes a failed write to standard output from other errors
arguments   resolves an argument to boards: a file, a name, or the puzzle itself
asking      asks a person at the terminal for a puzzle or a difficulty
aliases     options with a new name, which accept the old one for one version
inputs      the boards of a command, and the options for reading them
games       the options of the commands that play games
contest     the options of match and tournament, and the session in which they play
records     game records from files
human       lets a person play by typing moves line by line
board_screen  lets a person play on the board with the arrow keys of a terminal
preparing   compiles what a command needs before its clock starts
output      printing: results, complaints, durations and numbers
question    what `solve` asks about each board
bulk        files of plain lines, solved as arrays
arrays      files of arrays, solved to an array, for `solve --npy`
answers     a solver's result, for people and as JSON
trace       the steps of a search, for `solve --trace`
completion  shell completion of the names in arguments and options
folding     output folded to the width of the terminal
drawing     boards drawn with box-drawing characters
legend      the rules of a board, each on a line
tints       the background colours of rules on a terminal
pictures    the files of pictures and pages, one for each of many boards or games
progress    a progress bar on standard error
"""

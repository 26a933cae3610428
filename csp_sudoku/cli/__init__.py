"""The command csp-sudoku. Each subcommand is a module with a click command called `command`; shared modules follow.

main        runs the program; turns every error into one line and an exit code
group       the table of the subcommands, in the parts of the help, each imported when it is used

solve       a solution of each board, or the proof that there is none
check       whether a board is valid, solvable and unique, and how hard it is
hint        the next step that a person can take, and why
explain     why a board has no solution
generate    puzzles with one solution
show        draws boards
convert     writes boards in another notation
solvers     the table of solvers, their options and presets
moves       which moves are safe, which are bombs, and why
play        one game between two players
serve       a page to play, watch and analyse, in a browser
replay      recorded games, verified and shown step by step
value       what a position of the game is worth, and its best moves
analyse     a recorded game, move by move, beside the best moves
match       many games between two players
tournament  many games between many players
results     what is in a store of games
train       evolves networks for a player
bench       runs benchmarks, and compares two results
warm_up     compiles ahead what solvers and players need

codes       the exit codes
interrupt   what happens on Ctrl-C
standard_streams  tells a failed write to standard output from other errors
arguments   the boards that an argument stands for: a file, a name, or the puzzle itself
asking      asks a person at the terminal for a puzzle or a difficulty
aliases     options with a new name, which accept the old one for one version
inputs      the boards of a command, and the options that say how to read them
games       the options of the commands that play games
contest     the options of match and tournament, and the session in which they play
records     game records from files
human       a person as a player, who types moves line by line
board_screen  a person as a player, who moves about the board on a terminal
preparing   what a command needs is compiled before its clock starts
output      printing: results, complaints, durations and numbers
question    what `solve` asks about each board
bulk        files of plain lines, solved as arrays
answers     a solver's result, for people and as JSON
trace       the steps of a search, for `solve --trace`
completion  completion in the shell: the names that arguments and options may have
folding     output folded to the width of the terminal
drawing     boards drawn with box-drawing characters
legend      the rules of a board, each on a line
pictures    the files of pictures and pages, one for each of many boards or games
progress    a progress bar on standard error
"""

"""The notations of boards with rules: our own text form, and the forms of f-puzzles.

They are loaded when a text needs them, because they load all constraints.

recognition        determines whether a text holds such a board
lzstring           the compression of the links to f-puzzles
json_value         the values within a JSON object, each with its path
absent_marks       the rules about pairs without a mark
fpuzzles_rules     maps the keys of f-puzzles to constraints
fpuzzles_absences  the rules of f-puzzles about pairs without a mark
fpuzzles_reading   converts the JSON object to a board
fpuzzles_writing   converts a board to the JSON object
sudokupad          puzzles of SudokuPad that have no drawings
fpuzzles           the notations `fpuzzles`, `fpuzzles-packed` and `fpuzzles-url`
rule_words         the words of a rule in our own text form
rules              a rule as a line of text
text_form          the notation `variant`: a board, and a rule on each line
"""

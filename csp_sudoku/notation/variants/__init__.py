"""The notations of boards with rules: our own text form, and those of f-puzzles.

They are loaded when a text needs them, because they load all constraints.

recognition        finds out whether a text holds such a board
lzstring           the compression of the links
json_value         the values within a JSON object, with the path to each
absent_marks       the rules about pairs without a mark
fpuzzles_rules     which key of f-puzzles stands for which constraints
fpuzzles_absences  the rules of f-puzzles about pairs without a mark
fpuzzles_reading   from the JSON object to a board
fpuzzles_writing   and back
sudokupad          puzzles of SudokuPad that have no drawings
fpuzzles           the notations `fpuzzles`, `fpuzzles-packed` and `fpuzzles-url`
rule_words         the words of a rule in our own text form
rules              a rule as a line of text
text_form          the notation `variant`: a board, and a rule on each line
"""

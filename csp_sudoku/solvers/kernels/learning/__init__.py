"""The learning search: conflict-driven clause learning in which the rules of sudoku are implicit.

memory       the record that a search works in; what a variable and a literal are
clauses      learned clauses in one array, and the lists of who watches which literal
propagation  the rules on bit masks, and learned clauses by watched literals, with a reason for each removal
analysis     from a conflict to the clause that it teaches
search       deciding, learning, restarts, and the forgetting of clauses
cover        the exact move map: solutions until each candidate is seen in one or refuted
"""

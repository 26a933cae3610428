"""The compiled loops of the learning search.

memory       the record of a search; the encoding of variables and literals
clauses      learned clauses in one array, and the watch list of each literal
propagation  the rules on bit masks, and learned clauses by watched literals, with a reason for each removal
analysis     conflict analysis: from a conflict to the learned clause
sharing      short clauses to and from searches of the same board
search       decisions, learning, restarts, and the deletion of clauses
cover        the exact move map: searches solutions until each candidate is in one of them or refuted
"""

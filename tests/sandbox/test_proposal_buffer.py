"""The proposal buffer: whatever a player writes, the supervisor reads texts of limited size that can be printed."""

import pytest

from csp_sudoku.sandbox.proposal_buffer import TEXT, TRACE, End, ProposalBuffer


def test_a_long_traceback_loses_its_beginning():
    """The innermost call and the message are at the end of a traceback; neither text runs into the other."""
    buffer = ProposalBuffer()
    lines = [f"  line {number}" for number in range(1000)]
    buffer.finish(End.CRASH, "x" * 2 * TEXT, "\n".join(lines))
    assert buffer.text == "x" * TEXT
    assert len(buffer.trace) <= TRACE
    assert buffer.trace.splitlines()[-300:] == lines[-300:]


@pytest.mark.parametrize("text", ["", "Ärger", "a\x1b[31m\x00b", "  in order\n    indented"])
def test_a_traceback_is_printable(text):
    """Lines and their indentation are kept; what would control a terminal is blank."""
    buffer = ProposalBuffer()
    buffer.finish(End.CRASH, "", text)
    assert buffer.trace == text.replace("\x1b", " ").replace("\x00", " ")
    buffer.clear()
    assert buffer.trace == ""

"""The README shows only working examples: its console blocks are executed and compared, its Python is doctested."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from csp_sudoku.constraints.table import CONSTRAINTS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
pytestmark = pytest.mark.skipif(not README.exists(), reason="the wheel's tests run without a checkout around them")

COMPILING = "compiling the kernel", "once for this computer"
"""What is said on standard error only if the cache of kernels is empty."""
DURATION = re.compile(r"\d[\d.]* (?:µs|ms|s)\b")


def shown():
    """Each command of the README's console blocks, with the output shown below it."""
    if not README.exists():
        return []
    found = []
    for block in re.findall(r"```console\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            marks = [pytest.mark.slow] * ("--time-limit 600" in command)
            found.append(pytest.param(command, output, marks=marks, id=command))
    return found


@pytest.mark.parametrize(("command", "output"), shown())
def test_console_blocks_show_what_is_printed(command, output):
    """A command of the README prints the output shown below it, except for durations."""
    ours = f"{sys.executable} -m csp_sudoku"
    ran = subprocess.run(
        command.replace("csp-sudoku", ours), shell=True, cwd=ROOT, capture_output=True, text=True, check=False
    )
    said = [line for line in ran.stderr.splitlines() if not any(words in line for words in COMPILING)]
    printed = ran.stdout + "".join(line + "\n" for line in said)
    assert DURATION.sub("…", printed) == DURATION.sub("…", output)


def test_every_kind_of_rules_is_in_the_table():
    """The README names each kind of constraint, and their number."""
    text = README.read_text(encoding="utf-8")
    section = text[text.index("## Boards with rules") : text.index("## The move map")]
    assert [name for name in CONSTRAINTS if f"`{name}`" not in section] == []
    assert f"{len(CONSTRAINTS)} kinds" in section


def test_readme_shows_both_commands_and_some_blocks():
    """The README has its two commands where CI finds them, and console blocks to check."""
    text = README.read_text(encoding="utf-8")
    assert "<!-- run -->" in text
    assert "<!-- test -->" in text
    assert len(shown()) >= 4

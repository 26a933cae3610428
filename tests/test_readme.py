"""The README and those of folders show only working examples: console blocks are compared, Python is doctested."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from csp_sudoku.constraints.table import CONSTRAINTS

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "csp_sudoku").glob("**/README.md"))]
"""The pages for users: the README, and the details in the folders of the package."""
pytestmark = pytest.mark.skipif(not README.exists(), reason="the wheel's tests run without a checkout around them")

COMPILING = "compiling the kernel", "once for this computer"
"""What is said on standard error only if the cache of kernels is empty."""
DURATION = re.compile(r"\d[\d.]* (?:µs|ms|s)\b")


def shown():
    """Each command of the pages' console blocks, with the output shown below it."""
    if not README.exists():
        return []
    found = []
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for block in re.findall(r"```console\n(.*?)```", text, flags=re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            marks = [pytest.mark.slow] * ("--time-limit 600" in command)
            found.append(pytest.param(command, output, marks=marks, id=command))
    return found


@pytest.mark.parametrize(("command", "output"), shown())
def test_console_blocks_show_what_is_printed(command, output):
    """A command of a page prints the output shown below it, except for durations."""
    ours = f"{sys.executable} -m csp_sudoku"
    ran = subprocess.run(
        command.replace("csp-sudoku", ours), shell=True, cwd=ROOT, capture_output=True, text=True, check=False
    )
    said = [line for line in ran.stderr.splitlines() if not any(words in line for words in COMPILING)]
    printed = ran.stdout + "".join(line + "\n" for line in said)
    assert DURATION.sub("…", printed) == DURATION.sub("…", output)


def test_every_kind_of_rules_is_in_the_table():
    """The page of the constraints names each kind, and their number, which the README says, too."""
    page = (ROOT / "csp_sudoku" / "constraints" / "README.md").read_text(encoding="utf-8")
    assert [name for name in CONSTRAINTS if f"`{name}`" not in page] == []
    assert all(f"{len(CONSTRAINTS)} kinds" in text for text in (page, README.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    """Each file that a page links to or shows exists, and so does the heading."""
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'<img src="([^"]+)"', text):
        path, _, heading = link.partition("#")
        if not link.startswith("http"):
            target = page.parent / path if path else page
            assert target.exists(), link
            heads = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE) if heading else []
            names = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
            assert not heading or heading in names, link


def test_readme_shows_both_commands_and_some_blocks():
    """The README has its two commands where CI finds them, and console blocks to check."""
    text = README.read_text(encoding="utf-8")
    assert "<!-- run -->" in text
    assert "<!-- test -->" in text
    assert len(shown()) >= 4

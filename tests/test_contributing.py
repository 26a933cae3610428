"""CONTRIBUTING.md shows only working examples: each of them is executed in a copy of the project.

Below a heading "How to add …" the page has files (a block of Python below its path), edits (a block of changed lines
below a path) and commands with their output. An edit must fit its file in exactly one place.
"""

import ast
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "CONTRIBUTING.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the wheel's tests run without a checkout around them")

COPIED = ("csp_sudoku", "agents", "benchmarks", "boards", "tests")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.png", "*.svg", "*.jsonl", "results", "*.db")

CHANGING = re.compile(r"\d[\d.]* ?(?:(?:µs|ms|s)\b|(?=(?:passed|deselected)\b))")
"""Durations, and the number of tests in the summary of a run: the page may show older ones."""

FENCE = re.compile(
    r"(?:^`(?P<path>[\w./]+)`:\n\n)?^```(?P<kind>python|diff|console)\n(?P<text>.*?)^```", re.DOTALL | re.MULTILINE
)


def page():
    """The text of the page."""
    return PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""


def chapters():
    """The examples: the text below each heading that begins with "How to add"."""
    found = re.findall(r"^## How to add an? (\w+)\n(.*?)(?=^## |\Z)", page(), flags=re.DOTALL | re.MULTILINE)
    return dict(found)


@pytest.fixture
def project(tmp_path):
    """A copy of the project, as far as the examples need it."""
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=LEFT_OUT)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def edited(text, change):
    """A text after a change: lines that begin with - are replaced by those with +, between lines that stay."""
    lines = change.splitlines()
    old = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "+")
    new = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "-")
    assert text.count(old) == 1, f"expected once in the file:\n{old}"
    return text.replace(old, new)


def imported(code):
    """The names that Python code imports from the project, as pairs of a module and a name."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in COPIED:
            yield from ((node.module, alias.name) for alias in node.names)


@pytest.mark.parametrize("name", chapters())
def test_examples_fit_the_project(name):
    """Each edit fits its file, and what each file of an example imports exists, in the project or on the page.

    The slow test below carries the examples out.
    """
    blocks = list(FENCE.finditer(page()))
    files = {one["path"]: one["text"] for one in blocks if one["kind"] == "python" and one["path"]}
    texts = dict(files)
    for block in FENCE.finditer(chapters()[name]):
        if block["kind"] == "diff":
            path, _, change = block["text"].removeprefix("--- ").partition("\n")
            texts[path] = edited(texts.get(path) or (ROOT / path).read_text(encoding="utf-8"), change)
        elif block["kind"] == "python" and block["path"]:
            for module, member in imported(block["text"]):
                if f"{module.replace('.', '/')}.py" not in files:
                    found = importlib.import_module(module)
                    assert hasattr(found, member) or importlib.util.find_spec(f"{module}.{member}"), (module, member)


def carry_out(text, folder, run):
    """Write the files, make the edits and run the commands of an example, in the order of the page.

    The files must please the linter and the formatter, like all others.
    """
    written = []
    for block in FENCE.finditer(text):
        content = block["text"]
        if block["kind"] == "python":
            written.append(block["path"])
            target = folder / block["path"]
            assert not target.exists()
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")
        elif block["kind"] == "diff":
            head, _, change = content.partition("\n")
            target = folder / head.removeprefix("--- ")
            target.write_text(edited(target.read_text(encoding="utf-8"), change), encoding="utf-8")
        else:
            for part in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                assert plain(run(command)) == plain(output), command
    config = f"--config {ROOT / 'pyproject.toml'} --no-cache"
    lint = "check -q --extend-ignore INP001"  # a player's folder need not be a package
    assert run(f"python -m ruff {lint} {config} {' '.join(written)}") == ""
    assert run(f"python -m ruff format -q --check {config} {' '.join(written)}") == ""


def plain(text):
    """The output, without parts that change from run to run and spaces at the ends of lines."""
    return "\n".join(line.rstrip() for line in CHANGING.sub("…", text).splitlines())


def runner(folder, package):
    """A function that runs a command in a folder, with the package in another one, and returns the output."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COLUMNS"))}
    environment |= {"PYTHONPATH": str(package), "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1"}

    def run(command):
        ours = re.sub(r"\bcsp-sudoku (?=[a-z])", "python -m csp_sudoku ", command)
        ours = re.sub(r"\bpython (?=-m )", f"{sys.executable} ", ours)
        ours = ours.replace("-m pytest", "-m pytest -p no:cacheprovider")
        done = subprocess.run(
            ours, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        said = [line for line in done.stderr.splitlines() if "compiling the kernel" not in line]
        return done.stdout + "".join(f"{line}\n" for line in said)

    return run


@pytest.mark.slow
@pytest.mark.parametrize("thing", [thing for thing in chapters() if thing != "player"])
def test_an_example_works_as_it_stands(thing, project):
    """A reader who follows the page adds a solver, a constraint, a command and so on, and gets the output shown."""
    carry_out(chapters()[thing], project, runner(project, project))


@pytest.mark.slow
def test_the_example_of_a_player_works_without_an_edit(tmp_path):
    """A player is a folder anywhere: nothing of the project is copied or changed."""
    carry_out(chapters()["player"], tmp_path, runner(tmp_path, ROOT))


def test_the_page_has_an_example_of_everything():
    """There is an example of each thing that people add, and each has files and commands."""
    found = {thing: {block["kind"] for block in FENCE.finditer(text)} for thing, text in chapters().items()}
    assert set(found) == {"solver", "constraint", "notation", "player", "benchmark", "command"}
    for thing, kinds in found.items():
        assert kinds == {"python", "console"} | ({"diff"} if thing != "player" else set())


def test_every_block_is_used():
    """No block of code is of a kind that the tests pass over, except the shell commands that set everything up."""
    kinds = re.findall(r"^```(\w+)$", page(), flags=re.MULTILINE)
    assert set(kinds) == {"python", "diff", "console", "sh"}
    assert kinds.count("sh") == 1
    assert len(list(FENCE.finditer(page()))) == len(kinds) - 1
    assert all(block["path"] for block in FENCE.finditer(page()) if block["kind"] == "python")


def test_what_the_page_names_exists():
    """Every path, and every program that is run by `python -m`, is there."""
    prose = FENCE.sub("", page())
    for path in re.findall(r"\]\(([\w./]+)\)", prose) + re.findall(r"`((?:csp_sudoku|tests)/[\w/]+\.py)`", prose):
        if not any(block["path"] == path for block in FENCE.finditer(page())):
            assert (ROOT / path).exists(), path
    for module in set(re.findall(r"python -m ((?:tests|csp_sudoku)[\w.]*)", prose)):
        assert importlib.util.find_spec(f"{module}.__main__"), module


def test_an_edit_that_fits_nowhere_or_twice_is_an_error():
    """The tests notice when the page and the program no longer agree."""
    assert edited("a\nb\nc\n", " a\n-b\n+x\n+y\n c\n") == "a\nx\ny\nc\n"
    for wrong in (" z\n+x\n", "-b\n+x\n"):
        with pytest.raises(AssertionError, match="expected once"):
            edited("a\nb\nb\n", wrong)

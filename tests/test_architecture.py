"""ARCHITECTURE.md and the docstrings of packages are true: names, paths, and the imports between packages."""

import ast
import importlib.util
import re

import pytest

from csp_sudoku.cli.group import COMMANDS
from tests.layers import DOCUMENT, FOLDERS, ROOT, SOURCE, graph, groups, modules_of, picture, rows, table

pytestmark = pytest.mark.skipif(not DOCUMENT.exists(), reason="the wheel's tests run without a checkout around them")

MAP_LINE = re.compile(r"(\w+) {2,}\S")
"""A line of a package's map: the name of a module, two spaces or more, and its description."""

PACKAGES = sorted(str(path.parent.relative_to(ROOT)) for path in SOURCE.rglob("__init__.py"))


def mapped(docstring):
    """The names in the map of a docstring."""
    return [match[1] for line in docstring.splitlines() if (match := MAP_LINE.match(line))]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_docstring_of_a_package_is_its_map(package):
    """The docstring of a package names each module of it once, and nothing else."""
    tree = ast.parse((ROOT / package / "__init__.py").read_text(encoding="utf-8"))
    assert sorted(mapped(ast.get_docstring(tree))) == modules_of(package)


def text():
    """The document."""
    return DOCUMENT.read_text(encoding="utf-8") if DOCUMENT.exists() else ""


def tokens():
    """The names between single backticks in the document, each once."""
    prose = re.sub(r"^```.*?^```", "", text(), flags=re.DOTALL | re.MULTILINE)
    return sorted(set(re.findall(r"`([^`]+)`", prose)))


PATH = re.compile(r"[\w.-]*/[\w./-]*|[\w-]+\.(?:md|toml|yaml|py|txt)")
DOTTED = re.compile(r"\w+(?:\.\w+)+")
WORD = re.compile(r"(?:--?)?[\w-]+")


def sources():
    """The text of the whole program."""
    places = (SOURCE, *(ROOT / folder for folder in FOLDERS), ROOT / "pyproject.toml")
    files = [file for place in places for file in ([place] if place.is_file() else place.rglob("*.py"))]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@pytest.fixture(scope="module")
def words():
    """Every word of the program."""
    return set(re.findall(r"(?:--?)?[\w-]*\w", sources())) | set(re.findall(r"\w+", sources()))


def exists(name):
    """Whether a dotted name is a module, or something in one: below csp_sudoku, or else anywhere."""
    for full in (f"csp_sudoku.{name}", name):
        parts = full.split(".")
        for count in range(len(parts), 0, -1):
            try:
                found = importlib.import_module(".".join(parts[:count]))
            except ModuleNotFoundError:
                continue
            for part in parts[count:]:
                if not hasattr(found, part):
                    break
                found = getattr(found, part)
            else:
                return True
            break
    return False


@pytest.mark.parametrize("token", tokens())
def test_what_the_document_names_exists(token, words):
    """A path is in the repository, a dotted name can be imported, a command is one, and a word is in the program."""
    command = re.fullmatch(r"csp-sudoku(?: ([a-z]+).*)?", token)
    module = re.fullmatch(r"python -m ([\w.]+)", token)
    if command:
        assert command[1] in (None, *COMMANDS)
    elif module:
        assert importlib.util.find_spec(module[1])
    elif PATH.fullmatch(token):
        assert (ROOT / token).exists()
    elif DOTTED.fullmatch(token):
        assert exists(token)
    elif WORD.fullmatch(token):
        assert token in words
    else:
        assert token in sources(), "neither a path, nor a name, nor a quotation from the program"


def test_the_table_of_layers_is_the_import_graph():
    """The table has every package with its imports."""
    assert {name: {one for one, _ in cell} for name, cell in rows().items()} == graph()
    assert table() in text()


def test_the_picture_of_the_layers_is_the_import_graph():
    """The picture is the output of `python -m tests.layers`."""
    assert f"```mermaid\n{picture()}\n```" in text()


def test_the_table_marks_what_is_imported_from_above():
    """A package imports packages above it in the table; an arrow marks those below it."""
    order = list(rows())
    for name, cell in rows().items():
        assert {one for one, arrow in cell if arrow} == {
            one for one, _ in cell if order.index(one) > order.index(name)
        }, name


def test_relative_imports_stay_within_their_package():
    """No relative import leaves the folder of its group, so that the graph above misses none."""
    for name, files in groups().items():
        for file in files:
            depth = len(file.relative_to(ROOT if name in FOLDERS else SOURCE).parts) - 1
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                assert not isinstance(node, ast.ImportFrom) or node.level <= depth, file

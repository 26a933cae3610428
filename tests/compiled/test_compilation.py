"""The cache of compiled kernels: damage and a full disk cost time and a line, but no answer."""

import os
import shutil
import subprocess
import sys

import pytest

from csp_sudoku.compiled import compilation as compiled
from tests.cli.support import environment, told

KERNEL = """
from csp_sudoku.compiled.compilation import get_ready, kernel

@kernel
def doubled(number):
    return 2 * number

get_ready(doubled, 1)
print(doubled(21))
"""
FULL_DISK = """
import errno, numba.core.caching
def fails(*_):
    raise OSError(errno.ENOSPC, "No space left on device")
numba.core.caching.IndexDataCacheFile._save_data = fails
"""


@pytest.fixture
def run(tmp_path):
    """Run a kernel in a process of its own; return the lines of standard error. The answer must be right."""

    def ran(before=""):
        (tmp_path / "small.py").write_text(before + KERNEL)
        done = subprocess.run(
            [sys.executable, "small.py"], cwd=tmp_path, capture_output=True, text=True, check=False,
            env=environment(CSP_SUDOKU_CACHE=str(tmp_path / "cache")),
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (0, "42\n"), done.stderr
        return told(done.stderr).splitlines()

    return ran


@pytest.mark.slow
@pytest.mark.parametrize(("pattern", "size"), [("*.nbi", 0), ("*.nbi", 100), ("*.nbc", 0), ("*.nbc", 100)])
def test_a_damaged_entry_is_compiled_again(run, tmp_path, pattern, size):
    """A truncated file of the cache is replaced, with one line, and the next process finds everything in order."""
    assert run() == []
    (path,) = (tmp_path / "cache").rglob(pattern)
    with path.open("r+b") as file:
        file.truncate(size)
    (line,) = run()
    assert line.startswith("csp-sudoku: the cached kernel 'doubled' is damaged (")
    assert run() == []


@pytest.mark.slow
def test_a_full_disk_costs_the_cache(run):
    """If no machine code can be written, the kernel still works, and one line gives the reason why it is slow."""
    (line,) = run(FULL_DISK)
    assert line.startswith("csp-sudoku: expected room for compiled kernels in ")
    assert "No space left on device" in line


@pytest.mark.slow
def test_a_disk_that_is_really_full(tmp_path):
    """The same on a file system of 8 KB, which is mounted in a namespace of its own."""
    user = [] if os.getuid() == 0 else ["--user", "--map-root-user"]
    apart = ["unshare", *user, "--mount", "--propagation", "private", "--", "sh", "-c"]
    cache, script = tmp_path / "cache", tmp_path / "small.py"
    cache.mkdir()
    script.write_text(KERNEL)
    mount = f"mount -t tmpfs -o size=8k tmpfs {cache}"
    if shutil.which("unshare") is None or subprocess.run([*apart, mount], capture_output=True, check=False).returncode:
        pytest.skip("file systems cannot be mounted here")
    done = subprocess.run(
        [*apart, f"{mount} && exec {sys.executable} {script}"], capture_output=True, text=True, check=False,
        env=environment(CSP_SUDOKU_CACHE=str(cache)),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "42\n"), done.stderr
    (line,) = told(done.stderr).splitlines()
    assert line.startswith(f"csp-sudoku: expected room for compiled kernels in {cache}")
    assert "No space left on device" in line


class Late:
    """A kernel that takes longer to be ready than the time after which compiling is announced."""

    __name__ = "very_late"
    signatures = ()

    def __init__(self, misses):
        self.stats = type("Stats", (), {"cache_misses": {"types": 1} if misses else {}})

    def compile(self, types):
        """Wait until the announcement is due."""
        compiled.time.sleep(0.12)


@pytest.mark.parametrize("misses", [True, False])
def test_only_compiling_is_announced(misses, monkeypatch, capsys):
    """A kernel that is in the cache is loaded in silence, however long that takes on a busy machine."""
    monkeypatch.setattr(compiled, "ANNOUNCE_AFTER", 0)
    compiled.get_ready(Late(misses))
    said = capsys.readouterr().err
    assert said.count("compiling the kernel 'very late'") == misses

"""The memory that may be allocated, as systems report it: with control groups of version 1 or 2, or without."""

import resource
import subprocess
import sys

import pytest

from csp_sudoku.search import free_memory
from tests.cli.support import environment

MEGABYTE = 1 << 20


@pytest.fixture
def system(tmp_path, monkeypatch):
    """Write the files of a system whose process has no limits; return a function for the memory to allocate."""
    monkeypatch.setattr(free_memory, "PROCESS", tmp_path / "proc")
    monkeypatch.setattr(free_memory, "GROUPS", tmp_path / "groups")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY,) * 2)

    def taken(**files):
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_0_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return free_memory.free_bytes() // MEGABYTE

    return taken


def test_what_no_system_tells(system):
    """A gigabyte, where there is nothing to read."""
    assert system() == 1024


def test_files_that_are_remembered_give_way(system):
    """The available memory counts, not the free memory."""
    assert system(proc__meminfo="MemTotal: 9999 kB\nMemFree: 1024 kB\nMemAvailable: 8192000 kB\n") == 4000


def test_groups_of_the_second_version(system):
    """The least that is left of a group's limit and of those above; "max" is none."""
    assert system(proc__meminfo="MemAvailable: 8192000 kB\n", proc__self__cgroup="0::/one/two\n") == 4000
    group = {"groups__one__two__memory_0_max": "max\n", "groups__one__two__memory_0_current": "1048576\n"}
    assert system(**group) == 4000
    above = {"groups__one__memory_0_max": f"{500 * MEGABYTE}\n", "groups__one__memory_0_current": f"{300 * MEGABYTE}\n"}
    assert system(**above) == 100
    assert system(groups__one__memory_0_stat=f"anon 7\nfile {200 * MEGABYTE}\n") == 200


def test_groups_of_the_first_version(system):
    """The group of the controller of memory."""
    files = {
        "proc__self__cgroup": "5:cpu:/\n4:memory:/box\n0::/\n",
        "groups__memory__box__memory_0_limit_in_bytes": f"{100 * MEGABYTE}\n",
        "groups__memory__box__memory_0_usage_in_bytes": f"{150 * MEGABYTE}\n",
    }
    assert system(**files) == 0
    assert system(groups__memory__box__memory_0_stat=f"total_cache {100 * MEGABYTE}\n") == 25


@pytest.mark.parametrize("kind", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_limits_of_the_process(kind):
    """A process with a limit that already uses some memory may take less than half of the limit."""
    code = (
        "import resource; from csp_sudoku.search.free_memory import free_bytes; import numpy; "
        f"resource.setrlimit(resource.{kind}, (1 << 33, 1 << 33)); one = free_bytes(); "
        f"resource.setrlimit(resource.{kind}, (1 << 31, 1 << 31)); print(one > free_bytes() > 0)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment())
    assert run.stdout == "True\n"


def test_where_there_are_no_limits_of_processes():
    """Without the system's files the module for limits is not needed: some systems have none."""
    code = (
        "import sys; sys.modules['resource'] = None\n"
        "from pathlib import Path; from csp_sudoku.search import free_memory\n"
        "free_memory.PROCESS = free_memory.GROUPS = Path('nowhere'); print(free_memory.free_bytes() >> 20)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=False)
    assert (done.stdout, done.stderr) == ("1024\n", "")

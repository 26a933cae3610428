"""Leftovers of players: objects that are known to belong to them are removed."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from csp_sudoku.sandbox import leftovers
from csp_sudoku.sandbox.leftovers import Leftovers, remove_folder
from csp_sudoku.sandbox.processes import ProcessEntry
from tests.clock import wait_until

NOBODY = 65534


def as_an_ordinary_user(folder, act):
    """Run a function in a process of an ordinary user, in this folder, and require that it returns true.

    For the superuser permissions mean nothing, so a test that is run by root becomes another user.
    """
    child = os.fork()
    if not child:
        code = 1
        try:
            if not os.getuid():
                os.chown(folder, NOBODY, NOBODY)
                os.chdir(folder)  # the folders above may be closed to others
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            else:
                os.chdir(folder)
            code = 0 if act() else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("locked", [["."], ["outer"], ["outer/inner"], ["outer/inner", "outer", "."]])
def test_a_folder_without_permissions_is_removed(locked, tmp_path):
    """An ordinary user removes its own folders, whatever their permissions are."""

    def act():
        Path("game/outer/inner").mkdir(parents=True)
        for file in ("game/file", "game/outer/file", "game/outer/inner/file"):
            Path(file).touch()
        for folder in locked:
            Path("game", folder).chmod(0)
        remove_folder("game")
        return not os.path.lexists("game")

    as_an_ordinary_user(tmp_path, act)


def test_a_deep_folder_is_removed(tmp_path):
    """Folders within folders may be deeper than Python can recurse, and than a path may be long."""
    depth, name = 1500, "a" * 100
    folder = os.open(tmp_path, os.O_RDONLY)
    (tmp_path / "game").mkdir()
    for part in ["game", *[name] * depth]:
        inner = os.open(part, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
        os.mkdir(name, dir_fd=folder)
    os.close(folder)
    try:
        remove_folder(str(tmp_path / "game"))
        assert list(tmp_path.iterdir()) == []
    finally:  # or pytest would try to remove it, and fail
        subprocess.run(["rm", "-rf", str(tmp_path / "game")], check=True)


def test_links_are_removed_and_not_followed(tmp_path):
    """The target of a link stays unchanged, even if the link replaces the folder itself."""
    kept = tmp_path / "kept"
    kept.mkdir(mode=0o750)
    (kept / "file").touch()
    game = tmp_path / "game"
    game.mkdir()
    (game / "link").symlink_to(kept)
    (game / "broken").symlink_to("nowhere")
    remove_folder(str(game))
    game.symlink_to(kept)
    remove_folder(str(game))
    assert list(tmp_path.iterdir()) == [kept]
    assert list(kept.iterdir()) == [kept / "file"]
    assert kept.stat().st_mode & 0o777 == 0o750


def test_shared_memory_of_others_stays(tmp_path, monkeypatch):
    """A file is removed only if it is new, a child had it open, and no process has it open now."""
    monkeypatch.setattr(leftovers, "SHARED", str(tmp_path))
    (tmp_path / "old").touch()
    noted = Leftovers()
    for name in ("closed", "freed", "kept", "replaced"):
        (tmp_path / name).touch()
    files = [str(tmp_path / name) for name in ("old", "freed", "kept", "replaced")]
    with (tmp_path / "kept").open() as kept, subprocess.Popen(["tail", "-f", *files], stdout=subprocess.PIPE) as child:
        wait_until(lambda: len(leftovers.held([child.pid])) == 4)
        noted.look()
        noted.remove()
        assert len(list(tmp_path.iterdir())) == 5
        child.kill()
        child.wait()
        (tmp_path / "other").touch()
        (tmp_path / "other").replace(tmp_path / "replaced")
        noted.remove()
        assert sorted(path.name for path in tmp_path.iterdir()) == ["closed", "kept", "old", "replaced"]
        assert kept.read() == ""


def test_a_file_that_changes_hands_during_the_look_is_noted(tmp_path, monkeypatch):
    """A process that ends during the scan may have a child that was not listed, so the scan is repeated."""
    monkeypatch.setattr(leftovers, "SHARED", str(tmp_path))
    noted = Leftovers()
    (tmp_path / "theirs").touch()
    listed, true_descendants = [], leftovers.descendants

    def late(root):
        found = true_descendants(root)
        listed.append(found)
        if len(listed) == 1:  # this one had forked the child, and has ended since
            return [ProcessEntry(2**22 + 1, "R", root, 0, 0, 0)]
        return found

    with subprocess.Popen(["tail", "-f", str(tmp_path / "theirs")], stdout=subprocess.PIPE) as child:
        wait_until(lambda: leftovers.held([child.pid]))
        monkeypatch.setattr(leftovers, "descendants", late)
        noted.look()
        child.kill()
    assert len(listed) == 2
    noted.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_segment_of_others_stays():
    """A segment is removed only if it is new, and a child that has ended created it."""
    libc = ctypes.CDLL(None)
    old, program = (
        libc.shmget(0, 4096, 0o600),
        "import ctypes; print(ctypes.CDLL(None).shmget(0, 4096, 0o600)); input()",
    )
    noted = Leftovers()
    new = libc.shmget(0, 4096, 0o600)
    try:
        with subprocess.Popen([sys.executable, "-c", program], stdin=-1, stdout=-1, text=True) as child:
            theirs = int(child.stdout.readline())
            noted.look()
            noted.remove()
            assert {old, new, theirs} <= {segment.number for segment in leftovers.segments()}
            child.stdin.write("\n")
        noted.remove()
        found = {segment.number for segment in leftovers.segments()}
        assert {old, new} <= found
        assert theirs not in found
    finally:
        for number in (old, new):
            libc.shmctl(number, 0, None)


def test_a_folder_that_is_not_there(tmp_path):
    """There is nothing to be removed, and that is no error."""
    remove_folder(str(tmp_path / "none"))

"""What players leave behind: what is known to be theirs is removed."""

import os
import subprocess
from pathlib import Path

import pytest

from csp_sudoku.arena.leftovers import remove_folder

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
    depth, name = 3000, "a" * 100
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
    """What a link points to stays as it is, also where the link stands in the place of the folder itself."""
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


def test_a_folder_that_is_not_there(tmp_path):
    """There is nothing to be removed, and that is no error."""
    remove_folder(str(tmp_path / "none"))

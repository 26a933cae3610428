"""A file is written completely or not at all."""

import pytest

from csp_sudoku.atomic_file import write_atomically


@pytest.mark.parametrize("content", ["é\n", b"\x00\xff"], ids=["text", "bytes"])
def test_content_is_written(tmp_path, content):
    """Texts are UTF-8, bytes are as they are, an old file is replaced, and nothing else is left."""
    path = tmp_path / "a.svg"
    path.write_text("old")
    write_atomically(path, content)
    assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_file(tmp_path):
    """If the content cannot be written, the old file stays, and no part of the new one."""
    path = tmp_path / "a.svg"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "\ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]

"""The expected digests: a text file that people read, with a log of why they have changed.

The file has a line per layer, and a line per change. A line of the log says when a digest changed, by which commit (its
subject, for its hash is not known beforehand), and why.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

PATH = Path(__file__).with_name("expected.txt")

HEAD = """\
# The expected digests of python -m tests.signature, one line per layer. Below them is the log of their changes, the
# latest first: date, layers, and why. To change them: python -m tests.signature --update --why "subject: reason"
"""


@dataclass(frozen=True)
class Expected:
    """The contents of the file."""

    digests: dict[str, str] = field(default_factory=dict)
    log: tuple[str, ...] = ()

    @staticmethod
    def read(path=PATH):
        """The text of the file; an empty text without a file."""
        if not path.exists():
            return Expected()
        lines = [text for text in path.read_text(encoding="utf-8").splitlines() if text and not text.startswith("#")]
        digests = dict(text.split() for text in lines if not text[0].isdigit())
        return Expected(digests, tuple(text for text in lines if text[0].isdigit()))

    def changed(self, digests, date, why):
        """The same with other digests, and a line of the log."""
        names = [name for name, found in digests.items() if self.digests.get(name) != found and name != "all"]
        return replace(self, digests=dict(digests), log=(f"{date} {'+'.join(names)}: {why}", *self.log))

    def write(self, path=PATH):
        """Write the file."""
        layers = "\n".join(f"{name:8} {found}" for name, found in self.digests.items())
        path.write_text(f"{HEAD}\n{layers}\n\n# Log\n" + "".join(f"{text}\n" for text in self.log), encoding="utf-8")

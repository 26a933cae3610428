"""A browser for tests of pages; without one they are skipped, with the reason."""

import os
import shutil
from contextlib import contextmanager

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


@contextmanager
def chromium():
    """A Chromium driven by Playwright; the tests are skipped where one of the two is missing."""
    driver = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (extra [browser])")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no browser found: none of {', '.join(NAMES)} on the path, and no $CHROMIUM")
    with driver.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()

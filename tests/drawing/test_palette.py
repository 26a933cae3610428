"""The palette: every text can be read on its ground, in light and in dark."""

import re

import pytest

from csp_sudoku.drawing.palette import HEAT_LEVELS, MARK_TONES, RULES, TEXTS, TONES, heat_level, style

LEAST = 4.5
"""The contrast that WCAG 2 asks of texts, level AA."""


def luminance(colour):
    """The relative luminance of a colour by WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    """The contrast of two colours by WCAG 2."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard():
    """The formula gives the known values of black and grey on white."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read(scheme):
    """Every text has a contrast of at least 4.5 to every ground that it stands on."""
    weak = {
        (text, ground): round(found, 2)
        for text, ground in TEXTS
        if (found := contrast(getattr(TONES[text], scheme), getattr(TONES[ground], scheme))) < LEAST
    }
    assert weak == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_grounds_of_texts_are_known(scheme):
    """Each ground that a rule fills is one that the table of texts has, so that no text escapes the test above."""
    grounds = {name for selector, tones, _ in RULES if "ground" in selector for name in tones.values()}
    assert grounds | {*MARK_TONES, "white", "black"} == {ground for _, ground in TEXTS}
    assert all(re.fullmatch("#[0-9a-f]{6}", getattr(tone, scheme)) for tone in TONES.values())


def test_the_style_has_both_schemes():
    """Each rule with a colour is there twice, and all rules are restricted to our drawings."""
    light, _, dark = style().partition("@media(prefers-color-scheme:dark)")
    for selector, tones, _ in RULES:
        assert f".csp-sudoku {selector}{{" in light
        for name in tones.values():
            assert TONES[name].light in light
            assert TONES[name].dark in dark
    assert all(rule.startswith((".csp-sudoku ", "svg.csp-sudoku{")) for rule in re.findall(r"[^{}]+\{", light))
    assert "url(" not in style()


def test_more_bombs_are_never_a_lower_shade():
    """The shade grows with the number of bombs, and only a cell without bombs has none."""
    for most in range(26):
        levels = [heat_level(count, most) for count in range(most + 1)]
        assert levels == sorted(levels)
        assert levels[0] == 0
        assert all(0 < level <= HEAT_LEVELS for level in levels[1:])

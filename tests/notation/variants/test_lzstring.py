"""LZ-string: pairs of texts that other programs made, whatever text back and forth, and broken ones refused."""

from random import Random

import pytest

from csp_sudoku.notation.variants.lzstring import ALPHABET, LZStringError, compress, decompress

KNOWN = {
    "": "Q===",
    "hello world": "BYUwNmD2AEDukCcwBMg=",
    "hello, i am a 猫": "BYUwNmD2A0AECWsCGBbZtDUzkA==",
    "Žluťoučký kůň úpěl ďábelské ódy!": ("r6ABsK6KaAD2aLCADWBfgBPQ9oCAlAZAvgDobEARlB4QAEOAjAUxAGd4BL5AZ4BMBPAQiA=="),
}
"""Texts, and the output of the JavaScript library for them."""


@pytest.mark.parametrize("text", KNOWN)
def test_known_texts(text):
    """The codec agrees with the library on texts of one and of two bytes."""
    assert compress(text) == KNOWN[text]
    assert decompress(KNOWN[text], 1000) == text


def test_padding_does_not_matter():
    """Programs pad differently."""
    packed = "MYewdgzgLgBAhgLhmArgWwEYFMBOMC8MAjANxA"
    assert compress("const a: number = 1;") == f"{packed}=="
    assert [decompress(packed + "=" * count, 100) for count in range(4)] == ["const a: number = 1;"] * 4


def random_text(random, length):
    """A text of a small alphabet, which repeats phrases, with characters of every size."""
    letters = random.choice(["ab", '{"R1C":[]}', "é猫a", "\U0001f600b猫", "".join(map(chr, range(32, 400)))])
    return "".join(random.choice(letters) for _ in range(length))


@pytest.mark.parametrize("seed", [0, *[pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 30)]])
def test_what_is_compressed_is_decompressed(seed):
    """Every text comes back, also without the padding, and with a space for each plus."""
    random = Random(seed)
    for length in range(60):
        text = random_text(random, length)
        packed = compress(text)
        assert len(packed) % 4 == 0
        assert set(packed) <= set(ALPHABET + "=")
        assert decompress(packed, 10_000) == text
        assert decompress(f" {packed.rstrip('=').replace('+', ' ')} \n", 10_000) == text


def test_a_long_text_comes_back():
    """Phrases get long, and their numbers need more and more bits."""
    text = "R1C1" * 5000 + "R2C2" * 5000
    packed = compress(text)
    assert len(packed) < 1200
    assert decompress(packed, len(text)) == text


def test_a_bomb_is_refused():
    """A text that stands for more than the caller allows is refused before it fills the memory."""
    with pytest.raises(LZStringError, match="more than 1000 characters"):
        decompress(compress("a" * 1001), 1000)
    bomb = "IY" + "x" * 20_000
    with pytest.raises(LZStringError):
        decompress(bomb, 1 << 20)


def test_broken_texts_are_refused():
    """A text that breaks off, has a wrong character or a phrase that cannot be there is an error, or another text."""
    packed = compress('{"size":9,"grid":[[{}]]}')
    with pytest.raises(LZStringError, match="the end of the text before the end of the puzzle"):
        decompress(packed[:-8], 1000)
    with pytest.raises(LZStringError, match=r"the character '\*'"):
        decompress("N4*" + packed, 1000)
    with pytest.raises(LZStringError, match="the end of the text"):
        decompress("", 1000)
    random = Random(7)
    refused = 0
    for _ in range(300):
        at = random.randrange(len(packed))
        changed = packed[:at] + random.choice(ALPHABET) + packed[at + 1 :]
        try:
            decompress(changed, 1000)
        except LZStringError:
            refused += 1
    assert refused > 100

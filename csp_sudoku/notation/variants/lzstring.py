"""LZ-string: the compression in which f-puzzles and SudokuPad put a puzzle into a link.

The format is that of the JavaScript library lz-string. A text is a sequence of UTF-16 code units. A dictionary of
phrases grows while the text is read. Each phrase is written as its number, with as many bits as the largest number so
far needs. Base64 characters carry six bits each.
"""

from __future__ import annotations

from collections.abc import Iterator

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
"""The base64 characters of the values from 0 to 63."""

_BITS = 6
_NEW_BYTE, _NEW_UNIT, _END = 0, 1, 2
"""The codes that are not phrases: a new character of 8 bits follows, one of 16 bits follows, or the text ends."""

_VALUES = {character: value for value, character in enumerate(ALPHABET)} | {" ": 62, "-": 63}
"""The values of base64 characters. A link may have a space for "+", and lz-string itself writes "-" for "/" in one."""


class LZStringError(ValueError):
    """The text is not a valid LZ-string, or the decompressed text is too long."""


def compress(text: str) -> str:
    """Return the text as LZ-string in base64, as `LZString.compressToBase64` returns it in JavaScript.

    >>> compress("hello, i am a 猫"), compress("")
    ('BYUwNmD2A0AECWsCGBbZtDUzkA==', 'Q===')
    """
    characters: list[str] = []
    buffer, filled = 0, 0
    for code, width in _codes(text):
        for place in range(width):  # the lowest bit comes first
            buffer, filled = buffer << 1 | code >> place & 1, filled + 1
            if filled == _BITS:
                characters.append(ALPHABET[buffer])
                buffer, filled = 0, 0
    characters.append(ALPHABET[buffer << _BITS - filled])  # always one more character, as in the library
    return "".join(characters) + "=" * (-len(characters) % 4)


def _codes(text: str) -> Iterator[tuple[int, int]]:
    """Yield the codes of a text, each with its number of bits."""
    numbers: dict[str, int] = {}
    unwritten: set[str] = set()  # the characters in the dictionary that are not yet in the output
    width, left = 2, 2  # the bits of a phrase, and the number of phrases until they are one more

    def grow() -> None:
        nonlocal width, left
        left -= 1
        if left == 0:
            width, left = width + 1, 1 << width

    def written(phrase: str) -> Iterator[tuple[int, int]]:
        if phrase in unwritten:
            unwritten.remove(phrase)
            unit = ord(phrase)
            yield (_NEW_BYTE, width) if unit < 256 else (_NEW_UNIT, width)
            yield unit, 8 if unit < 256 else 16
            grow()
        else:
            yield numbers[phrase], width
        grow()

    phrase = ""
    for unit in _units(text):
        if unit not in numbers:
            numbers[unit] = len(numbers) + 3
            unwritten.add(unit)
        if phrase + unit in numbers:
            phrase += unit
            continue
        yield from written(phrase)
        numbers[phrase + unit] = len(numbers) + 3
        phrase = unit
    if phrase:
        yield from written(phrase)
    yield _END, width


def _units(text: str) -> Iterator[str]:
    """Yield the UTF-16 code units of a text, each as a character."""
    for character in text:
        if ord(character) < 0x10000:
            yield character
        else:
            pair = character.encode("utf-16-be")
            yield chr(pair[0] << 8 | pair[1])
            yield chr(pair[2] << 8 | pair[3])


def decompress(text: str, limit: int) -> str:
    """Return the decompressed text of an LZ-string in base64; LZStringError if it is invalid, or too long.

    `limit` is an upper bound for its number of UTF-16 code units, because a few characters can expand to gigabytes.
    White space at the ends is ignored, and "=" may be missing. A space stands for "+", and "-" for "/", as in links.

    >>> decompress("BYUwNmD2A0AECWsCGBbZtDUzkA==", 100), decompress("Q", 100)
    ('hello, i am a 猫', '')
    >>> decompress("BYUw", 100)
    Traceback (most recent call last):
        ...
    csp_sudoku.notation.variants.lzstring.LZStringError: the end of the text before the end of the puzzle
    """
    bits = _Bits(text.strip().rstrip("=$"))
    phrases: list[str] = ["", "", ""]
    parts: list[str] = []
    length, width, left = 0, 2, 1
    phrase = ""
    while (code := bits.take(width)) != _END:
        if code in (_NEW_BYTE, _NEW_UNIT):
            phrases.append(chr(bits.take(8 if code == _NEW_BYTE else 16)))
            code = len(phrases) - 1
            left -= 1
            if left == 0:
                width, left = width + 1, 1 << width
        if code < len(phrases):
            found = phrases[code]
        elif code == len(phrases) and phrase:
            found = phrase + phrase[0]
        else:
            raise LZStringError("a phrase that was not there before")
        parts.append(found)
        length += len(found)
        if length > limit:
            raise LZStringError(f"a text of more than {limit} characters")
        if phrase:
            phrases.append(phrase + found[0])
            left -= 1
            if left == 0:
                width, left = width + 1, 1 << width
        phrase = found
    units = "".join(parts)
    return units.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")


class _Bits:
    """The bits of base64 characters."""

    def __init__(self, characters: str) -> None:
        self._characters = characters
        self._next = 0  # the next character
        self._value = 0
        self._left = 0  # the bits of the value that are still to be read

    def take(self, count: int) -> int:
        """Return a number of `count` bits, of which the lowest comes first."""
        number = 0
        for place in range(count):
            if self._left == 0:
                self._value, self._left = self._following(), _BITS
            self._left -= 1
            number |= (self._value >> self._left & 1) << place
        return number

    def _following(self) -> int:
        if self._next == len(self._characters):
            raise LZStringError("the end of the text before the end of the puzzle")
        character = self._characters[self._next]
        if character not in _VALUES:
            raise LZStringError(f"the character {character!r}")
        self._next += 1
        return _VALUES[character]

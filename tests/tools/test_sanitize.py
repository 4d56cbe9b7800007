"""Nothing that steers a screen survives, and nothing else is lost."""

import json
import random

from tools.canonical import to_json
from tools.sanitize import one_line, sanitize

NASTY = [
    "\x1b]52;c;Y3VybCBldmls\x07",
    "\x1b[2J",
    "\x1b[31;1m",
    "\x1bP1;2\x1b\\",
    "\x9b3J",
    "\x1b",
    "\x9d0;t\x9c",
    "\x00",
    "\x07",
    "\r",
    "\x7f",
    "\u202e",
    "\u2066",
    "\ud800",
    "\udfff",
    "\x1b[",
    "\x1b]8;;http://x",
    "\x85",
    "\x1bc",
]
PLAIN = [
    "[/bold]",
    "[link=file:///etc/passwd]agenda[/link]",
    "{{ config }}",
    "${HOME}",
    "שלום",
    "Zürich",
    "李雷",
    "👩🏽‍🚀",
    "\n",
    "\t",
    "<b>",
    "100%",
    "a b",
    "\u200f",
    "e\u0301",
]


def harmless(text: str) -> bool:
    steering = {
        *range(0x20),
        *range(0x7F, 0xA0),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
        *range(0xD800, 0xE000),
    }
    return not {ord(sign) for sign in text} & (steering - {10, 9})


def test_two_thousand_random_strings_are_made_harmless() -> None:
    dice = random.Random(7)
    for _ in range(2000):
        pieces = [dice.choice(NASTY + PLAIN + [chr(dice.randrange(0x3000))]) for _ in range(dice.randint(0, 12))]
        text = "".join(pieces)
        clean = sanitize(text)
        assert harmless(clean)
        assert sanitize(clean) == clean
        clean.encode()
        assert "\n" not in one_line(text)
        document = to_json({text.replace("\ud800", "").replace("\udfff", ""): [text, 0.1234567]})
        assert harmless(document)
        if not any(0xD800 <= ord(sign) < 0xE000 for sign in text):
            assert json.loads(document) == {text: [text, 0.123457]}


def test_plain_text_of_any_script_is_not_touched() -> None:
    for text in PLAIN:
        assert sanitize(text) == text


def test_a_sequence_goes_with_its_payload() -> None:
    assert sanitize("a\x1b]52;c;Y3VybCBldmls\x07b\x1b[31mc\x9b2Jd\x1bPxyz\x1b\\e") == "abcde"

"""One way to make text that somebody else wrote harmless: on its way in, and again on its way to a screen.

Terminal sequences go with their payload; then control characters (but newline and tab) and bidirectional overrides;
a lone surrogate, which no file and no database can hold, becomes U+FFFD.
"""

import re
import unicodedata

_SEQUENCE = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI
    "|(?:\x1b[\\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)"  # OSC, DCS, SOS, PM, APC
    "|\x1b[ -/]+[0-~]"
    "|\x1b[0-Z=>c-~]"
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def sanitize(text: str) -> str:
    """Give text without anything that steers a terminal, reorders a line or cannot be encoded; newline and tab stay."""
    if text.isprintable():
        return text
    return _SURROGATE.sub("\ufffd", _CONTROL.sub("", _SEQUENCE.sub("", text)))


def one_line(text: str) -> str:
    """Give sanitised text on one line, runs of blanks as one, in NFC, so that equal names are equal strings."""
    return unicodedata.normalize("NFC", " ".join(sanitize(text).split()))


def escaped_json(text: str) -> str:
    """Give a JSON document with steering characters written as \\u escapes: the same data, harmless on a screen."""
    return re.sub(f"{_CONTROL.pattern}|{_SURROGATE.pattern}", lambda found: f"\\u{ord(found[0]):04x}", text)

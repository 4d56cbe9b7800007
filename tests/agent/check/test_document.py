"""A document as blocks: Markdown's signs are gone, every character knows its line, and odd files are one line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.check.document import MAX_BYTES, Document, document, read
from store.errors import DataError

MARKDOWN = """\
# Minutes of *Monday*

Ada said that [the budget](https://example.org/x?a=b)
is **cut** by `10 %`.
- first item
  goes on
- [x] second_item with _stress_

> We ship
> on Friday
-- Ben

---
| who | what |

0:12:34 Ben agreed.
12:40 Ada did not.
"""


def blocks(text: str) -> list[tuple[str, bool, int]]:
    return [(block.text, block.quoted, block.line(0)) for block in document("x.md", text.encode()).blocks]


def test_blocks_of_markdown() -> None:
    assert blocks(MARKDOWN) == [
        ("Minutes of Monday", False, 1),
        ("Ada said that the budget is cut by 10 %.", False, 3),
        ("first item goes on", False, 5),
        ("second_item with stress", False, 7),
        ("We ship\non Friday", True, 9),
        ("-- Ben", False, 11),
        (" |  who  |  what  |", False, 14),
        ("0:12:34 Ben agreed.", False, 16),
        ("12:40 Ada did not.", False, 17),
    ]


@given(st.lists(st.text("ab .#>-*|`_[](){}1:\t", max_size=12), max_size=12))
def test_every_character_stands_in_a_line_that_holds_it(lines: list[str]) -> None:
    for block in document("x.md", "\n".join(lines).encode()).blocks:
        for offset, letter in enumerate(block.text):
            if letter in "ab1":
                assert letter in lines[block.line(offset) - 1]


def test_a_reply_of_ours_is_read_as_people_see_it() -> None:
    cited = [
        {"stream": "transcript", "start": 754.0, "speaker": "Ada", "quote": "It is “cut”."},
        {"stream": "events", "start": 1.0, "speaker": None, "quote": "Bell"},
        {"stream": "transcript", "start": "soon", "speaker": None, "quote": "odd"},
    ]
    reply = {"answer": "Ada says so.", "citations": cited}
    shown = ["Ada says so.", '[12:34 Ada] “It is "cut".”', "[ ] “odd”"]
    assert [text for text, *_ in blocks(json.dumps(reply))] == shown
    several = "\n".join([json.dumps(reply), json.dumps({"answer": "No."})])
    assert [text for text, *_ in blocks(several)] == [*shown, "No."]
    assert blocks('{"answer": 3}')[0][0].startswith("{")


@pytest.mark.parametrize("raw", [b"%PDF-1.7 \n", b"a\0b", bytes(range(1, 9)) * 9], ids=["pdf", "nul", "controls"])
def test_what_is_no_text_is_one_line(raw: bytes) -> None:
    with pytest.raises(DataError, match="'x.md' is no text"):
        document("x.md", raw)


def test_what_is_missing_or_too_large_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no file"):
        read(tmp_path / "none.md")
    large = tmp_path / "large.md"
    large.write_bytes(b"a" * (MAX_BYTES + 1))
    with pytest.raises(DataError, match="'large.md' is larger than 1 MB"):
        read(large)
    with pytest.raises(DataError, match="larger than 1 MB"):
        document("stdin", large.read_bytes())


@pytest.mark.parametrize("raw", [b"\xef\xbb\xbfWe ship.", "We ship.".encode("utf-16"), b"We ship.\r\n", b"We ship.\r"])
def test_encodings_and_ends_of_lines(raw: bytes) -> None:
    found: Document = document("x.md", raw)
    assert [block.text for block in found.blocks] == ["We ship."]


def test_nothing_that_steers_a_terminal_is_left() -> None:
    assert blocks("We \x1b[2Jship \u202eon")[0][0] == "We ship on"

"""A document as blocks of plain text whose every character still knows its line; Markdown's own signs are taken out.

Nothing is rendered or followed: links keep their text, code its words.
"""

import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from store.clock import clock
from store.errors import DataError
from tools.imports.text import decode, load
from tools.sanitize import sanitize

MAX_BYTES = 1_000_000
_LINK = re.compile(r"!?\[([^\[\]]{1,300})\]\([^()\s]{1,2000}\)")
_HEAD = re.compile(r"\s{0,12}(?:#{1,6}\s+|(?:[-*+•·]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)?")
_QUOTED = re.compile(r"\s{0,3}((?:>\s?)+)")
_MARKUP = re.compile(r"\*{1,3}|~~|`+|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)|\\(?=[\"'*_\[\]()>#-])")
_STAMP = re.compile(r"\s*[\[(]?\d{1,3}:\d\d\b")
_ENDED = tuple('.!?…)]"”»“')
_RULE = re.compile(r"\s*(?:[-=_*|:+ \t]{3,})?\s*")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a list item, a heading or a block quote; `starts` are (offset, line) of its lines."""

    text: str
    starts: tuple[tuple[int, int], ...]
    quoted: bool = False

    def line(self, offset: int) -> int:
        """Give the line of the document in which a character stands."""
        return self.starts[max(0, bisect_right(self.starts, (offset, 1 << 60)) - 1)][1]


@dataclass(frozen=True, slots=True)
class Document:
    """A document's name, its blocks, and what a person should know of how it was read."""

    name: str
    blocks: tuple[Block, ...]
    notes: tuple[str, ...] = ()


def read(path: Path) -> Document:
    """Read a document of at most 1 MB; DataError when there is none, or when it is no text."""
    return document(path.name, load(path, MAX_BYTES))


def document(name: str, raw: bytes) -> Document:
    """Give bytes as a document; DataError when they are no text or too many."""
    if len(raw) > MAX_BYTES:
        raise DataError(f"{name!r} is larger than {MAX_BYTES // 1_000_000} MB, some 150,000 words; split it")
    text, notes = decode(raw)
    odd = sum(unicodedata.category(letter) == "Cc" and letter not in "\n\t\f\x1b" for letter in text[:20_000])
    if "\0" in text or odd > 20 or text.startswith("%PDF-"):
        raise DataError(f"{name!r} is no text; save it as plain text or Markdown")
    text = unicodedata.normalize("NFC", sanitize(_of_reply(text) or text))
    return Document(name, tuple(_blocks(text)), tuple(notes))


def _of_reply(text: str) -> str | None:
    """Give one of our own replies (or a line of many) as text: the answer, and each citation as people see it."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        replies = [json.loads(text)]
    except (ValueError, RecursionError):
        try:
            replies = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            return None
    if not all(isinstance(reply, Mapping) and isinstance(reply.get("answer"), str) for reply in replies):
        return None
    return "\n\n".join(line for reply in replies for line in (reply["answer"], *map(_cited, _citations(reply))))


def _citations(reply: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = reply.get("citations")
    listed = found if isinstance(found, list) else []
    return [c for c in listed if isinstance(c, Mapping) and c.get("stream") == "transcript" and c.get("quote")]


def _cited(citation: Mapping[str, Any]) -> str:
    start = citation.get("start")
    at = clock(round(start * 1000)) if isinstance(start, int | float) and 0 <= start < 1e7 else ""
    quote = str(citation["quote"]).replace("“", '"').replace("”", '"').replace("\n", " ")
    return f"[{at} {citation.get('speaker') or ''}] “{quote}”"


def _blocks(text: str) -> Iterator[Block]:
    lines: list[tuple[int, str]] = []
    kind = ""
    for number, line in enumerate(text.split("\n"), 1):
        quoted = _QUOTED.match(line)
        head = _HEAD.match(line)
        own = "quote" if quoted else "item" if (head and head[0].strip()) or _begins(line, lines) else "text"
        if _RULE.fullmatch(line) or (lines and (own == "item" or (own == "quote") != (kind == "quote"))):
            yield from _block(lines, kind)
            lines = []
        if _RULE.fullmatch(line):
            continue
        kind = own if not lines else kind
        lines.append((number, line[quoted.end() :] if quoted else line[head.end() :] if head else line))
        if line.lstrip().startswith("#"):
            yield from _block(lines, kind)
            lines = []
    yield from _block(lines, kind)


def _begins(line: str, before: list[tuple[int, str]]) -> bool:
    """Say whether a line stands for itself: a table's row, or a time that no sentence runs into."""
    if line.lstrip().startswith("|"):
        return True
    ended = not before or before[-1][1].rstrip()[-1:] in _ENDED
    return ended and _STAMP.match(line) is not None


def _block(lines: list[tuple[int, str]], kind: str) -> Iterator[Block]:
    text, starts = "", []
    for number, line in lines:
        starts.append((len(text), number))
        text += _plain(line) + ("\n" if kind == "quote" else " ")
    if text.strip():
        yield Block(text.rstrip(), tuple(starts), kind == "quote")


def _plain(line: str) -> str:
    line = line.replace("``", "“").replace("''", "”") if "``" in line and "''" in line else line
    return _MARKUP.sub("", _LINK.sub(r"\1", line)).replace("|", " | ").rstrip()

"""What a request asks for, read out of our own prompts by their anchors; see `agent.brains.outline`.

Text of others stands inside fences in which no angle bracket can occur, so a fence ends where it seems to.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.brains.protocol import Question
from agent.serve.outlined import named, read_outline
from store.catalog import Catalog
from store.clock import clock_time, start_ms
from store.record import STREAMS, StreamKind
from tools.evidence import EvidenceRow

_FENCE = re.compile(r"^<(?P<name>\w+)>\n(?P<inside>[^<]*)\n</(?P=name)>$", re.MULTILINE)
_QUESTION = re.compile(r"^Question: (?P<text>.*)(?P<options>(?:\n[A-Z]\. .*)*)", re.MULTILINE)
_OPTION = re.compile(r"^([A-Z])\. (.*)$", re.MULTILINE)
_CLOCK = r"\d+:\d\d(?::\d\d)?"
_STREAM = "|".join(STREAMS)
_ROW = re.compile(
    rf"\[(?P<n>\d+)\] (?:(?P<recording>\S+) )?(?P<t0>{_CLOCK})-(?P<t1>{_CLOCK}) "
    rf"(?:(?!(?:{_STREAM}): )(?P<speaker>[^:]{{1,120}}): )?(?:(?P<stream>{_STREAM}): )?(?P<said>.*)"
)
_JOINED = " (joined with "


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the catalog it is asked of; with `rows`, by their numbers, its answer is to be worded.

    With the `turns` of a conversation it is to be restated so that it stands alone.
    """

    question: Question
    catalog: Catalog
    rows: Mapping[int, EvidenceRow] | None = None
    turns: str | None = None


def asked(messages: Sequence[Mapping[str, Any]]) -> Asked | None:
    """Read the first message of a user that holds a catalog, rows or turns and a question; None when there is none."""
    texts = [text_of(message) for message in messages if message.get("role") == "user"]
    return next(filter(None, map(_read, texts)), None)


def text_of(message: Mapping[str, Any]) -> str:
    """Give the text of a message, whole or in parts."""
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def _read(text: str) -> Asked | None:
    fences = {fence["name"]: fence["inside"] for fence in _FENCE.finditer(text)}
    found = _QUESTION.search(_FENCE.sub("", text))
    if found is None:
        return None
    question = Question(found["text"].strip(), dict(_OPTION.findall(found["options"])))
    if "rows" in fences:
        rows = dict(filter(None, map(_row, fences["rows"].splitlines())))
        return Asked(question, _known(rows), rows)
    if "catalog" in fences:
        return Asked(question, read_outline(fences["catalog"]))
    return Asked(question, Catalog(()), turns=fences["turns"]) if "turns" in fences else None


def _row(line: str) -> tuple[int, EvidenceRow] | None:
    """Read one numbered row; its id is its number, its times are whole seconds."""
    found = _ROW.fullmatch(line)
    if found is None:
        return None
    stream: StreamKind = found["stream"] or "transcript"  # type: ignore[assignment]
    said = found["said"]
    joined = said.rfind(_JOINED)
    said = said[:joined] if joined >= 0 and said.endswith(")") else said
    t0, t1 = (start_ms(clock_time(found[edge])) for edge in ("t0", "t1"))
    text, label = (said, None) if stream == "transcript" else (None, said)
    number = int(found["n"])
    return number, EvidenceRow(stream, number, found["recording"] or "", t0, t1, found["speaker"], text, label)


def _known(rows: Mapping[int, EvidenceRow]) -> Catalog:
    """Give what rows tell of their recordings: who speaks in them."""
    speakers = dict.fromkeys(row.speaker for row in rows.values() if row.speaker)
    return named(speakers, dict.fromkeys(row.recording for row in rows.values()))

"""An open question (why, how, compare, what was it about) asks for passages: about what, and in whose words.

No value can be computed from it, so its content words and its meaning are weighed together; a person who is named as
the one who speaks limits it, whatever brain planned.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from agent.brains.rules.language import language
from store.catalog import Catalog
from tools.evidence import Evidence
from tools.families import FREE
from tools.plan import Plan
from tools.speaker.names import folded, resolve
from tools.speaker.titles import TITLES, titles
from tools.transcript.query import TranscriptQuery

TOKENS = 2000
_TOKENS_A_SECOND = 3.3
_MOST = 24
_OWNED = re.compile("['’]s?$")
_MARKS = ".,;:!?()[]\"'“”‘’"
_JOINED = re.compile(r"(?<=[^\W\d_]{3})[-‐‑/](?=[^\W\d_]{3})")

_Calls = Sequence[Mapping[str, Any]]


def is_open(calls: _Calls, catalog: Catalog, *, reads_all: bool = False) -> bool:
    """Say whether a plan looks for words to answer freely from, or would read more than can be shown.

    Who reads all of a recording stretch by stretch is shown it as it was asked for.
    """
    if _schema(calls) != "text" or [call.get("name") for call in calls] != ["transcript", "fuse"]:
        return False
    asked = calls[0]["args"]
    if not isinstance(asked, Mapping) or asked.get("keywords") or asked.get("semantic"):
        return isinstance(asked, Mapping)
    if reads_all:
        return False
    whole = sum(entry.recording.heard_ms for entry in catalog.recordings) / 1000
    return not {"start", "end", "nth"} & set(asked) and whole * _TOKENS_A_SECOND > TOKENS


def opened(
    calls: _Calls, question: str, catalog: Catalog, *, semantic: bool, freely: bool = True, tokens: int = TOKENS
) -> list[dict[str, Any]]:
    """Let a plan's search of the transcript bring passages, by the one person whom the question says to speak.

    What is said around comes along where a brain words the answer `freely`; quotes hold the words, and are one's own.
    """
    person = subject(question, catalog)
    found: list[dict[str, Any]] = []
    for call in calls:
        args = dict(call["args"]) if _sound(call) else call.get("args")
        if call.get("name") == "fuse" and isinstance(args, dict):
            args["order"] = "rank"
        elif call.get("name") == "transcript" and isinstance(args, dict):
            args = {"passages": tokens, **args, "keywords": _topic(args.get("keywords", []), question, person)}
            args |= {"semantic": args.get("semantic") or question} if semantic else {}
            args |= {"speaker": args.get("speaker") or person} if person else {}
            args |= {"around": True} if freely and _schema(calls) in FREE else {}
        found.append({**call, "args": args})
    return found


def subject(question: str, catalog: Catalog) -> str | None:
    """Give the display name of the one person whose words a question asks for; None when it names none so."""
    voices = [voice for entry in catalog.recordings for voice in entry.voices]
    names = {name for voice in voices for name in (voice.display, voice.label, *voice.aliases) if _distinct(name)}
    names |= {title for name in names for title in titles(folded(name)) if _distinct(title)}
    either = "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
    found = [
        match
        for pattern in _table()["subject"]
        for match in re.finditer(pattern.replace("{N}", f"(?:{either})"), question, re.IGNORECASE)
    ]
    start = min((match.start("S") for match in found), default=None)
    name = None if start is None or not names else re.match(rf"(?:{either})(?!\w)", question[start:], re.IGNORECASE)
    if name is None:
        return None
    before, after = question[:start], question[start:][name.end() :]
    if _of_another(name[0], before, after) or re.match(rf",? (?:and|or) (?:the )?(?:{either})\b", after, re.IGNORECASE):
        return None
    heard = {voice.display for entry in catalog.recordings for voice in resolve(entry, name[0])}
    return heard.pop() if len(heard) == 1 else None


def meant(plan: Plan, catalog: Catalog) -> frozenset[str]:
    """Give the names of whose words a plan asks for while others' come along; none where rows are one's own anyway."""
    query = plan.call(plan.fuse.anchor).query
    if not isinstance(query, TranscriptQuery) or query.speaker is None or query.speaker == query.spoken_by:
        return frozenset()
    return frozenset(voice.display for entry in catalog.recordings for voice in resolve(entry, query.speaker))


def in_own_words(plan: Plan, evidence: Evidence, catalog: Catalog) -> Evidence:
    """Give what rules may quote: only the words of whom a plan asks for, where those of others came along."""
    whose = meant(plan, catalog)
    rows = tuple(row for row in evidence.rows if row.speaker in whose)
    return replace(evidence, rows=rows) if whose else evidence


def words(text: str, person: str | None = None) -> list[str]:
    """Give the words that a question is about, without those that only frame it and without the person's name.

    A name is left out as it is written: what the Project Manager said of "the project" is about the project. Words that
    a hyphen joins are looked for apart, since others may write them so.
    """
    plain, name = _plain(text), set(_plain(person or ""))
    left_out = language().stop | _framing()
    if not name & set(plain):
        left_out |= {folded(part) for part in name}
    words = [word for word in dict.fromkeys(plain) if re.search(r"\w", word) and word not in name]
    return [word for word in words if folded(word) not in left_out][:_MOST]


def _of_another(name: str, before: str, after: str) -> bool:
    """Say whether a title stands for somebody else: the Minister of Health, the health minister, Professor Smith."""
    if folded(name) not in TITLES:
        return False
    leading = _plain(before)[-1:]
    framed = language().stop | _framing()
    return re.match(r" (?:of\b|for\b|[A-Z])", after) is not None or any(folded(word) not in framed for word in leading)


def _plain(text: str) -> list[str]:
    return [_OWNED.sub("", word.strip(_MARKS)) for word in _JOINED.sub(" ", text).split()]


def _sound(call: Mapping[str, Any]) -> bool:
    """Say whether a call's arguments can be added to; what is malformed goes on as it is, to be complained about."""
    args = call.get("args")
    given = args.get("keywords", []) if isinstance(args, Mapping) else None
    return isinstance(given, list | tuple) and all(isinstance(keyword, str) for keyword in given)


def _topic(keywords: Sequence[str], question: str, person: str | None) -> list[str]:
    """Give a plan's keywords, phrases as they are, without what only frames the question; else the question's own."""
    kept = [word for keyword in keywords for word in ([keyword] if " " in keyword else words(keyword, person))]
    kept = [keyword for keyword in kept if person is None or folded(keyword) != folded(person)]
    return (kept or words(question, person) or ([] if person else list(keywords)))[:_MOST]


def _schema(calls: _Calls) -> object:
    fuses = (call.get("args") for call in calls if call.get("name") == "fuse")
    return next((args.get("answer_schema") for args in fuses if isinstance(args, Mapping)), None)


def _distinct(name: str) -> bool:
    """Say whether a name can be told from a word of the question: not a single letter, not a stop word."""
    return len(name) > 1 and name.casefold() not in language().stop


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("topic.toml").read_text(encoding="utf-8"))


@cache
def _framing() -> frozenset[str]:
    return frozenset(_table()["framing"].split())

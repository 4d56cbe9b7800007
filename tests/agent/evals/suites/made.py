"""Replies, scorers and suites made for tests."""

from pathlib import Path
from typing import Any

from agent.evals.suites.scorers import SCORERS
from agent.evals.suites.scorers.scorer import Mark, Scorer, Seen
from agent.reply import Citation, Refusal, Reply

TALK = """WEBVTT

00:01.000 --> 00:03.000
<v Ben>The budget is 40,000 dollars.

00:04.000 --> 00:06.000
<v Oliver>The deadline is Friday.

00:07.000 --> 00:09.000
<v Ada>Then we ship on Friday.
"""


def reply(answer: str = "", value: Any = None, **more: Any) -> Reply:
    return Reply(status=more.pop("status", "answered"), answer=answer, value=value, **more)


def refused(reason: str, **more: Any) -> Reply:
    return Reply(status="refused", answer="no", refusal=Refusal.model_validate({"reason": reason, **more}))


def cited(*spans: tuple[float, float]) -> list[Citation]:
    return [Citation(n=n, recording="r", start=a, end=b, stream="transcript") for n, (a, b) in enumerate(spans, 1)]


def scorer(name: str, given: Any) -> Scorer:
    return SCORERS[name].model_validate(given)


def mark(name: str, given: Any, said: Reply) -> Mark:
    return scorer(name, given).mark(Seen(said))


def right(name: str, given: Any, said: Reply) -> bool:
    wanted = scorer(name, given)
    return wanted.passes(wanted.mark(Seen(said)))


def talk(folder: Path) -> Path:
    path = folder / "talk.vtt"
    path.write_text(TALK, encoding="utf-8")
    return path

"""verify: every citation is a row that is really there; a quote that is not in its row's text is cut or marked."""

import re
from typing import Any

from agent.graph.state import Desk, State
from tools.citations import confirmed, quoted_in
from tools.evidence import EvidenceRow, excerpt

LONGEST_QUOTE = 300
_QUOTES = re.compile("“([^”]+)”")


def verify(state: State, desk: Desk) -> dict[str, Any]:
    """Read the cited rows again, drop those that are not there, and hold the answer's quotes against their texts."""
    reply = dict(state["reply"])
    with desk.database.reader() as connection:
        real = confirmed(connection, desk.catalog, desk.cited)
    kept = [row for place, row in enumerate(desk.cited) if place in real]
    caveats = list(reply["caveats"])
    if len(kept) < len(desk.cited):
        caveats.append(f"{len(desk.cited) - len(kept)} citations could not be verified and were removed")
    reply["answer"], marked = _marked(str(reply["answer"]), kept, desk)
    if marked:
        caveats.append("unverified_quote")
    reply |= {"citations": [citation(n, row) for n, row in enumerate(kept, 1)], "caveats": caveats}
    return {"reply": reply, "said": f"{len(kept)} citations verified"}


def citation(n: int, row: EvidenceRow, verified: bool = True) -> dict[str, Any]:
    """Give a row as a citation: seconds, names, and the words themselves."""
    return {
        "n": n,
        "recording": row.recording,
        "start": row.t0 / 1000,
        "end": row.t1 / 1000,
        "speaker": row.speaker,
        "stream": row.stream,
        "quote": excerpt(row.text, LONGEST_QUOTE) if row.text else row.label,
        "verified": verified,
    }


def _marked(text: str, rows: list[EvidenceRow], desk: Desk) -> tuple[str, bool]:
    """Mark quotes in a generated answer that no cited row holds; what SQL and templates wrote needs no mark."""
    evidence = desk.evidence.rows if desk.evidence is not None else ()
    texts = [row.text for row in (*rows, *evidence) if row.text]
    asked = desk.question.text
    wrong = [
        quote
        for quote in _QUOTES.findall(text)
        if not quoted_in(quote, asked)
        and not any(quoted_in(quote, held) for held in texts)
        and not _keywords(quote, " ".join([asked, *_searched(desk)]))
    ]
    for quote in wrong:
        text = text.replace(f"“{quote}”", f"“{quote}” (not verified)")
    return text, bool(wrong)


def _searched(desk: Desk) -> list[str]:
    calls = desk.plan.calls if desk.plan is not None else []
    fields = ("keywords", "labels")
    return [word for call in calls for field in fields for word in getattr(call.query, field, [])]


def _keywords(quote: str, asked: str) -> bool:
    """Say whether a quote only repeats words of the question or the plan, as templates do ("budget")."""
    return all(quoted_in(part, asked) for part in re.split(r" … |, | or | and ", quote) if part)

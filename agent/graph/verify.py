"""verify: every citation is a row that is really there, and every sentence of a generated answer stands on its rows.

What SQL computed and templates worded needs no proof but its rows. Of what a model wrote, quotes are cut down to what
is there, unsupported sentences are left out and doubtful ones are marked. Where nothing remains the rows speak.
"""

import re
from collections.abc import Sequence
from typing import Any

from agent.brains.rules.brain import RulesBrain
from agent.graph.answer import searched
from agent.graph.ground import Ground, trimmed
from agent.graph.grounded import Grounded, ground, grounded
from agent.graph.sentences import QUOTE, bare
from agent.graph.state import Desk, Draft, State
from agent.graph.topic import in_own_words
from store.keywords import normalise
from store.numbers import figure, numbers
from tools.citations import confirmed, quoted_in
from tools.evidence import EvidenceRow, excerpt
from tools.families import FREE, value
from tools.schema import complaint, schema_of, unusable

LONGEST_QUOTE = 300
UNSUPPORTED = "The rows that were found do not support an answer."


def verify(state: State, desk: Desk) -> dict[str, Any]:
    """Read the cited rows again, hold the answer against them, and its value against its published schema."""
    reply = state["reply"].copy()
    lead = reply.pop("lead", "")
    real = _real(desk.cited, desk)
    caveats = list(reply["caveats"])
    if len(real) < len(desk.cited):
        caveats.append(f"{len(desk.cited) - len(real)} citations could not be verified and were removed")
    reply["caveats"] = caveats
    if reply["answer_kind"] == "generated" and reply["status"] == "answered":
        kept = _held(reply, {n: row for n, row in enumerate(desk.cited, 1) if row in real}, desk)
    elif reply["answer_kind"] == "generated" and desk.cited:
        # It writes of rows and yet answers nothing: what it says of them is not held against them.
        kept, reply["answer"] = [], UNSUPPORTED
    else:
        kept = real
        reply["answer"] = _quotes(str(reply["answer"]), kept, caveats, desk)
    if reply["status"] == "answered":
        reply["answer"] = f"{lead}{reply['answer']}"
    else:
        caveats.append(f"searched: {searched(desk.current[0], desk)}")
    # Whoever worded it: a question that was not understood has no value.
    reply["value"] = None if "not_understood" in caveats else _valid(reply["value"], caveats, desk)
    reply["caveats"] = list(dict.fromkeys(caveats))
    reply["citations"] = [citation(n, row) for n, row in enumerate(kept, 1)]
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


def _real(rows: Sequence[EvidenceRow], desk: Desk) -> list[EvidenceRow]:
    with desk.database.reader() as connection:
        places = confirmed(connection, desk.catalog, rows)
    return [row for place, row in enumerate(rows) if place in places]


def _held(reply: Draft, marks: dict[int, EvidenceRow], desk: Desk) -> list[EvidenceRow]:
    """Hold a generated answer against its rows; give those it still stands on, and change the reply accordingly."""
    plan, evidence = desk.current
    base = ground(desk, plan, evidence)
    found = grounded(str(reply["answer"]), marks, base)
    rows = _real(found.rows, desk)
    family = plan.fuse.answer_schema
    reply["caveats"] += found.caveats
    if not found.text or len(rows) < len(found.rows) or not _chosen(reply["value"], rows, desk, base):
        return _instead(reply, desk)
    reply["answer"] = found.text
    if family in FREE and not desk.question.options:
        reply["value"] = bare(found.sure)
    elif family == "quote":
        # What a row was joined with is cited, but nobody asked for its words.
        asked = {(row.stream, row.id) for row in evidence.rows}
        reply["value"] = " ".join(row.said.strip() for row in rows if row.text and (row.stream, row.id) in asked)
    elif isinstance(family, dict) and not _in_rows(reply["value"], found):
        reply["value"] = None
        reply["caveats"].append("the value was not in the cited rows and was left out")
    return rows


def _instead(reply: Draft, desk: Desk) -> list[EvidenceRow]:
    """Let the rows speak where nothing of a generated answer is supported; an open question then has no answer."""
    plan, evidence = desk.current
    evidence = in_own_words(plan, evidence, desk.catalog)
    computed = value(plan, evidence)
    answered = RulesBrain().answer(desk.question, plan, evidence, computed)
    letter = answered.value if desk.question.options else True
    if plan.fuse.answer_schema == "text" or isinstance(plan.fuse.answer_schema, dict) or not letter:
        reply |= {"status": "not_found", "answer": UNSUPPORTED, "value": None}
        return []
    reply["caveats"].append("the generated wording was not supported by its rows and was left out")
    reply |= {"answer": answered.text, "value": answered.value, "answer_kind": answered.kind}
    return _real([evidence.rows[place] for place in answered.cited], desk)


def _chosen(letter: Any, rows: Sequence[EvidenceRow], desk: Desk, base: Ground) -> bool:
    """Say whether rows can carry an option: where they hold words that only one has, it must be this one.

    Where they hold none, the option must at least stand on them as a sentence would.
    """
    options = desk.question.options
    if not options or not isinstance(letter, str) or letter not in options:
        return not options
    own = {key: _only(key, options) for key in options}
    held = _words(_all_of(rows))
    told = {key for key, words in own.items() if any(word in held for word in words)}
    return letter in told if told else base.verdict(options[letter], rows) != "unsupported"


def _only(letter: str, options: dict[str, str]) -> set[str]:
    others = _words(" ".join(text for key, text in options.items() if key != letter))
    return _words(options[letter]) - others


def _words(text: str) -> set[str]:
    """Give a text's words, and its numbers as values, so that "ten" is 10."""
    words = set(re.findall(r"\w+", normalise(text)))
    return words | {figure(number.value) for number in numbers(text)}


def _all_of(rows: Sequence[EvidenceRow]) -> str:
    return " ".join(f"{row.speaker or ''} {row.text or ''} {row.label or ''}" for row in rows)


def _in_rows(found: Any, said: Grounded) -> bool:
    """Say whether the numbers and words of a value that a model filled in are in its rows or computed."""
    if isinstance(found, dict):
        return all(_in_rows(item, said) for item in found.values())
    if isinstance(found, list):
        return all(_in_rows(item, said) for item in found)
    if isinstance(found, bool) or found is None:
        return True
    return _words(str(found)) <= _words(_all_of(said.rows)) | {figure(number) for number in said.computed}


def _quotes(text: str, rows: Sequence[EvidenceRow], caveats: list[str], desk: Desk) -> str:
    """Cut quotes that no row holds; keywords that a template repeats are no quotes of a row."""
    evidence = desk.evidence.rows if desk.evidence is not None else ()
    texts = [row.said for row in (*rows, *evidence) if row.text]
    asked = " ".join([desk.question.text, *_searched(desk)])
    for quote in QUOTE.findall(text):
        if any(quoted_in(quote, held) for held in texts) or _keywords(quote, asked):
            continue
        cut = trimmed(f"“{quote}”", texts)
        text = text.replace(f"“{quote}”", cut or f"“{quote}” (not verified)")
        caveats.append("a quote was cut down to what is there" if cut else "unverified_quote")
    return text


def _searched(desk: Desk) -> list[str]:
    calls = desk.plan.calls if desk.plan is not None else []
    return [word for call in calls for field in ("keywords", "labels") for word in getattr(call.query, field, [])]


def _keywords(quote: str, asked: str) -> bool:
    """Say whether a quote only repeats words of the question or the plan, as templates do ("budget")."""
    return all(quoted_in(part, asked) for part in re.split(r" … |, | or | and ", quote) if part)


def _valid(found: Any, caveats: list[str], desk: Desk) -> Any:
    """Give a value that fits its published schema; one that does not is left out, and said so."""
    plan = desk.plan
    schema = schema_of(plan.fuse.answer_schema) if plan is not None else None
    if found is None or schema is None:
        return found
    if desk.question.options:
        schema = {"enum": list(desk.question.options)}
    wrong = unusable(schema) if plan is not None and isinstance(plan.fuse.answer_schema, dict) else None
    wrong = wrong or complaint(found, schema)
    if wrong is None:
        return found
    caveats.append(f"the value was left out, since it does not fit its schema: {wrong}")
    return None

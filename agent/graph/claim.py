"""What a refusal claims, as a plan whose count is 0: a question of options asks for any of its words, which some rows
may hold, so what is claimed is that no row holds all of them, or those and the option that others support."""

from collections.abc import Sequence

from agent.brains.rules.language import language
from agent.brains.rules.topics import content_words
from agent.graph.settle import elsewhere, without_speaker
from agent.graph.state import Desk
from tools.citations import quoted_in
from tools.plan import Plan
from tools.transcript.query import TranscriptQuery


def claimed(plan: Plan, desk: Desk) -> Plan | None:
    """Give the plan whose count of 0 proves a refusal: itself where it asks for no option, None where there is none."""
    if plan.fuse.answer_schema != "options" or without_speaker(plan) is None:
        return plan
    texts = [row.text or "" for row in elsewhere(plan, desk)]
    forms = [words for option in desk.question.options.values() for words in _forms(option)]
    decided = [words for words in forms if any(all(quoted_in(word, text) for word in words) for text in texts)]
    claims = [_all_of(plan, words) for words in (*decided, [])]
    empty = [claim for claim in claims if not desk.run(claim).total]
    shown = [claim for claim in empty if (other := without_speaker(claim)) is not None and desk.run(other).total]
    return next(iter([*shown, *empty]), None)


def _forms(option: str) -> list[list[str]]:
    """Give an option as it is written, and the words of it that a search can be made of."""
    words = list(content_words(option, language()))
    return [[option], words] if words and words != [option] else [[option]]


def _all_of(plan: Plan, option: Sequence[str]) -> Plan:
    """Ask for rows that hold all the words, and those of an option."""
    anchor = plan.call(plan.fuse.anchor)
    query = anchor.query
    if not isinstance(query, TranscriptQuery):
        return plan
    words = list(dict.fromkeys((*query.keywords, *option)))
    fields = {"keywords": words, "match": "all" if len(words) > 1 else "any", "semantic": None}
    calls = [c.model_copy(update={"query": query.model_copy(update=fields)}) if c is anchor else c for c in plan.calls]
    return plan.model_copy(update={"calls": calls, "fuse": plan.fuse.model_copy(update={"answer_schema": "quote"})})

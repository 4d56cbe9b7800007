"""A question as read: what it names and asks, the form that explains every word of it, and how it lies to others.

Words become tags, rules join tags, what is left gives the slots; a form fits when all it needs is there and no word is
left unexplained. Where none fits, words that mean nothing more are let go, slips of spelling and chatter are mended.
"""

from dataclasses import replace
from itertools import product

from agent.brains.rules.asides import quoting, without_chatter
from agent.brains.rules.clauses import splits
from agent.brains.rules.language import Form, Language, Token
from agent.brains.rules.marks import marks, unexplained
from agent.brains.rules.meaning import Fact, Reading, Scene
from agent.brains.rules.ranges import stretch
from agent.brains.rules.rewriting import Tokens, rewritten
from agent.brains.rules.spelling import spelt
from agent.brains.rules.tokens import LONGEST_QUESTION, MOST_WORDS, UNKNOWN, tokens
from agent.brains.rules.topics import topics, whole

MOST_CLAUSES, DEEPEST, LONGEST_SOUND = 3, 2, 5
_HALVES = ("FIRST", "", 1.0), ("LAST", "", -1.0)
_COMPARED = {"OR", "THAN", "VERSUS", "MORE"}
_KINDS = {
    "NAME": ("person", "pair", "crowd"), "SOUND": ("sound", "sounds", "sounds3"),
    "TOPIC": ("topic", "topics"), "EMO": ("felt",),
}  # fmt: skip


def read(question: str, scene: Scene, language: Language) -> Reading | None:
    """Read a question, or give None when no family fits; what is longer than a question is not tried."""
    if len(question) > LONGEST_QUESTION or len(question.split()) > MOST_WORDS:
        return None
    marked = marks(question, scene, language)
    texts = dict.fromkeys((question, without_chatter(question, scene, language), quoting(question, language)))
    for text, forms in product(texts, (language.forms, language.loose)):
        for written, bold in product(spelt(text, scene, language), (True, False)):
            asked = tokens(written, scene.roster, scene.sounds, language, bold)
            if (found := _understood(asked, forms, scene, language, marked)) is not None:
                return found
    return None


def _understood(
    asked: Tokens, forms: tuple[Form, ...], scene: Scene, language: Language, marked: frozenset[str]
) -> Reading | None:
    """Read a question so that no word of a topic is left out, nor read as anything else."""
    ruled = rewritten(asked, language.rules, language)
    spans = [stretch(token.value[0], token.value[1], scene.duration) for token in ruled if token.tag == "RANGE"]
    if any(token.tag == "HALVES" for token in ruled):
        spans += [stretch("part", (Token(*edge), Token("PART", "", 0.5)), scene.duration) for edge in _HALVES]
    if None in spans:
        return None
    found = _reading(ruled, forms, scene, language, len(spans), marked=marked)
    if (wider := whole(asked, found.topics if found else None, language)) != asked:
        marked -= marks(" ".join(token.text for token in wider if token not in asked), scene, language)
        return _understood(wider, forms, scene, language, marked)
    return found and replace(found, stretches=tuple(s.around(found.form.plan.get("around", 0)) for s in spans if s))


def _reading(
    part: Tokens,
    forms: tuple[Form, ...],
    scene: Scene,
    language: Language,
    spans: int = 0,
    depth: int = 0,
    marked: frozenset[str] = frozenset(),
) -> Reading | None:
    """Read a question or a clause, its own clauses first; the first form that explains it counts."""
    for main, split in splits(part, language, MOST_CLAUSES if depth < DEEPEST else 0):
        clauses = [(word, _reading(rest, language.clauses, scene, language, 0, depth + 1)) for word, rest in split]
        if all(clause is not None for _, clause in clauses):
            compared = spans > 1 and any(token.tag in _COMPARED for token in main)
            fact = _fact(main, scene, language, {"clause"} if split else {"halves"} if compared else set())
            seen = fact.features.union(*(clause.fact.features for _, clause in clauses if clause is not None))
            fact = replace(fact, features=fact.features | unexplained(marked, seen, language))
            form = next((form for form in forms if form.fits(fact.features)), None)
            if form is not None:
                return Reading(form, fact, tuple((word, clause) for word, clause in clauses if clause is not None))
    return None


def _fact(part: Tokens, scene: Scene, language: Language, more: set[str]) -> Fact:
    """Fill the slots of a question or clause: by position, then sounds that are known, then what is left."""
    part = rewritten(_heard(rewritten(part, language.slots, language), scene), language.late, language)
    named = {kind: [token for token in part if token.tag == kind] for kind in _KINDS}
    tags = {token.tag for token in part}
    people, sounds, _, emotions = (tuple(dict.fromkeys(t.value or t.text for t in found)) for found in named.values())
    counts = {kind: len(people) if kind == "NAME" else len(found) for kind, found in named.items()}
    kinds = {kinds[min(counts[kind], len(kinds)) - 1] for kind, kinds in _KINDS.items() if counts[kind]}
    return Fact(
        people=people,
        topics=tuple(one for t in named["TOPIC"] for one in topics(t.value, language, "BOTH" in tags)),
        sounds=sounds,
        emotions=emotions,
        values={token.tag: token.value for token in part if token.value is not None},
        features=frozenset(tags - _KINDS.keys() | kinds | more),
    )


def _heard(part: Tokens, scene: Scene) -> Tokens:
    """Take the longest runs of unknown words that name a sound for sounds."""
    for size in range(LONGEST_SOUND, 0, -1):
        for start in range(len(part) - size + 1):
            run = part[start : start + size]
            able = all(token.tag in (*UNKNOWN, *(["SOUND"] if size > 1 else [])) for token in run)
            if able and scene.is_sound(text := " ".join(token.text for token in run)):
                return _heard((*part[:start], Token("SOUND", text), *part[start + size :]), scene)
    return part

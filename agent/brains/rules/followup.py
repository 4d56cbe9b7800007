"""A question of a conversation that leaves out what was just spoken of, as one that stands alone.

Deterministic, from what the earlier turns were about and a table of wordings a language. What stands alone is left as
it is; where several may be meant the question has a place for them, and who asks is asked.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from agent.brains.rules.language import FOLDER, Language, Token, language
from agent.brains.rules.meaning import Scene
from agent.brains.rules.referents import Earlier, Referents, referents
from agent.brains.rules.rewriting import rewritten
from agent.brains.rules.standing import ended, filled, formed, put, tidy, without
from agent.brains.rules.tokens import LONGEST_QUESTION, apart, tokens

OPEN = "\uf8ff"
MOST_WORDS = 5
_KEPT = 0xE000
_MARKS = re.compile("[\ue000-\uf8ff]")
_NAME = re.compile("[\ue000-\uf8fe]")
_END = re.compile(r"[\s?.!,]+$")
_ENDS = (frozenset({"MOST", "LEAST"}), frozenset({"LONGEST", "SHORTEST"}), frozenset({"MORE", "LESS"}))
_EITHER = frozenset().union(*_ENDS)
_LEANING = {"PRON", "IT", "THEM", "ELSE", "THAT", "AFTERTHAT"}
SHORT = 4
BARE = "_it"  # a moment that is named by nothing but its side
_IDLE = {"FN", "COMMA", "QMARK", "AND", "ABOUT", "OF", "ON", "FOR", "BY", "WITH", "YESNO", "FROM", "THAT", "POSS"}
_NAMED = {"NAME", "SOUND", "WD", "CAP", "QUOTE", "EMO", "RANGE"}


@dataclass(frozen=True, slots=True)
class Followed:
    """The question that stands alone; where it is not known who `word` is, OPEN stands for one of `choices`."""

    text: str
    word: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Thread:
    """What a question is read against: the earlier turns, last first; the wordings of one language."""

    turns: tuple[Referents, ...]
    scene: Scene
    language: Language
    table: Mapping[str, Any]

    @property
    def last(self) -> Referents:
        """The question before this one."""
        return self.turns[0]

    def formed(self, kind: str, slots: Mapping[str, str], turn: Referents) -> str:
        """Give a question of a kind in the stretch that a turn asked about."""
        return formed(self.table["forms"].get(kind, ()), slots, turn.stretches)


def followed(question: str, earlier: Sequence[Earlier], scene: Scene, code: str = "en") -> Followed | None:
    """Give the stand-alone question that a question of a conversation means, None when it stands alone already."""
    spoken = language(code)
    turns = tuple(referents(one, scene, spoken) for one in reversed(earlier))
    if not turns or code not in _tables() or len(question) > LONGEST_QUESTION:
        return None
    thread = _Thread(turns, scene, spoken, _tables()[code])
    masked, kept = _masked(question, thread)
    led = re.match(thread.table["lead"], masked, re.IGNORECASE)
    rest = re.sub(thread.table["tail"], "", masked[led.end() if led else 0 :], flags=re.IGNORECASE)
    found = _other(rest, kept, thread) or _shifted(rest, kept, thread) or _swapped(rest, kept, led is not None, thread)
    found = found or _resolved(masked[led.end() if led else 0 :], rest, kept, thread)
    return None if found is None or found.text == question else replace(found, text=tidy(found.text))


def leans(question: str, scene: Scene, spoken: Language) -> bool:
    """Say whether a question may lean on those before it: by a pronoun, by how it begins, by how short it is."""
    asked = tokens(question, scene.roster, scene.sounds, spoken)
    tags = {token.tag for token in asked}
    return bool(tags & _LEANING) or len(asked) <= SHORT or bool(re.match(_tables()["en"]["lead"], question, re.I))


def _masked(question: str, thread: _Thread) -> tuple[str, tuple[str, ...]]:
    """Put names and quotes aside as one character each, so that no wording can cut into them."""
    kept: list[str] = []
    text = ""
    for part in apart(question, thread.scene.roster, thread.language, True):
        text += _MARKS.sub("", part) if isinstance(part, str) else chr(_KEPT + len(kept))
        kept += [] if isinstance(part, str) else [part.text if part.tag == "NAME" else f"“{part.text}”"]
    return text.strip(), tuple(kept)


def _unmasked(text: str, kept: Sequence[str]) -> str:
    return _NAME.sub(lambda mark: kept[ord(mark[0]) - _KEPT], text)


def _other(rest: str, kept: Sequence[str], thread: _Thread) -> Followed | None:
    """Read "no, the other Ben": who else of the roster is called so."""
    said = re.fullmatch(thread.table["other"], rest, re.IGNORECASE)
    before = thread.last.people[:1]
    if said is None or not before:
        return None
    words = set(_unmasked(said["rest"], kept).casefold().split())
    called = [one for one in thread.scene.roster if words <= set(one.casefold().split()) and one not in before]
    open_text = put(thread.last.text, before[0], OPEN)
    return _chosen(open_text, said[0], tuple(dict.fromkeys(called))) if called else None


def _shifted(rest: str, kept: Sequence[str], thread: _Thread) -> Followed | None:
    """Read a question that says only what else is asked: "when?", "who else?", "the second one", "overall"."""
    table, last = thread.table, thread.last
    if said := re.fullmatch(table["nth"], rest, re.IGNORECASE):
        base = last.text if last.kind in ("when", "more") else thread.formed("when", last.slots, last)
        time = table["nth_form"].replace("{N}", said["rest"].casefold())
        return Followed(ended(re.sub(table["nth_gone"], "", base), time)) if base else None
    if re.fullmatch(table["whole"], rest, re.IGNORECASE) and last.stretches:
        return Followed(without(last.text, last.stretches))
    if re.fullmatch(table["again"], rest, re.IGNORECASE):
        return Followed(last.text)
    for kind, wording in table["said"].items():
        said = re.fullmatch(rf"(?:{wording})(?:[\s,]+(?:{table['joining']})?(?P<more>.+))?", rest, re.IGNORECASE)
        text = _turned(kind, thread) if said else ""
        if said and text and said["more"] is None:
            return Followed(text)
        shifted = replace(thread, turns=(replace(last, text=text or last.text, kind=kind), *thread.turns[1:]))
        if said and said["more"] and (more := _changed(said["more"], kept, False, shifted)):
            return more
    return _opposite(rest, thread)


def _turned(kind: str, thread: _Thread) -> str:
    """Ask something else of what was asked about: on the other side of the same moment, or a form of another kind."""
    other, word = thread.table["turned"].get(kind, ("", ""))
    if other and (found := re.sub(rf"\b{other}\b", word, thread.last.text, count=1)) != thread.last.text:
        return found
    formed = (thread.formed(kind.removesuffix(BARE), turn.slots, turn) for turn in thread.turns)
    return next(filter(None, formed), "")


def _opposite(rest: str, thread: _Thread) -> Followed | None:
    """Read "and the least?": the other end of what was asked for."""
    asked, before = (
        tokens(text, thread.scene.roster, thread.scene.sounds, thread.language) for text in (rest, thread.last.text)
    )
    same = {token.tag for token in before}
    said = [token for token in asked if token.tag not in _IDLE and (token.tag not in same or token.tag in _EITHER)]
    ends = next((ends for ends in _ENDS if len(said) == 1 and said[0].tag in ends), frozenset())
    old = next((token.text for token in before if token.tag in ends), None)
    return None if old is None else Followed(put(thread.last.text, old, said[0].text))


def _swapped(rest: str, kept: Sequence[str], led: bool, thread: _Thread) -> Followed | None:
    """Read a question that says only what changes: "and Ben?", "what about the budget?", "in the first half?"."""
    said = filter(None, (re.fullmatch(form, rest, re.IGNORECASE) for form in thread.table["swap"]))
    changed = (_changed(found["rest"], kept, True, thread) for found in said)
    return next(filter(None, changed), None) or _changed(rest, kept, led, thread)


def _changed(said: str, kept: Sequence[str], led: bool, thread: _Thread) -> Followed | None:
    """Ask what was asked before of somebody or something else; unless `led`, only of what is known."""
    text = _unmasked(said, kept)
    asked = tokens(text, thread.scene.roster, thread.scene.sounds, thread.language, bold=True)
    ruled = [t for t in rewritten(asked, thread.language.rules, thread.language) if t.tag not in _IDLE]
    plainly = all(token.tag in ("NAME", "RANGE", "SOUND") for token in ruled)
    if not ruled or len(ruled) > MOST_WORDS or not {t.tag for t in ruled} <= _NAMED or not (led or plainly):
        return None
    found = thread.last.text
    for token in ruled:
        if token.tag == "RANGE":
            found = ended(without(found, thread.last.stretches), token.text[0].casefold() + token.text[1:])
    people = [t.text for t in ruled if t.tag == "NAME"] or _partly(ruled, text, thread)
    things = [t for t in ruled if t.tag not in ("RANGE", "NAME")]
    together = f" {thread.table['together']} "
    if people:
        found = _for(found, "S", together.join(people), thread)
    elif things:
        found = _for(found, _place(things[0], thread.last), _listed(asked, things, together), thread)
    return None if found == thread.last.text else Followed(found)


def _place(thing: Token, last: Referents) -> str:
    """Say what a thing stands for: a sound or a feeling where one was asked about, else a topic."""
    heard = thing.tag == "SOUND" and (last.sounds or not last.topics)
    return "E" if heard else "F" if thing.tag == "EMO" and last.feelings else "X"


def _listed(asked: Sequence[Token], things: Sequence[Token], together: str) -> str:
    """Give things as they were written, with an "and" where one stood between them."""
    texts = [f"“{token.text}”" if token.tag == "QUOTE" else token.text for token in things]
    parted = any(token.tag == "AND" for token in asked[1:])
    return (together if parted else " ").join(texts)


def _partly(ruled: Sequence[Token], text: str, thread: _Thread) -> list[str]:
    """Give a person named by a part of a name, or by one that nobody of the roster bears, where a person was meant."""
    words = [token.text for token in ruled if token.tag in ("CAP", "WD")]
    known = {part.casefold() for one in thread.scene.roster for part in one.split()}
    bare = text.strip().split()[0] == words[0] if words else False
    strange = bare and all(word[:1].isupper() for word in words) and bool(thread.last.people)
    return [" ".join(words)] if words and (strange or all(word.casefold() in known for word in words)) else []


def _for(text: str, place: str, new: str, thread: _Thread) -> str:
    """Put what is new in the place of what was named, or ask what was asked of it anew."""
    last, old = thread.last, thread.last.slots.get(place)
    if old is not None:
        bare = re.sub(rf"^(?:{thread.table['articles']})\b\s*", "", old, flags=re.IGNORECASE)
        if (changed := put(text, bare, new)) != text:
            return changed
    kind = "person" if place == "S" and last.kind in ("who", "compare") else last.kind
    article = thread.table["article"] if place != "S" and not new.startswith(("“", '"')) else ""
    gone = {"E"} if place == "X" else {"X"} if place == "E" else set()
    slots = {key: value for key, value in last.slots.items() if key not in gone} | {place: article + new}
    return thread.formed(kind, slots, last) or text


def _resolved(whole: str, rest: str, kept: Sequence[str], thread: _Thread) -> Followed | None:
    """Put what was spoken of in the place of the pronouns of a whole question."""
    inside, slots = thread.table["inside"], thread.last.slots
    if said := re.fullmatch(inside["answer"], rest, re.IGNORECASE):
        return _answering(_unmasked(said["who"], kept), thread)
    text, bare = whole, _END.sub("", whole)
    anchor = next((form for form in (filled(a, slots) for a in inside["anchors"]) if form), None)
    for found, *leads in inside["moments"]:
        if anchor and re.search(found, bare, re.IGNORECASE):
            moment = leads[anchor == slots.get("E")] + anchor
            text = moment.join(re.split(found, bare, maxsplit=1, flags=re.IGNORECASE)) + "?"
    meant = _persons(_things(text, thread), kept, thread)
    return None if meant.text == _unmasked(whole, kept) else meant


def _things(text: str, thread: _Thread) -> str:
    """Put topics and sounds in the place of "it"."""
    inside = thread.table["inside"]
    for wordings, order in ((inside["said"], "XE"), (inside["heard"], "EX")):
        thing = next((turn.slots[p] for turn in thread.turns for p in order if p in turn.slots), None)
        for wording in wordings:
            bare = _END.sub("", text)
            said = re.search(wording, bare, re.IGNORECASE)
            if thing and said and not _names_thing(bare[: said.start("it")], thread):
                text = f"{text[: said.start('it')]}{thing}{text[said.end('it') :]}"
    return text


def _names_thing(text: str, thread: _Thread) -> bool:
    """Say whether the words before a pronoun name what it may stand for."""
    asked = tokens(text, thread.scene.roster, thread.scene.sounds, thread.language)
    return any(token.tag in ("WD", "SOUND", "QUOTE") and not _NAME.search(token.text) for token in asked)


def _persons(text: str, kept: Sequence[str], thread: _Thread) -> Followed:
    """Put a person in the place of the pronouns that stand before any name; a place where several are possible."""
    inside, named = thread.table["inside"], set(kept)
    meant = next((turn.persons for turn in thread.turns if turn.persons), ())
    word = ""
    for kind in ("subject", "owner", "object", "plural"):
        free = tuple(one for one in meant if one not in named)
        first = _NAME.search(text)
        said = re.search(inside[kind], text, re.IGNORECASE)
        inner = said is not None and first is not None and first.start() < said.start() and kind != "object"
        if said is None or inner or not free or (kind == "plural" and len(free) > 1):
            continue
        whose = inside["owners"].replace("{}", OPEN) if kind == "owner" else OPEN
        text, word = re.sub(inside[kind], whose, text, flags=re.IGNORECASE), word or said[0]
    if inside["inverted"] and not kept and (said := re.search(inside["inverted"][0], text, re.IGNORECASE)) and meant:
        text, word = re.sub(inside["inverted"][0], f"{OPEN} ", text, flags=re.IGNORECASE), word or said[0]
    text = _unmasked(text, kept)
    return _chosen(text, word, tuple(one for one in meant if one not in named))


def _answering(word: str, thread: _Thread) -> Followed | None:
    """Read "what did she answer?": what another person said right after the one just asked about."""
    last, roster = thread.last, thread.scene.roster
    if word in roster:
        others: tuple[str, ...] = (word,)
    else:
        others = next((p for turn in thread.turns[1:] if (p := _not(turn.persons, last.people))), ())
        others = others or tuple(_not(dict.fromkeys(roster), last.people))
    form = thread.formed("answer", last.slots | {"S2": OPEN}, last)
    return _chosen(form, word, others) if form and last.people and others else None


def _not(people: Any, those: Sequence[str]) -> tuple[str, ...]:
    return tuple(one for one in people if one not in those)


def _chosen(text: str, word: str, people: tuple[str, ...]) -> Followed:
    """Name the one who is meant, or leave the place open where several may be."""
    if OPEN not in text or len(people) > 1:
        return Followed(text, word, people) if OPEN in text else Followed(text)
    return Followed(text.replace(OPEN, people[0]))


@lru_cache(maxsize=1)
def _tables() -> Mapping[str, Any]:
    return tomllib.loads((FOLDER / "followups.toml").read_text(encoding="utf-8"))

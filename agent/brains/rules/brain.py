"""The brain that needs no network: exact for structured questions, and open about what it does not understand.

What no family of the table fits goes to hybrid search, whose quotes are shown without a value; it never guesses.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from agent.brains.protocol import Answered, Feedback, Judged, Planned, Question
from agent.brains.rules.asides import outside
from agent.brains.rules.attributed import attributed
from agent.brains.rules.calls import call
from agent.brains.rules.choice import Supported, best_option, matching, relevant
from agent.brains.rules.following.followup import Followed, followed, leans
from agent.brains.rules.following.referents import Earlier
from agent.brains.rules.language import Language, Token, language
from agent.brains.rules.meaning import Reading, Scene
from agent.brains.rules.numbered import unnumbered
from agent.brains.rules.plans import tool_calls
from agent.brains.rules.reading import read
from agent.brains.rules.searching import keywords, searched, stem
from agent.brains.rules.taking import taken
from agent.brains.rules.tokens import UNKNOWN, tokens
from agent.brains.rules.wording import opted, worded
from store.catalog import Catalog
from tools.events.labels import resolve
from tools.events.regions import is_region
from tools.evidence import Evidence
from tools.plan import Plan
from tools.transcript.query import TranscriptQuery

CANDIDATES = 60
STRANGE = 1  # so many unknown words, and another language may know them
COMPUTED = ("count", "who", "when", "order", "emotion", "duration", "which_events", "yes_no")


class RulesBrain:
    """Plan by a table of wordings, judge by rows, word by templates."""

    name = "rules"

    def __init__(self, codes: Sequence[str] = ("en", "fr")) -> None:
        self._codes = codes
        self._language: Language = language(codes[0])

    @property
    def _languages(self) -> Iterator[Language]:
        return (language(code) for code in self._codes)

    def plan(self, question: Question, catalog: Catalog, feedback: Feedback | None) -> Planned:
        """Turn a question into a plan; what a first plan could not say, this brain cannot say otherwise."""
        scene = _scene(catalog)
        reading, spoken = self._read(question.text, scene)
        # Whose words decide between options may stand beside the question: no known one says "According to Ben, ...".
        able = reading is None and not (question.options and "speaker" in stem(question.text, scene, self._language))
        guess = taken(question.text, scene, spoken) if able else None
        reading = guess.reading if guess else reading
        if reading is None and not question.options and outside(question.text, spoken):
            return Planned([], out_of_scope=True)
        calls = tool_calls(reading, spoken) if reading is not None else None
        if question.options and (reading is None or reading.form.plan["answer"] not in COMPUTED):
            return self._chosen(question, scene, calls)
        if calls is not None:
            return Planned(calls, read_as=guess.wording if guess else None)
        found = searched(question.text, scene, self._language)
        return replace(found, aside=bool(found.tool_calls) and guess is not None and guess.reading is None)

    def follow(self, question: str, earlier: Sequence[Earlier], catalog: Catalog) -> Followed | None:
        """Give the stand-alone question that a question of a conversation means, None when it stands alone."""
        if not earlier:
            return None
        scene = _scene(catalog)
        spoken = self._read(earlier[-1].text, scene)[1].code
        codes = sorted(self._codes, key=lambda code: code != spoken)
        return next(filter(None, (followed(question, earlier, scene, code) for code in codes)), None)

    def leans(self, question: str, catalog: Catalog) -> bool:
        """Say whether a question may lean on others: by a pronoun, by how it begins, by being short."""
        return leans(question, _scene(catalog), self._language)

    def _read(self, text: str, scene: Scene) -> tuple[Reading | None, Language]:
        """Read a question in the first language that understands it."""
        text = unnumbered(text)
        able = list(self._languages) if _unknown(text, scene, self._language) > STRANGE else [self._language]
        strange = {one: _unknown(text, scene, one) for one in able}
        able = [one for one in sorted(able, key=strange.__getitem__) if strange[one] <= min(strange.values()) + STRANGE]
        readings = ((attributed(text, scene, one) or read(text, scene, one), one) for one in able)
        return next(((reading, one) for reading, one in readings if reading), (None, able[0]))

    def judge(self, question: Question, plan: Plan, evidence: Evidence) -> Judged:
        """Call evidence enough when it has rows, and one option is supported where options are given."""
        if evidence.total == 0:
            return Judged("widen", "no row fits all constraints")
        if plan.fuse.answer_schema == "options" and self._choice(question, plan, evidence) is None:
            return Judged("widen", "no option is supported by the rows found")
        if loose(plan) and not self._relevant(plan, evidence):
            return Judged("widen", "no row holds most of the words")
        return Judged("enough", f"{evidence.total} rows")

    def answer(self, question: Question, plan: Plan, evidence: Evidence, value: Any) -> Answered:
        """Word what SQL computed, in one or two sentences with names and clock times."""
        if plan.fuse.answer_schema == "options":
            return opted(question.options, evidence.rows, self._choice(question, plan, evidence))
        if loose(plan):
            return self._most_relevant(plan, evidence)
        answered = worded(plan, evidence, value, self._language)
        if question.options:
            letter = matching(question.options, answered.value, self._language.numbers)
            text = answered.text if letter is None else f"({letter}) {question.options[letter]}. {answered.text}"
            return Answered(text, letter, answered.cited, "computed", caveats=() if letter else ("no_option_fits",))
        return answered

    def _relevant(self, plan: Plan, evidence: Evidence) -> tuple[int, ...]:
        query = plan.call(plan.fuse.anchor).query
        words = query.keywords if isinstance(query, TranscriptQuery) else []
        return relevant(words, evidence.rows, self._language)

    def _most_relevant(self, plan: Plan, evidence: Evidence) -> Answered:
        """Word only the rows that hold most of the words."""
        kept = self._relevant(plan, evidence)
        rows = tuple(evidence.rows[place] for place in kept)
        answered = worded(plan, replace(evidence, rows=rows, total=len(rows)), None, self._language)
        return replace(answered, cited=tuple(kept[place] for place in answered.cited))

    def _choice(self, question: Question, plan: Plan, evidence: Evidence) -> Supported | None:
        query = plan.call(plan.fuse.anchor).query
        words = query.keywords if isinstance(query, TranscriptQuery) else []
        own = isinstance(query, TranscriptQuery) and query.speaker is not None
        return best_option(question.options, words, evidence.rows, self._language, own=own)

    def _chosen(self, question: Question, scene: Scene, calls: list[dict[str, Any]] | None) -> Planned:
        """Look for the rows that options can be held against: the question's own words, by the speaker it names."""
        if calls is not None and calls[0]["name"] == "transcript" and calls[0]["args"].get("keywords"):
            args = {key: value for key, value in calls[0]["args"].items() if key != "match"}
        else:
            args = stem(question.text, scene, self._language)
            args["keywords"] = args["keywords"] or keywords(" ".join(question.options.values()), self._language)
            if not args["keywords"]:
                return Planned([], out_of_scope=True)
        fuse = {"anchor": "transcript_1", "order": "rank", "limit": CANDIDATES, "answer_schema": "options"}
        return Planned([call("transcript", "transcript_1", args), call("fuse", "fuse_1", fuse)])


def loose(plan: Plan) -> bool:
    """Say whether a plan looks for any of many words of a topic, so that rows must be weighed."""
    query = plan.call(plan.fuse.anchor).query
    many = isinstance(query, TranscriptQuery) and query.match == "any" and len(query.keywords) > 2
    return many and plan.fuse.order == "rank" and plan.fuse.limit == CANDIDATES and plan.fuse.answer_schema != "options"


def _unknown(text: str, scene: Scene, language: Language) -> int:
    """Count the words of a question that a language does not know."""
    return sum(token.tag in UNKNOWN for token in tokens(text, scene.roster, scene.sounds, language))


def _scene(catalog: Catalog) -> Scene:
    """Give the names, the sounds of the vocabulary and of these recordings, and the length where there is one."""
    voices = [voice for entry in catalog.recordings for voice in entry.voices]
    roster = dict.fromkeys(name for voice in voices for name in (voice.display, voice.label, *voice.aliases))
    listed = [label for state in catalog.of("events").values() for label in state.labels or ()]
    own = dict.fromkeys(label.casefold() for entry in catalog.recordings for label in (*entry.events, *listed))
    sounds = {tuple(label.split()): Token("SOUND", label) for label in own if not is_region(label)}
    only = catalog.recordings[0].recording if len(catalog.recordings) == 1 else None
    return Scene(
        tuple(roster), sounds, lambda phrase: bool(resolve(phrase)), None if only is None else only.duration_ms / 1000
    )

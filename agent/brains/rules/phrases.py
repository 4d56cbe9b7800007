"""The parts of sentences: who, what was looked for and where, what they did, that nobody did.

Words that were looked for stand in quotation marks, whatever their number; emotions are adjectives.
"""

from collections.abc import Sequence

from store.clock import clock
from tools.emotion.labels import resolve
from tools.emotion.query import EmotionQuery
from tools.events.query import EventsQuery
from tools.plan import Join, Plan
from tools.speaker.query import SpeakerQuery
from tools.stream import StreamQuery
from tools.transcript.query import TranscriptQuery

ADJECTIVES = {
    "anger": "angry",
    "happiness": "happy",
    "sadness": "sad",
    "fear": "afraid",
    "disgust": "disgusted",
    "boredom": "bored",
    "surprise": "surprised",
    "contempt": "contemptuous",
    "neutral": "neutral",
    "other": "some other way",
}
RELATIONS = {
    "overlaps": "during",
    "within": "during",
    "contains": "around",
    "right_after": "right after",
    "nearest": "close to",
    "nearest_midpoint": "close to",
}
TOGETHER = ("overlaps", "within", "contains")


def listed(items: Sequence[str], last: str = "and", most: int = 8) -> str:
    """Write a list as a sentence has it; what is beyond `most` is counted."""
    shown = list(items[:most]) + ([f"{len(items) - most} more"] if len(items) > most else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}" if shown else ""


def adjective(emotion: str) -> str:
    """Write an emotion, or a word that stands for one, as how somebody sounds."""
    return ADJECTIVES.get(resolve(emotion) or emotion, emotion)


def verb(people: int, word: str) -> str:
    """Put a verb in the number of those who do it."""
    return {"is": "are", "was": "were", "does": "do"}.get(word, word.removesuffix("s")) if people != 1 else word


def subject(query: StreamQuery) -> str:
    """Write what a call looks for: a topic, sounds, emotions; empty where it is limited to none."""
    match query:
        case TranscriptQuery(keywords=[_, *_]):
            if query.match == "phrase":
                return f"“{' '.join(query.keywords)}”"
            return listed([f"“{word}”" for word in query.keywords], "and" if query.match == "all" else "or")
        case EventsQuery(labels=[_, *_]):
            return listed([f"“{label}”" for label in query.labels], "or")
        case EmotionQuery(labels=[_, *_]):
            return listed(list(dict.fromkeys(adjective(label) for label in query.labels)), "or")
    return ""


def people(query: StreamQuery) -> list[str]:
    """Give the people a call is limited to."""
    if isinstance(query, SpeakerQuery):
        return query.names
    name = query.speaker if isinstance(query, TranscriptQuery | EmotionQuery) else None
    return [name] if name else []


def speaker(query: StreamQuery) -> str | None:
    """Write the people a call is limited to."""
    return listed(people(query)) or None


def did(query: StreamQuery, names: Sequence[str] = ()) -> str:
    """Word what was found as the beginning of a sentence: somebody mentions, sounds or speaks, something was heard.

    `names` are who did it, where the call is limited to nobody.
    """
    doers = people(query) or list(names)
    who, what, which = listed(doers), subject(query), _which(query)
    when = which and f"{which} time"
    match query:
        case TranscriptQuery(keywords=[_, *_]):
            number = len(query.keywords) if query.match == "all" else 1
            done = f"{who} {verb(len(doers), 'mentions')} {what}" if who else f"{what} {verb(number, 'is')} mentioned"
            return f"{done}{when}"
        case EmotionQuery():
            return f"{who or 'Somebody'} {verb(len(doers) or 1, 'sounds')} {what or 'some way'}{when}"
        case EventsQuery():
            return f"{what or 'A sound'} was heard{when}"
    return f"{who or 'Somebody'} {verb(len(doers) or 1, 'speaks')}{at_least(query)}{when}"


def small(text: str) -> str:
    """Write a sentence's beginning as it is within one; names keep their capitals."""
    return text[:1].lower() + text[1:] if text.startswith(("Nobody", "Somebody", "People", "No ", "A ")) else text


def at_least(query: StreamQuery) -> str:
    """Write how long somebody must speak in all to be meant, with a leading blank."""
    talk = query.min_talk if isinstance(query, SpeakerQuery) else None
    return "" if talk is None else f" for {talk:g} s or more"


def nothing(plan: Plan) -> str:
    """Say that what a plan looks for was not found, never more than was looked at; without the full stop."""
    return missing(plan.call(plan.fuse.anchor).query, scope(plan))


def missing(query: StreamQuery, where: str) -> str:
    """Say that what one call looks for was not found there; `where` has a leading blank."""
    who, what = speaker(query), subject(query)
    number = len(people(query)) or 1
    again = "" if query.nth is None or abs(query.nth) == 1 else f" {_another(abs(query.nth))} time"
    match query:
        case TranscriptQuery() if what or query.semantic:
            number = len(query.keywords) if query.match == "all" else 1
            said = f" of what {who} says" if who else ""
            place = "together in" if number > 1 else "in"
            what = what or f"“{query.semantic}”"
            return f"{what} {verb(number, 'is')} not{again} {place} the transcript{said}{where}"
        case EmotionQuery() if what:
            return f"{f'{who} was not' if who else 'Nobody was'} heard to sound {what}{again}{where}"
        case EmotionQuery():
            return f"No emotion{f' of {who}' if who else ''} was heard{again}{where}"
        case EventsQuery() if what:
            return f"{what} was not {'' if again else 'among the sounds '}heard{again}{where}"
        case EventsQuery():
            return f"No sound event was heard{again}{where}"
    spoken = f"{at_least(query)}{again}{where}"
    return f"{who} {verb(number, 'was')} not heard to speak{spoken}" if who else f"Nobody speaks{spoken}"


def scope(plan: Plan, joins: Sequence[Join] | None = None) -> str:
    """Write the stretch and the relations that limit the answer, with a leading blank; or only some relations."""
    query = plan.call(plan.fuse.anchor).query
    own = span(query) if joins is None else ""
    related = plan.fuse.joins if joins is None else joins
    return own + "".join(f" {_joined(join, plan.call(join.stream).query, people(query))}" for join in related)


def span(query: StreamQuery) -> str:
    """Write the stretch that a call is limited to, with a leading blank; one may be counted from the end."""
    start, end = query.start, query.end
    if start is not None and start < 0 and end is None:
        return f" in the last {clock(round(-start * 1000))}"
    first, last = (None if at is None else _edge(at) for at in (start, end))
    if first and last:
        return f" between {first} and {last}"
    return f" after {first}" if first else f" before {last}" if last else ""


def _which(query: StreamQuery) -> str:
    """Write which row is meant of several, with a leading blank: the 1st, the last, the 2nd last."""
    if query.nth is None or query.nth > 0:
        return "" if query.nth is None else f" the {_ordinal(query.nth)}"
    return f" the {'' if query.nth == -1 else f'{_ordinal(-query.nth)} '}last"


def _another(place: int) -> str:
    return f"{'an' if place in (11, 18) or str(place)[0] == '8' else 'a'} {_ordinal(place)}"


def _ordinal(place: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th") if place % 100 not in (11, 12, 13) else "th"
    return f"{place}{ending}"


def _edge(at: float) -> str:
    return f"{clock(round(-at * 1000))} from the end" if at < 0 else clock(round(at * 1000))


def _joined(join: Join, partner: StreamQuery, own: list[str]) -> str:
    """Write a relation to a partner: during the “siren”, while talking about “money”, right after Ben speaks."""
    absent = "not " if join.kind == "without" else ""
    if isinstance(partner, SpeakerQuery) and partner.names and join.relation == "overlaps" and join.voice == "same":
        return f"by {listed(partner.names, 'or')}"
    if join.relation == "anywhere":
        what = subject(partner) if isinstance(partner, TranscriptQuery) and people(partner) == own else did(partner)
        return f"and, {absent}elsewhere, {what}"
    if isinstance(partner, EventsQuery):
        which = _which(partner).strip()
        what = f"{which or 'the'} {subject(partner) or 'sound'}" if partner.labels or which else "a sound"
        return f"{absent}{RELATIONS.get(join.relation, join.relation)} {what}"
    clause = did(partner)
    if join.relation not in TOGETHER:
        word = RELATIONS.get(join.relation, join.relation)
        return f"{absent}{word}{' where' if word == 'close to' else ''} {clause}"
    if isinstance(partner, TranscriptQuery) and partner.keywords and people(partner) == own != []:
        return f"{absent}while talking about {subject(partner)}"
    return f"{absent}while {clause[:1].lower() + clause[1:] if clause.startswith('Somebody') else clause}"

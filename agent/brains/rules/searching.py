"""What no form explains is searched for: by its own words, the speaker and the stretch it names, without a value."""

import re
from functools import reduce
from typing import Any

from agent.brains.protocol import Planned
from agent.brains.rules.calls import call
from agent.brains.rules.language import Language, Token
from agent.brains.rules.meaning import Scene
from agent.brains.rules.ranges import Stretch, stretch
from agent.brains.rules.rewriting import rewritten
from agent.brains.rules.tokens import LONGEST_QUESTION, MOST_WORDS, tokens
from agent.brains.rules.topics import content_words

QUOTES_SHOWN, MOST_KEYWORDS = 8, 24


def searched(text: str, scene: Scene, language: Language) -> Planned:
    """Search for a question's words, by the one person of the roster whom it names."""
    rest, stretch = plain(text, scene, language)
    people = list(dict.fromkeys(token.text for token in rest if token.tag == "NAME"))
    bare = {*language.table["bare"].split(), *language.table["no_sound"]}
    words = content_words(" ".join(token.text for token in rest if token.tag not in ("NAME", "QUOTE")), language)
    words = words if any(word.casefold() not in bare for word in words) else ()
    quotes = [token.text for token in rest if token.tag == "QUOTE"]
    keywords = list(dict.fromkeys([*quotes, *words]))[:MOST_KEYWORDS] or people
    if not keywords and not re.search(r"\w", text):
        return Planned([], out_of_scope=True)
    if not keywords:
        return Planned([], understood=False, note="it names nothing to search for; each question stands alone")
    fuse = {"anchor": "transcript_1", "order": "rank", "limit": QUOTES_SHOWN, "answer_schema": "quote"}
    calls = [call("transcript", "transcript_1", {"keywords": keywords} | stretch.args()), call("fuse", "fuse_1", fuse)]
    return Planned(calls, understood=False, note="no family of questions fits; searched for its words")


def stem(text: str, scene: Scene, language: Language) -> dict[str, Any]:
    """Give the words of a question of choice, with the speaker and the stretch it is limited to."""
    speaker = None
    for pattern in language.table["options"]["speaker"]:
        match = re.search(pattern, text, re.IGNORECASE)
        if match:
            known = [token.text for token in plain(match["S"], scene, language)[0] if token.tag == "NAME"]
            speaker = known[0] if known else match["S"].strip(" ,.")
            text = f"{text[: match.start()]} {text[match.end() :]}" if match.start() == 0 else text
            break
    rest, stretch = plain(text, scene, language)
    words = keywords(" ".join(token.text for token in rest), language)
    others = [word for word in words if speaker is None or word.casefold() not in speaker.casefold().split()]
    limits = {"speaker": speaker} if speaker and speaker.casefold() not in language.table["anyone"] else {}
    return {"keywords": others or words} | limits | stretch.args()


def keywords(text: str, language: Language) -> list[str]:
    """Give words to search for in a text that may be made of words that carry no meaning."""
    return list(content_words(text, language) or re.findall(r"\w+", text))[:MOST_KEYWORDS]


def plain(text: str, scene: Scene, language: Language) -> tuple[tuple[Token, ...], Stretch]:
    """Give what is left of a text without politeness and times, as tokens, and the stretch that it names."""
    asked = tokens(text, scene.roster, scene.sounds, language)
    short = len(text) <= LONGEST_QUESTION and len(asked) <= MOST_WORDS
    ruled = rewritten(asked, language.rules, language) if short else asked
    spans = (stretch(token.value[0], token.value[1], scene.duration) for token in ruled if token.tag == "RANGE")
    return tuple(t for t in ruled if t.tag != "RANGE"), reduce(Stretch.within, filter(None, spans), Stretch())

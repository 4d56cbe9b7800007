"""An extractive summary: central sentences, in time order, each a row that can be played; no word is made up.

A row's weight is that of its words (how many rows hold them, dampened by length); each pick lowers the weight of its
words, and a voice that has not spoken yet is preferred, so that the summary covers topics and people.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence

from agent.brains.rules.language import Language
from tools.evidence import EvidenceRow

SHORTEST_WORDS = 4
NEW_VOICE = 1.15


def central(rows: Sequence[EvidenceRow], language: Language, most: int = 5) -> tuple[int, ...]:
    """Give the indices of the rows that say most about the whole, in time order."""
    words = [_words(row.text or "", language) for row in rows]
    frequency = Counter(word for held in words for word in set(held))
    weight = {word: math.log1p(count) for word, count in frequency.items() if count > 1 or len(rows) < 8}
    able = [i for i, held in enumerate(words) if len(held) >= SHORTEST_WORDS] or list(range(len(rows)))
    chosen: list[int] = []
    while able and len(chosen) < min(most, max(1, len(rows) // 2)):
        heard = {rows[i].speaker for i in chosen}
        best = max(able, key=lambda i: (_score(words[i], weight) * (1 if rows[i].speaker in heard else NEW_VOICE), -i))
        chosen.append(best)
        able.remove(best)
        weight = {word: value * (0.3 if word in words[best] else 1) for word, value in weight.items()}
    return tuple(sorted(chosen, key=lambda i: (rows[i].recording, rows[i].t0, i)))


def _score(words: Sequence[str], weight: dict[str, float]) -> float:
    return sum(weight.get(word, 0.0) for word in set(words)) / math.sqrt(len(words) + 8)


def _words(text: str, language: Language) -> list[str]:
    return [word for word in re.findall(r"[\w'%]+", text.casefold()) if word not in language.stop]

"""How much of nine hours a model reads to word one answer: the rows of its request beside the whole transcript.

The questions are those that a model words (what was said, summaries); whatever is computed needs no rows at all. Rows
are those that the product would send, told by an endpoint that only counts; tokens are the product's own estimate.
"""

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agent.ask import ask
from agent.brains.citing import sizes
from agent.brains.fence import tokens
from agent.brains.openai import OpenAIBrain
from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from agent.evals.models.estimate import Tally
from agent.evals.worlds.streams import publish
from agent.library import Library
from tests.benchmarks.asking import questions
from tests.benchmarks.library import scope
from tests.benchmarks.ratio import Ratio
from tests.benchmarks.setting import Setting
from tests.benchmarks.talk import talk
from tools.endpoint import Message
from tools.endpoints.completion import Completion
from tools.evidence import EvidenceRow

FLOOR = 1.0
_ROWS = re.compile(r"<rows>\n(.*?)\n?</rows>", re.DOTALL)


class Counting(Tally):
    """An endpoint that is none: it counts the tokens of the rows that it is sent."""

    rows = 0

    def complete(self, messages: Sequence[Message], **more: Any) -> Completion:
        """Count the rows of a request for words."""
        for found in _ROWS.findall("\n".join(str(message.get("content")) for message in messages)):
            self.rows += tokens(found)
        return super().complete(messages, **more)


def ratios(setting: Setting) -> Iterator[Ratio]:
    """Give the median of the worded questions; the largest is in the note."""
    world = talk(540)
    library = Library(setting.folder / "context")
    recording = publish(library.database, world).public_id
    catalog = scope(library.database, recording)
    read: dict[str, int] = {}
    for question in questions(world):
        planned: Sequence[Mapping[str, Any]] = RulesBrain().plan(Question(question), catalog, None).tool_calls
        counting = Counting(planned)
        ask(library, question, recording=recording, brain=OpenAIBrain(counting, RulesBrain()))
        if counting.rows:
            read[question] = counting.rows
    said = [
        EvidenceRow("transcript", n, recording, s.t0, s.t1, s.speaker, s.text) for n, s in enumerate(world.segments)
    ]
    whole = sum(sizes(said))
    most = max(read, key=lambda question: read[question])
    note = f"{len(read)} questions, median {statistics.median(read.values()):,.0f} of {whole:,} tokens"
    note += f"; the largest {100 * read[most] / whole:.2f} %: {most}"
    share = 100 * statistics.median(read.values()) / whole
    yield Ratio("context / whole transcript, 9 h", share, FLOOR, unit="%", note=note)

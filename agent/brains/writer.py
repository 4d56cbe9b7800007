"""A model writes from numbered rows what fits its context together with a reply and one repair."""

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

import prompts
from agent.brains.citing import NOT_FOUND, Numbered, cited, numbered
from agent.brains.fence import fenced, tokens
from agent.brains.planner import Bill
from agent.brains.protocol import Question
from agent.brains.shape import Shape
from tools.endpoints.completion import Fault
from tools.evidence import EvidenceRow

REPLY = 400
_AROUND = 130  # what names the roles, fences the rows and asks for a repair
_SHARE = 0.95  # names and figures take more tokens than the estimate has
_LEAST = 400


@dataclass(frozen=True, slots=True)
class Writer:
    """Asks for words that must have a `shape`; `context` in tokens."""

    bill: Bill
    context: int
    shape: Shape

    def room(self, system: str) -> int:
        """Give the tokens of rows that fit beside a system prompt, the question, a reply and its repair."""
        room = self.context - 2 * REPLY - _AROUND - tokens(system) - tokens(asked(self.shape.question))
        return max(_LEAST, int(room * _SHARE))

    def write(
        self, system: str, rows: Sequence[EvidenceRow], *, best_first: bool = False, repair: bool = True
    ) -> tuple[str, Numbered]:
        """Give a model's words and the rows it was shown: fewer where the endpoint says that they do not fit."""
        budget = self.room(system)
        while True:
            shown = numbered(rows, budget, best_first=best_first)
            try:
                return self._words(system, shown, repair), shown
            except Fault as fault:
                if fault.cause != "context" or budget <= _LEAST:
                    raise
                budget = max(_LEAST, budget // 2)

    def _words(self, system: str, shown: Numbered, repair: bool) -> str:
        request = prompts.load("answer_question", rows=shown.lines, question=asked(self.shape.question))
        messages: list[BaseMessage] = [SystemMessage(system), HumanMessage(request)]
        answer = self.bill.ask(messages)
        text = str(answer.content)
        problem = self.shape.problem(text) or (None if cited(text, shown)[1] else "Your answer cited no row.")
        if repair and problem is not None and NOT_FOUND not in text.upper():
            messages += [answer, HumanMessage(prompts.load("answer_repair", problem=fenced(problem)[:300]))]
            text = str(self.bill.ask(messages).content)
        return text


def asked(question: Question) -> str:
    """Give a question and its options as data: each on a line of its own."""
    options = "".join(f"\n{letter}. {fenced(text)}" for letter, text in question.options.items())
    return fenced(question.text) + options

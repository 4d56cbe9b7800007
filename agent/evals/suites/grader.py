"""A model's grade of an answer, from the configured endpoint: what it is shown is data, and only a clear C is right."""

import re
from dataclasses import dataclass

import prompts
from agent.brains.fence import fenced
from agent.evals.suites.kept import Kept, hashed
from agent.evals.suites.scorers.scorer import Grade
from store.errors import OverheardError
from tools.endpoint import Endpoint

_GRADE = re.compile(r"^[\s*_#>]*GRADE:\s*([CI])[\s*_.]*$", re.MULTILINE)
_TOKENS = 300
_SECONDS = 120.0


@dataclass(frozen=True)
class Grader:
    """Grades answers; a grade that was given before is not asked for again where they are kept."""

    endpoint: Endpoint
    kept: Kept | None = None

    def __call__(self, question: str, answer: str, criterion: str) -> Grade:
        """Give the grade of an answer; without one that can be read, why there is none."""
        text = prompts.load("grade", question=fenced(question), answer=fenced(answer), criterion=fenced(criterion))
        try:
            said = self._said(text, question)
        except OverheardError as error:
            return Grade(None, str(error))
        return read(said)

    def _said(self, text: str, question: str) -> str:
        key = hashed(["grade", text, self.endpoint.host, self.endpoint.model])
        known = None if self.kept is None else self.kept.find(key)
        if known is not None and isinstance(known.get("said"), str):
            return str(known["said"])
        request = [{"role": "user", "content": text}]
        said = self.endpoint.complete(request, seconds=_SECONDS, max_tokens=_TOKENS).text
        if self.kept is not None and read(said).right is not None:
            self.kept.keep(key, question, {"said": said})
        return said


def read(said: str) -> Grade:
    """Read a grade: the one on the last line alone, because earlier ones may quote the answer."""
    lines = [line for line in said.strip().splitlines() if line.strip()]
    found = _GRADE.match(lines[-1]) if lines else None
    why = " ".join(lines[:-1])[:300]
    if found is None:
        return Grade(None, f"the model gave no grade but {said.strip()[-80:]!r}")
    return Grade(found[1] == "C", why or "without a reason")

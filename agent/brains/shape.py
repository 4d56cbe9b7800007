"""The shape a model's answer must have beside its sentences: a letter of the options, or a JSON value by a schema."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.brains.citing import bare
from agent.brains.protocol import Question
from tools.schema import complaint, unusable

_VALUE = re.compile(r"\bVALUE:\s*(?P<json>.+)$", re.DOTALL)


@dataclass(frozen=True)
class Shape:
    """What an answer must hold; `schema` is a plan's `answer_schema`."""

    schema: str | Mapping[str, Any] | None
    question: Question

    @property
    def family(self) -> str:
        """The published family, `schema` where the plan brings a schema of its own."""
        return "schema" if isinstance(self.schema, Mapping) else str(self.schema)

    @property
    def asked(self) -> str:
        """What a model is told about it, to be put behind its task."""
        if not isinstance(self.schema, Mapping) or unusable(self.schema):
            return ""
        return f" Then end with one line: VALUE: and a JSON value by this schema: {json.dumps(self.schema)}"

    def problem(self, said: str) -> str | None:
        """Say in one line what is wrong with an answer's shape, None when nothing is."""
        if self.family == "options":
            letters = ", ".join(self.question.options)
            return None if self.value(said) else f"It begins with no letter of the options ({letters})."
        if not isinstance(self.schema, Mapping):
            return None
        if (wrong := unusable(self.schema)) is not None:
            return wrong
        try:
            return complaint(self._parsed(said), self.schema)
        except ValueError as error:
            return f"It ends with no JSON value after VALUE: ({error})."

    def value(self, said: str) -> Any:
        """Give the value of an answer whose shape is right; the words themselves where the words are the value."""
        if self.family == "options":
            found = re.match(r"\W*([A-Z])\b", said)
            return found[1] if found and found[1] in self.question.options else None
        return self._parsed(said) if isinstance(self.schema, Mapping) else bare(said)

    def words(self, said: str) -> str:
        """Give the sentences without the value that follows them."""
        return _VALUE.sub("", said).strip() if isinstance(self.schema, Mapping) else said

    def _parsed(self, said: str) -> Any:
        found = _VALUE.search(said)
        if found is None:
            raise ValueError("there is none")
        return json.loads(re.sub(r"^`+(?:json)?|`+$", "", found["json"].strip()).strip())

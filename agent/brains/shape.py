"""The shape a model's answer must have beside its sentences: a letter of the options, or a JSON value by a schema."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.brains.citing import bare
from agent.brains.protocol import Question
from tools.schema import complaint, unusable

_LETTER = re.compile(r"\W*([A-Z])\b")
_SENTENCE = re.compile(r"['’]?\s*(?!(?:because|is|as|since|fits|was)\b)\w")
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
        except (ValueError, RecursionError) as error:
            return f"It ends with no JSON value after VALUE: ({error})."

    def value(self, said: str) -> Any:
        """Give the value of an answer whose shape is right; the words themselves where the words are the value."""
        if self.family == "options":
            found = _LETTER.match(said)
            if found is None or found[1] not in self.question.options or _is_article(found, self.question.options):
                return None
            return found[1]
        return self._parsed(said) if isinstance(self.schema, Mapping) else bare(said)

    def words(self, said: str) -> str:
        """Give the sentences without the value that follows them."""
        return _VALUE.sub("", said).strip() if isinstance(self.schema, Mapping) else said

    def _parsed(self, said: str) -> Any:
        found = _VALUE.search(said)
        if found is None:
            raise ValueError("there is none")
        return json.loads(re.sub(r"^`+(?:json)?|`+$", "", found["json"].strip()).strip(), parse_constant=_no_number)


def _is_article(found: re.Match[str], options: Mapping[str, str]) -> bool:
    """Say whether a letter is the first word of a sentence and no choice: "A train was late"."""
    rest = found.string[found.end() :]
    own = rest.strip().casefold().startswith(options[found[1]].strip().casefold())
    return found[1] in "AI" and _SENTENCE.match(rest) is not None and not own


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")

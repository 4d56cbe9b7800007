"""Any chat endpoint that hears: audio goes out as a part of a message, in the first format that the endpoint takes.

Ten minutes are 19 MB of samples, some endpoints take no such request and others no other format than WAV; so what is
refused is tried in a smaller one, and what was taken is kept to.
"""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

import prompts
from store.clock import clock
from tools.endpoint import Endpoint
from tools.endpoints.completion import Completion, Fault
from tools.media.encoder import FORMATS, Format, encoded
from tools.transcript.interview.chunks import RATE
from tools.transcript.interview.ear import Finish, Reply

MOST_TOKENS = 8_192
"""More than ten minutes of fast talk take, so that a loop is cut soon."""
SILENT_S = 180.0
"""How long an endpoint may say nothing while it reads ten minutes of audio."""
_WARMER = 0.4
_KINDS: Mapping[str, Finish] = {
    "truncated": "length",
    "content_filter": "content_filter",
    "model_refused": "refused",
    "empty": "empty",
}


@dataclass(frozen=True, slots=True)
class Told:
    """What a person says of an interview beforehand: what it is about, who speaks first, and in which language."""

    context: str | None = None
    first_speaker: str | None = None
    language: str | None = None


class Llm:
    """A model behind an endpoint that writes down what it hears."""

    name, version = "llm", "1"

    def __init__(self, endpoint: Endpoint, told: Told | None = None, formats: Sequence[Format] = FORMATS) -> None:
        self._endpoint, self._told = endpoint, told or Told()
        self._formats = list(formats)
        self._taken = False

    @property
    def model(self) -> str:
        """The model's name, asked for where nobody gave it."""
        return self._endpoint.model

    @property
    def host(self) -> str:
        """Where audio is sent."""
        return self._endpoint.host

    @property
    def language(self) -> str | None:
        """The language that a person says is spoken."""
        return self._told.language

    @property
    def format(self) -> Format:
        """How audio is sent, as far as it is known."""
        return self._formats[0]

    @property
    def params(self) -> dict[str, Any]:
        """What changes the answers besides the model: all that it is told."""
        said = asdict(self._told)
        return {"version": self.version, "told": self._digest(), **{key: value for key, value in said.items() if value}}

    def hear(self, samples: NDArray[np.float32], attempt: int) -> Reply:
        """Write down samples (16 kHz mono), each time anew, and less steadily so that a loop is left."""
        asked = {"type": "text", "text": self._asked(len(samples) * 1000 // RATE)}
        while True:
            audio = {"data": base64.b64encode(encoded(samples, self._formats[0])).decode(), "format": self._formats[0]}
            content = [asked, {"type": "input_audio", "input_audio": audio}]
            try:
                reply = self._answered(content, _WARMER * attempt)
            except Fault as fault:
                if self._taken or fault.cause not in ("request", "context") or len(self._formats) == 1:
                    raise
                del self._formats[0]
            else:
                self._taken = True
                return reply

    def fuse(self, end: str, begin: str) -> Reply:
        """Write two texts that overlap as one."""
        return self._answered(prompts.load("interview_fuse", end=end, begin=begin), 0.0)

    def _answered(self, content: Any, temperature: float) -> Reply:
        message = {"role": "user", "content": content}
        return read(
            lambda: self._endpoint.complete([message], stream=True, temperature=temperature, max_tokens=MOST_TOKENS)
        )

    def _asked(self, length_ms: int) -> str:
        told = self._told
        given = [f"- It is about: {told.context}"] if told.context else []
        given += [f"- The first to speak is {told.first_speaker}."] if told.first_speaker else []
        given += [f"- The language is {told.language}."] if told.language else []
        return prompts.load("interview", length=clock(length_ms), given="\n".join(given))

    def _digest(self) -> str:
        said = [self._asked(0), prompts.load("interview_fuse", end="", begin=""), self._endpoint.extra]
        return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:12]


def read(ask: Callable[[], Completion]) -> Reply:
    """Give an answer, and one that was cut, stopped, refused or empty as what it is; other faults are raised."""
    try:
        done = ask()
    except Fault as fault:
        finish = _KINDS.get(fault.kind)
        if finish is None or (finish == "length" and fault.cause != "long"):
            raise
        return Reply(fault.partial, finish, fault.input_tokens, fault.output_tokens)
    return Reply(done.text, "stop", done.input_tokens, done.output_tokens)

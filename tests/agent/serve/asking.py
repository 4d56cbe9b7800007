"""The same question asked of the rules in process and over a wire, and what may differ between the two replies."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from agent.brains.openai import TASKS
from agent.brains.protocol import INSTEAD
from agent.evals import sample
from agent.reply import Reply
from agent.serve.server import answer
from store import recordings, streams
from store.database import Database
from store.record import Event, Row, Segment, StreamKind, Turn
from tools.endpoint import Endpoint, Message
from tools.endpoints.completion import Completion, read_whole

# Who answered, what it cost and where it is kept are not what was answered.
APART = {"brain", "usage", "trace"}
# Over a wire words are a model's, cited by marks; in process they are templates. So their kind is told, and the value
# of a summary is its words.
WORDS = {"answer", "answer_kind"}
# A template says how many rows it leaves out; a model only cites those it words.
_UNSAID = re.compile(r"\n… and \d+ more$")


def difference(ours: Reply, theirs: Reply) -> tuple[str, ...]:
    """Give the fields in which a reply over the wire differs from that in process, but for what words must."""
    one, other = (reply.model_dump(exclude=APART) for reply in (ours, theirs))
    if not ours.plan:
        # What cannot be run is no plan over a wire, and the rules plan it again.
        other["caveats"] = [caveat for caveat in other["caveats"] if not caveat.endswith(INSTEAD)]
    apart = {key for key in one if one[key] != other[key]}
    if ours.status != "answered" or family(ours) not in TASKS or theirs.answer_kind != "generated":
        return tuple(sorted(apart))
    if "not_understood" in ours.caveats:
        # Passages in process, best first and uncommented; a model words those that it cites.
        return tuple(sorted(apart - WORDS - {"citations"}))
    if bare(_UNSAID.sub("", ours.answer)) == bare(theirs.answer):
        apart -= WORDS
    if family(ours) == "summary" and bare(str(theirs.value)) == bare(theirs.answer):
        apart -= {"value"}
    return tuple(sorted(apart))


def family(reply: Reply) -> str:
    """Give the family that a reply's plan answers."""
    return str(reply.plan[-1]["args"].get("answer_schema")) if reply.plan else ""


def bare(text: str) -> str:
    """Give a text without its marks, on one line."""
    return " ".join(re.sub(r"\s?\[\d+\]", "", text).split())


class Within(Endpoint):
    """The served function without a wire: a completion is a call."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        response_format: Mapping[str, Any] | None = None,
        **_: object,
    ) -> Completion:
        asked = {"model": self.model, "messages": list(messages)} | ({"tools": list(tools)} if tools else {})
        return read_whole(json.loads(json.dumps(answer(asked | {"response_format": response_format})[1])))


def publish_sample(database: Database) -> str:
    """Store the sample's truth as a recording with named voices, and give its id."""
    truth = json.loads((sample.FOLDER / "truth.json").read_text(encoding="utf-8"))
    rows: dict[StreamKind, list[Row]] = {
        "transcript": [Segment(*_ms(row), row["text"], row["speaker"]) for row in truth["segments"]],
        "speaker": [Turn(*_ms(row), row["speaker"]) for row in truth["turns"]],
        "events": [Event(*_ms(row), row["label"], 0.9) for row in truth["events"]],
    }
    with database.writing() as connection:
        new = recordings.NewRecording("5a" * 32, "Festival meeting", "import", round(truth["duration"] * 1000))
        recording = recordings.add(connection, new)
        for kind, found in rows.items():
            version = streams.new_version(connection, recording.id, kind, streams.Source("truth", {}))
            streams.publish(connection, version, found)
        streams.finish(connection, recording.id, "en")
    return recording.public_id


def _ms(row: Mapping[str, Any]) -> tuple[int, int]:
    return round(row["start"] * 1000), round(row["end"] * 1000)

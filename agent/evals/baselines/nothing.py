"""B0: one refuses everything, the other answers everything; what any rule of marking must see through."""

from dataclasses import dataclass
from typing import Any

from agent.evals.baselines.reader import NOTHING, asked
from agent.library import Library
from agent.reply import Reply

CONSTANTS: dict[str, Any] = {"count": 1, "yes_no": True, "options": "A", "duration": 60.0, "emotion": "neutral"}


@dataclass(frozen=True, slots=True)
class RefuseAll:
    """Refuse whatever is asked, without a reason."""

    name: str = "B0 refuse-all"

    def __call__(self, library: Library, recording_id: str, question: str) -> Reply:
        """Refuse."""
        return Reply(status="refused", answer=NOTHING, brain=self.name)


@dataclass(frozen=True, slots=True)
class AnswerAll:
    """Answer whatever is asked with a constant of the right form; who: the voice that speaks most."""

    name: str = "B0 answer-all"

    def __call__(self, library: Library, recording_id: str, question: str) -> Reply:
        """Answer."""
        one = asked(library, recording_id, question, self.name)
        fuses = [call["args"] for call in one.planned.tool_calls if call["name"] == "fuse"]
        family = "options" if one.question.options else next((args.get("answer_schema") for args in fuses), "text")
        entry = one.scope.recordings[0]
        talk = max(entry.voices, key=lambda voice: voice.talk_ms, default=None)
        whole = [[0.0, entry.recording.duration_ms / 1000]]
        name = None if talk is None else talk.display
        found = CONSTANTS | {"who": name, "when": whole, "which_events": sorted(entry.events)}
        value = found.get(str(family), name)
        return Reply(status="answered", answer=str(value), value=value, brain=self.name)

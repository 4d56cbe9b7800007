"""Every node works on a state that was read back from disk, and comes to the reply that it comes to without."""

import json
from pathlib import Path
from typing import Any

from agent.ask import ask
from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from agent.dialogue import Dialogue
from agent.graph.budget import Budget, Meter
from agent.graph.graph import graph
from agent.graph.state import Desk
from agent.graph.trace import Trace
from agent.library import Library
from agent.threads.conversation import conversation
from agent.threads.turns import begun
from store.catalog import catalog
from store.recordings import every
from tests.agent.graph.talk import talk
from tools.call import Session

BEFORE = "Did Anna or Carla mention the budget more often?"
QUESTIONS = (
    "What did Anna say about the budget?",
    "How often did Ben mention the train?",
    "What did Ben say about the budget?",
    "What did Zoe say about the budget?",
    "What was said about the harvest of the orchard by Ben?",
    "What did Ben say about the orchards bloom and the Paris trains noon departure?",
    "and Ben?",
    "What did she say about the train?",
)


def _by_steps(library: Library, folder: Path, name: str, question: str) -> tuple[list[str], dict[str, Any]]:
    """Run a question one node at a time, each from the file as a process that has just opened it reads it."""
    brain = RulesBrain()
    ask(library, BEFORE, dialogue=conversation(folder, name))
    with library.database.reader() as connection:
        scope = catalog(connection, every(connection))
    with (
        Trace(library.database, question, scope, brain) as trace,
        Session(library.database, scope, tracer=trace) as session,
    ):
        desk = Desk(brain, Question(question), scope, library.database, session, Meter(Budget()), trace, lambda _: None)
        ids = [entry.recording.public_id for entry in scope.recordings]
        given: Any = begun(question, {}, ids, conversation(folder, name).turns, trace.id)
        ran: list[str] = []
        while True:
            here = conversation(folder, name)
            flow = graph(here.checkpointer)
            flow.invoke(given, config=here.config, context=desk, durability="sync", interrupt_before="*")
            stood = graph(conversation(folder, name).checkpointer).get_state(here.config)
            assert json.loads(json.dumps(stood.values)) == stood.values
            if not stood.next:
                return ran, stood.values["reply"]
            ran += stood.next
            given = None


def test_every_node_goes_on_from_what_lies_on_disk(tmp_path: Path) -> None:
    library, seen = talk(tmp_path), set[str]()
    for number, question in enumerate(QUESTIONS):
        ran, reply = _by_steps(library, tmp_path, f"steps{number}", question)
        seen |= set(ran)
        dialogue = Dialogue()
        ask(library, BEFORE, dialogue=dialogue)
        whole = ask(library, question, dialogue=dialogue).model_dump(mode="json")
        for part in ("status", "answer", "value", "citations", "caveats"):
            assert reply.get(part) == whole[part] or part not in reply, (question, part)
    assert seen == {"follow", "plan", "validate", "retrieve", "judge", "widen", "answer", "verify", "refuse"}

"""A figure that stands in a row comes through: into the note on its stretch, the joined answer and the reply."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.ask import ask
from agent.brains.openai import OpenAIBrain
from agent.brains.rules.brain import RulesBrain
from agent.library import Library
from agent.reply import Reply
from tests.agent.routes import assembly
from tests.agent.routes.test_route import ROW, plan
from tests.tools.loopback import Json, message, serving, spoken
from tests.tools.loopback import Reply as Sent
from tools.endpoint import Endpoint

# What was said, what a note makes of it, and what must be in the reply.
DECIDED = {
    30: ("Fine, 250 then.", "The assembly settles on 250 [{n}].", "250"),
    90: (
        "Two hundred and fifty euros for plants, agreed.",
        "They spend 250 euros on plants [{n}].",
        "250 euros",
    ),
    150: ("All right, $1,250.50 for the roof.", "The repair is to cost $1,250.50 [{n}].", "1,250.50"),
    210: ("The deadline is the end of March. Nobody objects.", "All is due by the end of March [{n}].", "end of March"),
    270: ("Let us meet at half past 7, as on Sundays.", "They meet at half past 7 on a Sunday [{n}].", "half past 7"),
    330: ("We take 12 of the 40 chairs.", "Of 40 chairs 12 are bought [{n}].", "12 are bought"),
    390: ("Okay, three percent it is. Decided.", "The rise comes to 3 percent [{n}].", "3 percent"),
}


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    monkeypatch.setattr(assembly, "DECIDED", {place: said for place, (said, *_) in DECIDED.items()})
    return assembly.assembly(tmp_path / "library")


def _retelling(change: Callable[[str], str] = str) -> Callable[[Json], Sent]:
    """Plan for all of it, note each decision in other words, and join the notes as they are."""
    notes = {said: note for said, note, _ in DECIDED.values()}

    def answer(request: Json) -> Sent:
        system, asked = (str(m["content"]) for m in request["messages"][:2])
        if "<rows>" not in asked:
            return spoken(request, message(None, tool_calls=plan()), "tool_calls")
        rows = ROW.findall(asked.partition("</rows>")[0])
        if "one stretch" in system:
            told = [change(notes[text]).format(n=n, m=int(n) + 1) for n, _, text in rows if text in notes]
        else:
            told = [f"{text.rstrip('.')} [{n}]." for n, _, text in rows]
        return spoken(request, message(" ".join(told) or "NOT FOUND"))

    return answer


def _asked(library: Library, answer: Callable[[Json], Sent]) -> Reply:
    with serving(answer) as server:
        brain = OpenAIBrain(Endpoint(server.url, None, "m"), RulesBrain())
        return ask(library, "What was decided?", brain=brain)


def test_figures_come_through_notes_and_join_into_the_reply(library: Library) -> None:
    reply = _asked(library, _retelling())
    assert reply.status == "answered"
    assert any(caveat.startswith("read in ") for caveat in reply.caveats)
    assert {round(c.start * 1000) // assembly.TURN for c in reply.citations} == set(DECIDED)
    assert [figure for *_, figure in DECIDED.values() if figure not in reply.answer] == []


def test_a_figure_that_was_said_shortly_before_brings_its_row_along(library: Library) -> None:
    def later(note: str) -> str:
        return note.replace("{n}", "{m}") if "1,250.50" in note else note

    reply = _asked(library, _retelling(later))
    assert "1,250.50" in reply.answer
    assert {150, 151} <= {round(c.start * 1000) // assembly.TURN for c in reply.citations}


def test_a_figure_that_its_row_has_not_is_left_out(library: Library) -> None:
    def other(note: str) -> str:
        return re.sub(r"\b(250|1,250|12)\b", "777", note)

    reply = _asked(library, _retelling(other))
    assert "777" not in reply.model_dump_json(include={"answer", "value"})
    assert "3 percent" in reply.answer

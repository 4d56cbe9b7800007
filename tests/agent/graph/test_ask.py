"""One question through the whole graph: values, citations, caveats, budget, faults, sameness."""

from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.brains.protocol import Planned
from agent.brains.rules.brain import RulesBrain
from agent.brains.scripted import ScriptedBrain
from agent.graph.budget import Budget
from agent.reply import Reply
from store.errors import Exit, NotFound
from tests.agent.graph.talk import NAMED, UNNAMED, talk

ANSWERED: list[tuple[str, Any]] = [
    ("How many speakers are there?", 3),
    ("How many people spoke in the first 10 seconds?", 2),
    ("Who mentioned the budget?", "Anna"),
    ("Who mentioned the orchard?", ["Ben", "Anna"]),
    ("Who first mentioned the orchard?", "Ben"),
    ("Who spoke the most?", "Ben"),
    ("Who spoke first?", "Anna"),
    ("Who spoke last?", "Anna"),
    ("How often did Ben mention the train?", 2),
    ("How often was the siren heard?", 2),
    ("When did Ben mention Paris?", [[14.2, 20.0]]),
    ("When was the siren last heard?", [[36.0, 37.0]]),
    ("Did Ben mention the train?", True),
    ("Was there any applause?", True),
    ("How long did Carla speak?", 5.5),
    ("How long was the siren?", 3.0),
    ("In what order did the applause and the siren occur?", ["siren", "applause"]),
    ("Who spoke when the applause was heard?", "Ben"),
    ("How did Ben sound?", "anger"),
    ("When was Ben angry?", [[26.2, 33.0]]),
    ("Who was angry?", "Ben"),
    ("How did Ben sound while talking about the train?", "anger"),
    ("Was Ben angry during the applause?", True),
    ("Who spoke when between 0:05 and 0:12?", [[5.0, 9.0, "Ben"], [9.1, 12.0, "Anna"]]),
    ("What did Ben say about the train? (A) It is red (B) It leaves at noon (C) It is full (D) It is new", "B"),
    ("Who mentioned Paris? (A) Anna (B) Ben (C) Carla (D) Marie", "B"),
    ("How many people speak? (A) 2 (B) 3 (C) 4 (D) 5", "B"),
]


def test_of_what_one_person_said_their_own_words_are_chosen_before_what_they_report(tmp_path: Path) -> None:
    lines = [
        (0, 4_000, 1, "According to Anna the password of Ostia is magnet."),
        (5_000, 9_000, 1, "You unlock Ostia by typing saddle."),
    ]
    reply = ask(talk(tmp_path, lines=lines), "What did Ben say the password of Ostia is? (A) magnet (B) saddle")
    assert reply.value == "B"
    assert [citation.start for citation in reply.citations] == [5.0]


def test_options_that_people_disagree_about_are_all_shown_with_who_said_them(tmp_path: Path) -> None:
    lines = [
        (0, 4_000, 0, "The password of Ostia is magnet."),
        (5_000, 9_000, 1, "The password of Ostia is saddle."),
    ]
    reply = ask(talk(tmp_path, lines=lines), "What is the password of Ostia? (A) magnet (B) saddle (C) walnut")
    assert (reply.status, reply.value) == ("not_found", None)
    assert reply.answer.splitlines()[1:] == [
        "(A) magnet, Anna at 0:00: “The password of Ostia is magnet.”",
        "(B) saddle, Ben at 0:05: “The password of Ostia is saddle.”",
    ]
    assert [(one.speaker, one.verified) for one in reply.citations] == [("Anna", True), ("Ben", True)]


@pytest.mark.parametrize(("question", "value"), ANSWERED)
def test_the_value_is_right_and_every_citation_is_verified(tmp_path: Path, question: str, value: Any) -> None:
    reply = ask(talk(tmp_path), question)
    assert (reply.status, reply.value) == ("answered", value), reply
    assert reply.citations
    assert all(citation.verified for citation in reply.citations)
    assert [citation.n for citation in reply.citations] == list(range(1, len(reply.citations) + 1))
    assert reply.exit == Exit.DONE
    assert reply.plan
    assert reply.sql
    assert 0.5 < reply.confidence <= 1


def test_quotes_are_cited_word_for_word(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "What did Anna say about the budget?")
    assert reply.answer_kind == "quoted"
    assert "“Good morning, the budget is cut by ten percent.”" in reply.answer
    assert [c.quote for c in reply.citations] == [
        "Good morning, the budget is cut by ten percent.",
        "Then we move the budget meeting to Friday.",
    ]


def test_what_was_said_right_after_a_sound_cites_both(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "What was said right after the siren?")
    assert {citation.stream for citation in reply.citations} == {"transcript", "events"}
    assert "The train to Paris" in reply.answer


def test_an_inflected_word_is_found_and_said_so(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "Who mentioned the contract?")
    assert reply.value == "Carla"
    assert "widened: other forms (contract → contracts)" in reply.caveats


def test_the_whole_library_is_asked_and_citations_name_the_recording(tmp_path: Path) -> None:
    talk(tmp_path, title="Monday")
    library = talk(tmp_path, title="Tuesday")
    reply = ask(library, "When was the budget mentioned?")
    assert len({citation.recording for citation in reply.citations}) == 2
    assert all(citation.recording in reply.answer for citation in reply.citations)
    assert {c.recording for c in ask(library, "When was the budget mentioned?", recording="Monday").citations} == {
        library.recording("Monday").public_id
    }


def test_an_empty_library_and_an_unknown_recording_are_not_found(tmp_path: Path) -> None:
    from agent.library import Library

    with pytest.raises(NotFound, match="empty"):
        ask(Library(tmp_path / "new"), "Who spoke?")
    with pytest.raises(NotFound, match="no recording 'x'"):
        ask(talk(tmp_path), "Who spoke?", recording="x")


def without_time(reply: Reply) -> dict[str, Any]:
    """Give a reply without what differs between equal ones."""
    plain = reply.model_dump()
    plain["usage"].pop("seconds")
    plain.pop("trace")
    return plain


@pytest.mark.parametrize(
    "question", ["Who mentioned the orchard?", "What did Marie say?", "Which city?", "Who spoke when?"]
)
def test_the_same_question_twice_gives_equal_replies(tmp_path: Path, question: str) -> None:
    library = talk(tmp_path)
    assert without_time(ask(library, question)) == without_time(ask(library, question))


@pytest.mark.parametrize("fault", ["malformed", "wrong_stream", "invented_speaker"])
def test_a_brain_that_is_told_what_was_wrong_mends_its_plan(tmp_path: Path, fault: Any) -> None:
    reply = ask(talk(tmp_path), "Who mentioned the budget?", brain=ScriptedBrain(fault=fault))
    assert (reply.status, reply.value, reply.brain) == ("answered", "Anna", "scripted")
    assert reply.usage.model_calls == 3


def test_no_brain_can_talk_a_refusal_away(tmp_path: Path) -> None:
    asked = RulesBrain()
    plan = [_call("transcript", {"keywords": ["train"], "speaker": "Marie"}), _FUSE]
    bold = ScriptedBrain(script=(Planned(plan),), inner=asked)
    reply = ask(talk(tmp_path), "What did Marie say about the train?", brain=bold)
    assert (reply.status, reply.refusal and reply.refusal.reason) == ("refused", "unknown_speaker")


def test_a_brain_that_obeys_the_recording_changes_no_computed_value(tmp_path: Path) -> None:
    library = talk(tmp_path)
    brain = ScriptedBrain(fault="obeys")
    counted = ask(library, "How often did Ben mention the train?", brain=brain)
    assert counted.value == 2
    assert all(citation.verified for citation in counted.citations)


def test_a_brain_that_loops_ends_by_its_own_budget_with_a_partial_trace(tmp_path: Path) -> None:
    """C34: the same failing plan for ever; no GraphRecursionError, the rows that were found are shown."""
    reply = ask(talk(tmp_path), "Who mentioned the budget?", brain=ScriptedBrain(fault="loops"))
    assert reply.status == "answered"
    assert "same_plan_twice" in reply.caveats
    changing = [Planned([_call("transcript", {"keywords": ["budget", str(n)]}), _FUSE]) for n in range(40)]
    reply = ask(talk(tmp_path), "Who mentioned the budget?", brain=ScriptedBrain(script=changing, fault="loops"))
    assert "budget_spent" in reply.caveats
    assert reply.exit == Exit.BUDGET
    assert reply.citations
    broken = [Planned([_call("video", {"n": n})]) for n in range(40)]
    reply = ask(talk(tmp_path), "Who mentioned the budget?", brain=ScriptedBrain(script=broken))
    assert (reply.status, reply.error and reply.error.kind) == ("failed", "budget_spent")
    assert reply.exit == Exit.BUDGET
    assert reply.trace


@pytest.mark.parametrize("budget", [Budget(tool_calls=1), Budget(seconds=-1), Budget(rounds=0)])
def test_a_budget_that_is_spent_before_any_row_fails(tmp_path: Path, budget: Budget) -> None:
    reply = ask(talk(tmp_path), "Who mentioned the budget?", budget=budget)
    assert (reply.status, reply.error and reply.error.kind) == ("failed", "budget_spent")


def test_stages_are_told_as_they_happen(tmp_path: Path) -> None:
    stages: list[str] = []
    ask(talk(tmp_path), "Who mentioned the budget?", on_event=lambda stage: stages.append(stage.name))
    assert stages == ["plan", "validate", "retrieve", "judge", "answer", "verify"]


def _call(name: str, args: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "args": args, "id": f"{name}_1", "type": "tool_call"}


_FUSE = _call("fuse", {"anchor": "transcript", "answer_schema": "who", "aggregate": "count", "group": "speaker"})


def test_a_topic_of_many_words_is_found_by_most_of_them(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "What was said about the early train to Paris?")
    assert reply.status == "answered"
    assert "widened: rows with most of the words" in reply.caveats
    assert [citation.quote for citation in reply.citations] == ["The train to Paris leaves at noon."]
    assert ask(talk(tmp_path), "What was said about the early breakfast for dogs?").status == "not_found"


@pytest.mark.parametrize(
    "question", ["Who mentioned the \0budget?", "\x1b]52;c;Y3Vy\x07Who mentioned the budget?\u202e"]
)
def test_characters_that_steer_a_screen_are_no_part_of_a_question(tmp_path: Path, question: str) -> None:
    assert ask(talk(tmp_path), question).value == "Anna"


@pytest.mark.parametrize("question", ["\udcff", "Who said \ud800?", "\0", "?" * 100_000, "x" * 100_000, "' OR 1=1 --"])
def test_no_question_ends_without_a_reply(tmp_path: Path, question: str) -> None:
    assert ask(talk(tmp_path), question).answer


LONG = "x" * 300
ODD = (
    LONG,
    f'"{LONG}"',
    "y " * 300,
    '"a" ' * 3000,
    "Anna " * 3000,
    '"" "a"',
    "\\",
    "\u2026",
    "'",
    "(A) x (B) y",
    "A. one B. two ?",
)
FORMS = (
    "{0}", "What did {0} say about {0}?", "Who said {0}?", "Was {0} heard?", "How long did {0} speak?",
    "Did {0} mention {0} before {0}?", "What happened after {0}?", "When did Ben mention {0}?",
    "Who was {0}? (A) {0} (B) {0} (C) {0} (D) {0}",
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("people", [NAMED, UNNAMED])
def test_odd_words_in_any_slot_are_answered_in_words(tmp_path: Path, form: str, people: tuple[str, ...]) -> None:
    library = talk(tmp_path, people)
    for odd in ODD:
        reply = ask(library, form.format(odd))
        assert reply.status != "failed", odd
        assert reply.answer.strip(), odd
        assert "keywords." not in reply.answer, odd
        assert not any(0xE000 <= ord(char) < 0xF000 for char in reply.answer), odd
